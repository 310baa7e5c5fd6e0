// Apple's Combine and StoreKit bring Foundation along.
@_exported public import Foundation
