/// How much a step of the library's worker does at most.
enum LibraryLimits {
  /// Entries of folders that are looked at: a call of the system for each.
  static var entriesPerStep: Int { 64 }
  /// Places of the index that are looked at for an answer; each may mean folding two texts.
  static var placesPerAnswerStep: Int { 1024 }
  /// Slots of the index that are looked at where that means a comparison of numbers.
  static var slotsPerStep: Int { 4096 }
  /// How long the decoder may take for one file.
  static var probeNanoseconds: UInt64 { 2_000_000_000 }
  /// How long a step waits for the decoder when there is nothing else to do.
  static var pollNanoseconds: UInt64 { 20_000_000 }
  /// Messages of the decoder that answer nothing, before it counts as fallen.
  static var strayMessagesPerProbe: Int { 64 }
}
