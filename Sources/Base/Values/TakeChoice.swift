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
  /// Removes it for good, as somebody has confirmed who was told that the card has no room for the bin.
  case remove
  /// Moves it back to where it was.
  case undelete
  /// Copies it into an existing folder, given by absolute path.
  case export(FixedText<128>)
  /// Keeps what a person thinks of it; nil calls it false, or takes that back.
  case judge(TakeVerdict?)
  /// Adds a note; an empty one removes the notes that were added.
  case note(TakeRemark)
}

/// What a person adds to a take: with its key it fits into an entry of the ledger.
package typealias TakeRemark = FixedText<88>

/// All notes about a take, separated by `; `.
package typealias TakeRemarks = FixedText<256>

/// What a person thinks of a take.
package enum TakeVerdict: UInt8, BitwiseCopyable, Choice {
  case neither
  /// It is the one to be used.
  case circled
  /// It is not to be used.
  case falseTake

  /// As the ledger has it, after ``key``.
  package var name: StaticString {
    switch self {
    case .neither: "none"
    case .circled: "circled"
    case .falseTake: "false take"
    }
  }

  /// What the ledger's entry begins with.
  package static var key: StaticString { "verdict: " }
}

extension TakeRemarks {
  /// Adds a note to those before; an empty one removes them.
  package mutating func add(remark: Span<UInt8>) {
    guard !remark.isEmpty else { return removeAll() }
    if !isEmpty { append("; ") }
    append(bytes: remark)
  }
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
