/// Where a client node keeps its local store.
///
/// Writes go to a thread of their own, since the disk must not hold up the node's sockets.
package protocol DeviceStorePersistence: Sendable {
  /// What there is. Called once, before anything else; blocks.
  func load() throws(ClientNodeError) -> StoredNode
  /// Writes in the order of the calls; `done` gets nil, or why it could not be written, on some thread.
  func save(_ write: StoreWrite, done: @escaping @Sendable (String?) -> Void)
  /// Waits for the writes that were asked for and lets go of the file. Blocks.
  func close()
}
