/// The limits of the calculator's history, with their reasons.
package enum HistoryLimits {
  /// The newest so many are kept: a hundred a day for three months. At 60 bytes each, both files hold 1.2 MB at most.
  package static var calculations: Int { 10_000 }

  /// Bytes of a piece of a file that is read in a step: a hundred lines.
  package static var pieceByteCount: Int { 8192 }

  /// A step reports the lines for which there is space, and its end.
  static var reportsPerStep: Int { 2 }

  /// While a take is being recorded a step that reads or writes is followed by this rest: the card is for the take. An
  /// import of 10,000 lines then takes 10 s.
  static var restNanoseconds: UInt64 { 100_000_000 }
}
