// Files that import StoreKit and nothing else use Date, Decimal, UUID…: Apple's StoreKit brings Foundation along.
@_exported public import Foundation
