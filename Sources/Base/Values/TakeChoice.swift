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

/// The device's UUID (RFC 9562), created at first boot and written into every take.
package struct DeviceIdentity: BitwiseCopyable, Equatable, Sendable {
  /// The first 64 bits: those before the third hyphen of the text.
  package var high: UInt64
  package var low: UInt64

  package init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }

  /// A version 4 UUID from 128 random bits: RFC 9562, clause 5.4 fixes the version and variant bits.
  package init(randomHigh: UInt64, randomLow: UInt64) {
    high = randomHigh & ~0xF000 | 0x4000
    low = randomLow & ~(0b11 << 62) | 0b10 << 62
  }
}
