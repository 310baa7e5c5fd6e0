// Files that import SwiftUI and nothing else use `Date`, `ObservableObject`, `@Published` and `@Observable` too.
@_exported public import AppleCore
@_exported public import Foundation
@_exported public import Observation
