import Base
import CMath

/// The level of one channel in one band: the RMS of its loudest hundredth of a second, as a call of a bat lasts.
struct BandMeter: BitwiseCopyable, Sendable {
  private var highPass = FilterSection()
  private var lowPass = FilterSection()
  private let blockFrames: Int
  private var energy = 0.0
  private var frameCount = 0
  /// The blocks that are not counted yet, while the filters settle.
  private var unsettledCount = 5
  /// The mean square of the loudest block since ``takeLoudest()``.
  private var loudest = 0.0

  /// - Parameter band: nil for everything that is heard, from 20 Hz on, so that an offset does not count.
  init(_ band: SoundBand?, sampleRateHz: UInt32) {
    let rate = Double(sampleRateHz)
    let (low, high) = (Double(band?.lowHz ?? 20) / rate, band.map { Double($0.highHz) / rate } ?? 0.5)
    highPass = FilterSection(edge: min(low, 0.499), isHighPass: true)
    if high < 0.499 { lowPass = FilterSection(edge: high, isHighPass: false) }
    blockFrames = max(1, Int(sampleRateHz) / 100)
  }

  /// - Parameter offset: the channel's place in a frame.
  @_optimize(speed)
  mutating func hear(_ frames: RawSpan, from offset: Int, _ format: AudioFormat) {
    var offset = offset
    for _ in 0..<frames.byteCount / format.bytesPerFrame {
      let sample = format.sampleFormat.fraction(at: offset, in: frames)
      offset += format.bytesPerFrame
      let output = lowPass.pass(highPass.pass(sample.isFinite ? Double(sample) : 0))
      energy += output * output
      frameCount += 1
      if frameCount == blockFrames { endBlock() }
    }
    highPass.settle()
    lowPass.settle()
  }

  private mutating func endBlock() {
    if unsettledCount > 0 { unsettledCount -= 1 } else { loudest = max(loudest, energy / Double(blockFrames)) }
    energy = 0
    frameCount = 0
  }

  mutating func takeLoudest() -> Double {
    defer { loudest = 0 }
    return loudest
  }
}

/// Asks for the levels of the sound since the last such request.
package struct TriggerRequest: BitwiseCopyable, Sendable {
  /// The microphone's format.
  package var format: AudioFormat
  package var bands: SoundBands

  package init(format: AudioFormat, bands: SoundBands) {
    self.format = format
    self.bands = bands
  }
}

/// The levels in dBFS, -144…0, of the louder of the first two channels: of everything, and then of each band; and
/// motion.
package struct TriggerLevels: BitwiseCopyable, Sendable {
  package static var capacity: Int { 1 + SoundBands.capacity }
  package static var silence: Double { -144 }

  /// The place of motion.
  package static var motion: Int { capacity }

  private var levels = InlineArray<6, Double>(repeating: TriggerLevels.silence)

  /// Silence, and no motion.
  package init() { levels[Self.motion] = 0 }

  /// - Parameter place: 0 for everything; 1 for the first band; ``motion`` in percent.
  package subscript(place: Int) -> Double {
    get { levels[place] }
    set { levels[place] = newValue }
  }
}

/// A ``TunerWorker``'s answer about levels; nil if there was no new sound, or it was overwritten meanwhile.
package typealias TriggerReply = TriggerLevels?

/// Measures the sound in the ring, request after request.
struct TriggerMeter: BitwiseCopyable, Sendable {
  private var meters = InlineArray<10, BandMeter>(repeating: BandMeter(nil, sampleRateHz: 48_000))
  private var format: AudioFormat?
  private var bands = SoundBands()
  private var next: TimelinePosition = 0

  /// Measures what is new, at most a second of it.
  mutating func answer(_ request: TriggerRequest, _ tap: SampleRingTap) -> TriggerReply {
    let (format, end) = (request.format, tap.end)
    guard tap.bytesPerFrame == format.bytesPerFrame else { return nil }
    let earliest = end.earlier(by: UInt64(format.sampleRateHz))
    if self.format != format || bands != request.bands || next < earliest || next > end { begin(request, at: end) }
    guard next < end else { return nil }
    let start = next
    let channelCount = min(Int(format.channelCount), 2)
    while next < end {
      let frames = tap.frames(from: next, to: end)
      for channel in 0..<channelCount {
        let offset = channel * format.sampleFormat.bytesPerSample
        for place in 0...bands.count { meters[2 * place + channel].hear(frames, from: offset, format) }
      }
      next = next + UInt64(frames.byteCount / format.bytesPerFrame)
    }
    guard tap.holds(start) else { return nil }
    var levels = TriggerLevels()
    for place in 0...bands.count {
      let loudest = max(meters[2 * place].takeLoudest(), meters[2 * place + 1].takeLoudest())
      if loudest > 0 { levels[place] = max(10 * log10(loudest), TriggerLevels.silence) }
    }
    return levels
  }

  /// Begins anew, a fifth of a second before the newest sound.
  private mutating func begin(_ request: TriggerRequest, at end: TimelinePosition) {
    format = request.format
    bands = request.bands
    next = end.earlier(by: UInt64(request.format.sampleRateHz / 5))
    for place in 0..<TriggerLevels.capacity {
      let meter = BandMeter(place > 0 ? bands[place - 1] : nil, sampleRateHz: request.format.sampleRateHz)
      meters[2 * place] = meter
      meters[2 * place + 1] = meter
    }
  }
}

/// A band of frequencies: `2000-5000`.
package struct SoundBand: BitwiseCopyable, Equatable, Sendable {
  package let lowHz: UInt32
  package let highHz: UInt32

  /// - Returns: nil if it is not two whole numbers of Hz from 10 to 96,000 with a hyphen between, the lower one first.
  fileprivate init?(_ text: Span<UInt8>) {
    for index in text.indices where text[index] == UInt8(ascii: "-") {
      guard let low = text.extracting(0..<index).parseInteger(as: UInt32.self),
        let high = text.extracting(index + 1..<text.count).parseInteger(as: UInt32.self),
        low >= 10, low < high, high <= 96_000
      else { return nil }
      (lowHz, highHz) = (low, high)
      return
    }
    return nil
  }

  /// `2000-5000 Hz`
  package var name: FixedText<16> { "\(lowHz)-\(highHz) Hz" }
}

/// Up to four bands, as they are configured: `2000-5000, 18000-40000`.
package struct SoundBands: BitwiseCopyable, Sendable {
  package static var capacity: Int { 4 }

  private var bands = InlineArray<4, SoundBand?>(repeating: nil)
  package private(set) var count = 0

  /// No bands.
  package init() {}

  /// - Returns: nil if one of them is not valid, or there are too many.
  @export(interface)
  package init?(_ text: Span<UInt8>) {
    var start = 0
    for index in 0...text.count {
      if index == start, index < text.count, text[index] == UInt8(ascii: " ") { start += 1 }
      guard index == text.count || text[index] == UInt8(ascii: ",") else { continue }
      guard count < Self.capacity, start <= index, let band = SoundBand(text.extracting(start..<index)) else {
        return nil
      }
      bands[count] = band
      count += 1
      start = index + 1
    }
  }

  /// Nil from ``count`` on.
  package subscript(index: Int) -> SoundBand? { bands[index] }

  /// The highest frequency; 0 without bands.
  package var highestHz: UInt32 {
    var highest: UInt32 = 0
    for index in 0..<count { highest = max(highest, bands[index]?.highHz ?? 0) }
    return highest
  }
}

extension SoundBands: Equatable {
  package static func == (first: SoundBands, second: SoundBands) -> Bool {
    for index in 0..<capacity where first.bands[index] != second.bands[index] { return false }
    return true
  }
}
