import Base

/// Six plucked strings, after Karplus and Strong (1983): noise circulates in a delay line of one period and is averaged
/// each time round, so that its high partials decay first.
package struct PluckedStrings: ~Copyable {
  private var memory: FixedBuffer
  private var voices: StringVoices

  /// - Parameter sampleRateHz: 8,000…192,000.
  /// - Returns: nil if `memory` has too little left.
  package init?(sampleRateHz: UInt32, in memory: inout BootMemory) {
    voices = StringVoices(sampleRateHz: Int(sampleRateHz))
    let byteCount = GuitarLimits.strings * voices.lineCapacity * MemoryLayout<Float>.stride
    guard let buffer = FixedBuffer(byteCount: byteCount, in: &memory) else { return nil }
    self.memory = buffer
  }

  /// Whether anything can be heard.
  package var isSounding: Bool { voices.framesLeft > 0 }

  /// Strikes a shape's strings one after another, lowest first. Strings that still sound are cut off.
  package mutating func strum(_ shape: ChordShape, _ tuning: Tuning) {
    var voices = voices
    var bytes = memory.mutableBytes
    // Safe: every bit pattern is a Float, and the buffer is aligned to a cache line.
    var lines = unsafe bytes._unsafeMutableView(as: Float.self)
    voices.strum(shape, tuning, &lines)
    self.voices = voices
  }

  /// Fades the strings out at once, as a hand on them does.
  package mutating func release() {
    voices.framesLeft = min(voices.framesLeft, voices.sampleRateHz * GuitarLimits.ringFadeMilliseconds / 1000)
  }

  /// Silences the strings at once.
  package mutating func damp() { voices.framesLeft = 0 }

  /// Adds the next frames to the first frames of `samples`.
  package mutating func render(frameCount: Int, into samples: inout MutableSpan<Float>) {
    guard isSounding else { return }
    var voices = voices
    var bytes = memory.mutableBytes
    // Safe: as above.
    var lines = unsafe bytes._unsafeMutableView(as: Float.self)
    voices.render(frameCount, into: &samples, &lines)
    self.voices = voices
  }
}

/// The strings of ``PluckedStrings`` without their delay lines.
private struct StringVoices: BitwiseCopyable {
  let sampleRateHz: Int
  private var strings = InlineArray<6, PluckedString>(repeating: PluckedString())
  /// Frames until all strings are silent.
  var framesLeft = 0
  /// The state of the noise: every pluck sounds a little different.
  private var noise: UInt32 = 1

  init(sampleRateHz: Int) { self.sampleRateHz = sampleRateHz }

  /// The length of one string's delay line, in samples.
  var lineCapacity: Int { sampleRateHz / GuitarLimits.lowestStringHertz + 2 }

  mutating func strum(_ shape: ChordShape, _ tuning: Tuning, _ lines: inout MutableSpan<Float>) {
    var delay = 0
    for string in strings.indices {
      strings[string] = PluckedString()
      guard shape.frets[string] >= 0 else { continue }
      let hertz = Self.hertz(ofNote: tuning.note(string, fret: Int(shape.frets[string])))
      strings[string] = PluckedString(
        hertz: hertz, sampleRateHz: sampleRateHz, start: string * lineCapacity, capacity: lineCapacity, delay: delay)
      strings[string].pluck(&lines, &noise)
      delay += sampleRateHz * GuitarLimits.strumMilliseconds / 1000
    }
    framesLeft = delay == 0 ? 0 : sampleRateHz * GuitarLimits.ringMilliseconds / 1000
  }

  mutating func render(_ frameCount: Int, into samples: inout MutableSpan<Float>, _ lines: inout MutableSpan<Float>) {
    let count = min(framesLeft, frameCount)
    let fadeFrames = sampleRateHz * GuitarLimits.ringFadeMilliseconds / 1000
    for index in 0..<count {
      var sum: Float = 0
      for string in strings.indices { sum += strings[string].next(&lines) }
      let left = framesLeft - index
      samples[index] += left < fadeFrames ? sum * Float(left) / Float(fadeFrames) : sum
    }
    framesLeft -= count
  }

  /// The frequency in equal temperament, A4 = 440 Hz.
  /// - Parameter note: a MIDI number.
  private static func hertz(ofNote note: Int) -> Double {
    // The twelfth root of two.
    let semitone = 1.059_463_094_359_295_3
    var hertz = 440.0
    for _ in 0..<abs(note - 69) { hertz *= note > 69 ? semitone : 1 / semitone }
    return hertz
  }
}

extension GuitarLimits {
  /// The lowest frequency of a string: a fourth below that of a bass guitar. Tunings stay within half an octave of
  /// EADGBE, where the lowest is 58 Hz.
  static var lowestStringHertz: Int { 30 }

  /// The time between the strings of a strum.
  static var strumMilliseconds: Int { 22 }

  /// How long a chord rings: a real one has been damped by then.
  static var ringMilliseconds: Int { 4000 }

  /// The fade-out at its end.
  static var ringFadeMilliseconds: Int { 200 }

  /// The time in which the fundamental of a string falls by 60 dB.
  static var stringDecaySeconds: Double { 4 }

  /// Keeps six strings together below full scale.
  static var stringLevel: Float { 0.15 }
}

/// One string. Its delay line is a part of the memory of ``PluckedStrings``.
struct PluckedString: BitwiseCopyable {
  private var start = 0
  /// The length of the delay line; 0 for a string that is not struck.
  private var length = 0
  private var place = 0
  /// Frames until the string is struck.
  private var delay = 0
  private var loss: Float = 0
  /// The coefficient of the all-pass filter, which provides the fractional part of the delay.
  private var coefficient: Float = 0
  private var lastOut: Float = 0
  private var lastFiltered: Float = 0
  private var lastPassed: Float = 0

  /// A silent string.
  init() {}

  init(hertz: Double, sampleRateHz: Int, start: Int, capacity: Int, delay: Int) {
    // The averaging delays by half a sample, the all-pass by 0.1 to 1.1.
    let period = Double(sampleRateHz) / hertz - 0.5
    length = min(Int(period - 0.1), capacity)
    let rest = period - Double(length)
    coefficient = Float((1 - rest) / (1 + rest))
    // The series of exp(-6.9078 / turns), the decay to a thousandth in `turns`, for an exponent below 0.05.
    let exponent = 6.907_755 / (hertz * GuitarLimits.stringDecaySeconds)
    loss = Float(1 - exponent + exponent * exponent / 2 - exponent * exponent * exponent / 6)
    self.start = start
    self.delay = delay
  }

  /// Fills the line with noise as a pick leaves the string: without the partials that have a node where it strikes, a
  /// seventh of the length from the bridge, and without a mean, which would not decay.
  func pluck(_ lines: inout MutableSpan<Float>, _ noise: inout UInt32) {
    for index in start..<start + length {
      noise = noise &* 1_664_525 &+ 1_013_904_223
      lines[index] = Float(Int32(bitPattern: noise)) / 0x1p31
    }
    let distance = max(1, length / 7)
    var sum: Float = 0
    for index in (start..<start + length).reversed() {
      if index - distance >= start { lines[index] -= lines[index - distance] }
      sum += lines[index]
    }
    let mean = sum / Float(max(1, length))
    for index in start..<start + length { lines[index] = (lines[index] - mean) * GuitarLimits.stringLevel }
  }

  mutating func next(_ lines: inout MutableSpan<Float>) -> Float {
    guard length > 0 else { return 0 }
    guard delay == 0 else {
      delay -= 1
      return 0
    }
    let out = lines[start + place]
    let filtered = loss * 0.5 * (out + lastOut)
    let passed = coefficient * (filtered - lastPassed) + lastFiltered
    lastOut = out
    lastFiltered = filtered
    lastPassed = passed
    lines[start + place] = passed
    place = place + 1 == length ? 0 : place + 1
    return out
  }
}
