// As at Apple, `ObservableObject` and `@Published` come along.
@_exported public import AppleCore
