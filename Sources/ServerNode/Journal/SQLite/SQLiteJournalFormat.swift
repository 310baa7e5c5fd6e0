import SQLite

/// How a journal looks as a SQLite file; docs/journal.md describes it for people.
enum SQLiteJournalFormat {
  /// "SFJ1" in the file's header.
  static let applicationID: Int32 = 0x5346_4A31
  static let version: Int32 = 3

  /// `position` is the actor's id in the upper half and a count from 1 in the lower one: the rows of one actor lie
  /// together, in order, and need no other index. An index on requests would cost one more page write for every
  /// append; reading the few replies of one actor costs less.
  static let schema = """
    CREATE TABLE meta (name TEXT PRIMARY KEY, value INTEGER NOT NULL) STRICT, WITHOUT ROWID;
    INSERT INTO meta VALUES ('incarnation', 0);
    CREATE TABLE epochs (world TEXT PRIMARY KEY, epoch INTEGER NOT NULL) STRICT, WITHOUT ROWID;
    CREATE TABLE actors (
      id INTEGER PRIMARY KEY, world TEXT NOT NULL, kind TEXT NOT NULL, key TEXT NOT NULL,
      UNIQUE (world, kind, key)
    ) STRICT;
    CREATE TABLE events (
      position INTEGER PRIMARY KEY, at INTEGER NOT NULL, name TEXT NOT NULL, body BLOB NOT NULL
    ) STRICT;
    CREATE TABLE answered (position INTEGER PRIMARY KEY, request BLOB NOT NULL, reply BLOB NOT NULL) STRICT;
    CREATE TABLE timers (
      actor INTEGER NOT NULL, name TEXT NOT NULL, due INTEGER NOT NULL, PRIMARY KEY (actor, name)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE outbox (
      id INTEGER PRIMARY KEY, source INTEGER NOT NULL, target INTEGER NOT NULL, number INTEGER NOT NULL,
      name TEXT NOT NULL, body BLOB NOT NULL, UNIQUE (source, target, number)
    ) STRICT;
    CREATE TABLE links (
      source INTEGER NOT NULL, target INTEGER NOT NULL, sent INTEGER NOT NULL, applied INTEGER NOT NULL,
      PRIMARY KEY (source, target)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX links_target ON links (target);
    """ + projections + notifications

  /// What format 2 added: all of it follows from the events. A record moves to the end of its account's rows whenever it
  /// changes, so that a page in the order of modification is one stretch of rows; its position counts the changes.
  static let projections = """
    CREATE TABLE records (
      position INTEGER PRIMARY KEY, actor INTEGER NOT NULL, id INTEGER NOT NULL, product TEXT NOT NULL,
      type INTEGER NOT NULL, subscription_group TEXT, purchased INTEGER NOT NULL, shared INTEGER NOT NULL,
      revoked INTEGER NOT NULL, body BLOB NOT NULL
    ) STRICT;
    CREATE UNIQUE INDEX records_id ON records (actor, id);
    CREATE INDEX records_product ON records (actor, product);
    CREATE TABLE changes (actor INTEGER PRIMARY KEY, count INTEGER NOT NULL) STRICT;
    CREATE TABLE snapshots (
      actor INTEGER PRIMARY KEY, sequence INTEGER NOT NULL, at INTEGER NOT NULL, body BLOB NOT NULL
    ) STRICT;
    """

  /// What format 3 added. The payload of a notification is in one of its actor's events, whose number the row has.
  static let notifications = """
    CREATE TABLE notifications (
      position INTEGER PRIMARY KEY, actor INTEGER NOT NULL, at INTEGER NOT NULL, type TEXT NOT NULL, subtype TEXT,
      customer INTEGER NOT NULL, delivered INTEGER NOT NULL, open INTEGER NOT NULL, payload INTEGER NOT NULL,
      body BLOB NOT NULL
    ) STRICT;
    CREATE INDEX notifications_open ON notifications (actor) WHERE open = 1;
    """

  /// Makes an empty journal in a new file.
  static func create(in database: SQLiteDatabase) throws(SQLiteError) {
    try database.transaction { () throws(SQLiteError) in
      try database.setApplicationID(applicationID)
      try database.setUserVersion(version)
      try database.execute(schema)
    }
  }

  /// Throws unless the file is a journal of a version that this build knows.
  static func check(_ database: SQLiteDatabase) throws(JournalError) {
    let (id, found) = try inJournal("open") { () throws(SQLiteError) in
      (try database.applicationID(), try database.userVersion())
    }
    guard id == applicationID, found > 0 else {
      throw JournalError(
        .corrupt,
        "\(database.path) is a SQLite file, but not a Storefleet journal. Move it away or choose another data folder.")
    }
    guard found <= version else {
      throw JournalError(
        .unknownFormat,
        "The journal \(database.path) has format \(found), but this version of Storefleet knows formats up to "
          + "\(version). Use the version that wrote it, or a later one.")
    }
  }
}
