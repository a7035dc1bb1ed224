import Base

/// A tone in the simulated world, as an animal calls.
package struct SimCall: Sendable {
  package var hertz: UInt32
  /// Its peak; full scale is 1.
  package var peak: Double
  /// When it is heard, in nanoseconds since the world's start.
  package var nanoseconds: Range<UInt64>

  package init(hertz: UInt32, peak: Double, nanoseconds: Range<UInt64>) {
    self.hertz = hertz
    self.peak = peak
    self.nanoseconds = nanoseconds
  }
}

/// What the simulated microphone hears besides noise, clicks and the speaker.
package struct SimCalls: Sendable {
  private var calls = InlineArray<8, SimCall?>(repeating: nil)
  private var count = 0
  /// A cable that brings timecode.
  package var timecode: SimTimecode?

  /// Nothing.
  package init() {}

  /// Adds a call; up to eight.
  package mutating func add(_ call: SimCall) {
    calls[count] = call
    count += 1
  }

  /// In 24-bit steps.
  func sample(atNanoseconds nanoseconds: UInt64) -> Int32 {
    var sum = timecode.map { $0.sample(atNanoseconds: nanoseconds) * 8_388_607 } ?? 0
    for index in 0..<count {
      guard let call = calls[index], call.nanoseconds.contains(nanoseconds) else { continue }
      let turns = Double(call.hertz) * Double(nanoseconds) / 1e9
      sum += call.peak * 8_388_607 * SimSound.cosine(turns: turns - turns.rounded(.down))
    }
    return Int32(sum)
  }
}
