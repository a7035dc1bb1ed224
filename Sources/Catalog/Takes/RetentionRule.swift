import Configuration

extension RetentionSettings {
  /// The bin loses its oldest takes until this much is free, also where no other take goes: a take that somebody has
  /// deleted must not end one that is being recorded.
  package var leastFreeBesideBin: UInt64 {
    leastFreeByteCount > 0 ? leastFreeByteCount : KeeperLimits.leastFreeBesideBin
  }
}

/// When a day is old enough to go. Days are counted from 1970-01-01.
struct RetentionRule {
  let days: UInt32
  let today: Int64

  /// Whether a day goes for its age: today and the ``days`` before it stay.
  func isDue(_ day: Int64) -> Bool { days > 0 && day < today - Int64(days) }

  /// Whether a day may go when space runs out. A take that begins just after midnight belongs to the day before, for
  /// its pre-roll: that day's folder must not vanish under it.
  func mayGoForSpace(_ day: Int64) -> Bool { day < today - 1 }

  /// Whether a day's folder was named by a clock that was set. One that was not starts at 1970, or at 1980.
  static func isPlausible(_ day: Int64) -> Bool { day >= KeeperLimits.firstPlausibleDay }
}

/// The limits of the keeper, with their reasons.
enum KeeperLimits {
  /// 2000-01-01.
  static var firstPlausibleDay: Int64 { 10_957 }

  /// While a take is being recorded one file goes in this time: the card's rest is for the take. A removal of gigabytes
  /// can hold up a card for a second, and the rings bridge ten.
  static var restNanoseconds: UInt64 { 1_000_000_000 }

  /// Bytes of a list of copied files that are read for each file: 40,000 files of a day.
  static var copyListByteCount: UInt64 { 1 << 20 }

  /// What is free at least while takes are in the bin, unless it is configured: at 100 Mbit/s a take fills 125 MB until
  /// it is looked at next, and StorageSettings.reserveByteCount stay free.
  static var leastFreeBesideBin: UInt64 { 512_000_000 }

  /// The most lines of a list of takes: 32 kB.
  static var listedTakes: Int { 500 }

  /// A copy is flushed after this many bytes: what waits in memory for a slow disk holds up every other write.
  static var copyFlushByteCount: UInt64 { 8 << 20 }

  /// Space that a copy leaves free: a file's name and metadata.
  static var copyReserveByteCount: UInt64 { 1 << 20 }

  /// Bytes of a take that are compared with its seal in a step; all of a ledger with its seal fits.
  static var verificationByteCount: Int { 65_536 }

  /// While a take is being recorded, a step of a comparison takes this long: 6.5 MB a second, which cards have to
  /// spare.
  static var verificationRestNanoseconds: UInt64 { 10_000_000 }

  /// How often the progress of a comparison is reported.
  static var progressNanoseconds: UInt64 { 250_000_000 }

  /// In so many bytes at the end of a take its ledger begins: LedgerCoding.codedByteCount, and the boxes around it.
  static var ledgerTailByteCount: Int { 66_048 }

  /// Bytes of the two lines in front of a seal, at most: 256 and 60.
  static var ledgerHeadByteCount: Int { 320 }

  /// A step tells of an entry, the end of its folder, and a failure.
  static var repliesPerStep: Int { 4 }
}
