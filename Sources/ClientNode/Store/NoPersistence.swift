/// Keeps nothing: the store then lives as long as the process.
package struct NoPersistence: DeviceStorePersistence {
  package init() {}
  package func load() throws(ClientNodeError) -> StoredNode { StoredNode() }
  package func save(_ write: StoreWrite, done: @escaping @Sendable (String?) -> Void) { done(nil) }
  package func close() {}
}
