// Test files that import StoreKitTest and nothing else use StoreKit too: Apple's StoreKitTest brings it along.
@_exported public import StoreKit
