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

/// A generator of linear timecode in the simulated world, with a crystal of its own.
package struct SimTimecode: Sendable {
  package var rate: TimecodeRate
  /// The frame at the world's start, counted from midnight.
  package var number: Int
  /// How much faster than the world its crystal is.
  package var partsPerMillion: Double
  /// Its peak; full scale is 1.
  package var peak: Double
  /// When it is connected, in nanoseconds since the world's start.
  package var nanoseconds: Range<UInt64>

  package init(
    rate: TimecodeRate, number: Int, partsPerMillion: Double = 0, peak: Double = 0.2, nanoseconds: Range<UInt64>
  ) {
    self.rate = rate
    self.number = number
    self.partsPerMillion = partsPerMillion
    self.peak = peak
    self.nanoseconds = nanoseconds
  }

  /// Full scale is 1.
  func sample(atNanoseconds time: UInt64) -> Double {
    guard nanoseconds.contains(time) else { return 0 }
    let frames = Double(time) / 1e9 * rate.hertz * (1 + partsPerMillion / 1e6)
    let whole = frames.rounded(.down)
    let wave = TimecodeWave(Timecode(number: number + Int(whole), rate), rate)
    return wave.isHigh(inHalf: Int((frames - whole) * 160)) ? peak : -peak
  }
}
