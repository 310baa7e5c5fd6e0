extension SKTestSession {
  /// Returns when everything that follows from what apps did shows on every device, in families too. Members of a
  /// session do that by themselves; a purchase that an app made returns when its own device shows it. Beyond Apple.
  public func settle() { world.settle() }
}
