/// How a take or a still is named on the console.
package enum TakeChoice: BitwiseCopyable, Equatable, Sendable {
  /// `video/20261121/021005-0001.mov`.
  case path(FixedText<128>)
  /// NNNN of its file's name.
  case number(UInt32)
  /// What a person called it; of several the one with the highest number.
  case name(FixedText<64>)
  /// The one with the highest number.
  case newest
}

/// What is done with one take or still.
package enum TakeAction: BitwiseCopyable, Equatable, Sendable {
  /// Marks it as one to be kept, or no longer.
  case protect(Bool)
  /// Compares it with its seals.
  case verify
  /// Gives it a person's name, an empty one: takes that away; nil: tells it.
  case name(FixedText<64>?)
  /// Moves it into the bin.
  case delete
  /// Moves it back to where it was.
  case undelete
  /// Copies it into an existing folder, by its absolute path.
  case export(FixedText<128>)
}
