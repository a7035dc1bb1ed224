/// How a command on the console refers to a take or a still.
package enum TakeChoice: BitwiseCopyable, Equatable, Sendable {
  /// Such as `video/20261121/021005-0001.mov`.
  case path(FixedText<128>)
  /// The NNNN of its file's name.
  case number(UInt32)
  /// The name that a person gave it; if several have it, the one with the highest number.
  case name(FixedText<64>)
  /// The one with the highest number.
  case newest
}

/// What is done with one take or still.
package enum TakeAction: BitwiseCopyable, Equatable, Sendable {
  /// Protects it from removal, or lifts the protection.
  case protect(Bool)
  /// Checks it against its seals.
  case verify
  /// Names it; an empty name removes its name; nil reports it.
  case name(FixedText<64>?)
  /// Moves it into the bin.
  case delete
  /// Moves it back to where it was.
  case undelete
  /// Copies it into an existing folder, given by absolute path.
  case export(FixedText<128>)
}

/// The device's UUID (RFC 9562), created at first boot and written into every take.
package struct DeviceIdentity: BitwiseCopyable, Equatable, Sendable {
  /// The first 64 bits: everything before the third hyphen of the text.
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
