/// A namespace for publishers made of others.
public enum Publishers {}
