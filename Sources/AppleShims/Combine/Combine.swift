// Apple's module of this name has all that AppleCore has, and more.
@_exported public import AppleCore
