// Files that import StoreKit and nothing else use Date, Decimal, UUID…, and `ObservableObject` and `@Published` too:
// Apple's StoreKit brings Foundation and Combine along.
@_exported public import AppleCore
@_exported public import Foundation
