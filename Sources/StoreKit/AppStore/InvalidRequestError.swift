/// The store could not read a request that the app's server had signed.
public struct InvalidRequestError: Error {
  public let code: Int64
  public let message: String
}
