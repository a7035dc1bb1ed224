import Configuration

extension RetentionSettings {
  /// The bin loses its oldest takes until this much is free, even if no other takes are removed: a deleted take must
  /// not end one that is being recorded.
  package var leastFreeBesideBin: UInt64 {
    leastFreeByteCount > 0 ? leastFreeByteCount : KeeperLimits.leastFreeBesideBin
  }
}

/// When a day is old enough to be removed. Days are counted from 1970-01-01.
struct RetentionRule {
  let days: UInt32
  let today: Int64

  /// Whether a day is removed for its age: today and the ``days`` before it are kept.
  func isDue(_ day: Int64) -> Bool { days > 0 && day < today - Int64(days) }

  /// Whether a day may be removed when space runs out. Because of its pre-roll, a take that begins just after midnight
  /// belongs to the previous day, whose folder must not vanish meanwhile.
  func mayGoForSpace(_ day: Int64) -> Bool { day < today - 1 }

  /// Whether a day's folder was named by a clock that was set. A clock that was not starts at 1970 or at 1980.
  static func isPlausible(_ day: Int64) -> Bool { day >= KeeperLimits.firstPlausibleDay }
}

/// The limits of the keeper, with their reasons.
enum KeeperLimits {
  /// 2000-01-01.
  static var firstPlausibleDay: Int64 { 10_957 }

  /// The interval between removals while a take is being recorded: otherwise the card is for the take. Removing
  /// gigabytes can stall a card for a second, and the rings bridge ten.
  static var restNanoseconds: UInt64 { 1_000_000_000 }

  /// How much of a list of copied files is read for each file: 40,000 files of a day.
  static var copyListByteCount: UInt64 { 1 << 20 }

  /// The space kept free while takes are in the bin, unless it is configured: at 100 Mbit/s a take fills 125 MB between
  /// two checks, and StorageSettings.reserveByteCount stays free.
  static var leastFreeBesideBin: UInt64 { 512_000_000 }

  /// The longest list of takes: 32 kB.
  static var listedTakes: Int { 500 }

  /// A copy is flushed after this many bytes: data waiting in memory for a slow disk delays all other writes.
  static var copyFlushByteCount: UInt64 { 8 << 20 }

  /// Space that a copy leaves free, for a file's name and metadata.
  static var copyReserveByteCount: UInt64 { 1 << 20 }

  /// How much of a take is compared with its seal in a step; a whole ledger with its seal fits.
  static var verificationByteCount: Int { 65_536 }

  /// The duration of a comparison step while a take is being recorded: 6.5 MB a second, which cards have to spare.
  static var verificationRestNanoseconds: UInt64 { 10_000_000 }

  /// How often the progress of a comparison is reported.
  static var progressNanoseconds: UInt64 { 250_000_000 }

  /// A take's ledger begins within this many bytes of its end: LedgerCoding.codedByteCount, and the boxes around it.
  static var ledgerTailByteCount: Int { 66_048 }

  /// The most bytes in the two lines before a seal: 256 and 60.
  static var ledgerHeadByteCount: Int { 320 }

  /// A step reports at most an entry, the end of its folder, and a failure.
  static var repliesPerStep: Int { 4 }
}
