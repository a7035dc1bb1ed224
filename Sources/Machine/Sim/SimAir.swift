import Base
import Synchronization

/// How the simulated microphone hears the simulated speaker.
package struct SimEcho: BitwiseCopyable, Sendable {
  /// The delay, 0…1,000.
  package var milliseconds: UInt32
  /// The gain in decibels; negative is quieter.
  package var decibels: Double

  package init(milliseconds: UInt32, decibels: Double) {
    self.milliseconds = milliseconds
    self.decibels = decibels
  }
}

/// The air between speaker and microphone: the newest sound of the speaker, indexed by the ticks of its crystal.
///
/// A handle: copies refer to the same air.
@safe struct SimAir: BitwiseCopyable, Sendable {
  fileprivate struct Place: ~Copyable {
    /// One past the newest tick that was or will be played.
    let end = Atomic<UInt64>(0)
    let sampleRateHz = Atomic<UInt64>(0)
  }

  /// 0.7 s at 192 kHz: more than the largest buffers of speaker and microphone.
  private static var capacity: Int { 1 << 17 }

  // Safe: boot memory outlives every thread. The loop writes and reads the samples; only the counts are also set by the
  // worker that has the speaker, and the loop does not write meanwhile.
  private nonisolated(unsafe) let place: UnsafeMutablePointer<Place>
  private nonisolated(unsafe) let samples: UnsafeMutableRawBufferPointer
  private let echo: SimEcho
  private let factor: Double
  private let worldStart: Instant
  private let speakerPartsPerMillion: Int32

  /// The air between the simulated speaker and microphone; nil if the settings configure no echo.
  /// - Throws: if `memory` is used up.
  static func between(
    _ settings: SimSettings, world: SimWorld, in memory: inout BootMemory
  ) throws(DeviceFailure) -> SimAir? {
    guard let echo = settings.echo else { return nil }
    guard
      let air = SimAir(
        echo, worldStart: world.start, speakerPartsPerMillion: settings.speakerPartsPerMillion, in: &memory)
    else { throw .memoryRefused(byteCount: memory.refusedByteCount ?? 0) }
    return air
  }

  /// - Returns: nil if `memory` is used up.
  private init?(_ echo: SimEcho, worldStart: Instant, speakerPartsPerMillion: Int32, in memory: inout BootMemory) {
    guard let place = unsafe memory.place(Place()),
      let samples = unsafe memory.cut(byteCount: Self.capacity * MemoryLayout<Int16>.stride)
    else { return nil }
    unsafe self.place = place
    unsafe self.samples = samples
    self.echo = echo
    self.worldStart = worldStart
    self.speakerPartsPerMillion = speakerPartsPerMillion
    factor = SimAir.factor(decibels: echo.decibels)
  }

  /// 10^(dB / 20), from 2^(dB / 6.02).
  private static func factor(decibels: Double) -> Double {
    var factor = 1.0
    var rest = decibels
    while rest <= -6.020_599_913 {
      factor /= 2
      rest += 6.020_599_913
    }
    while rest >= 6.020_599_913 {
      factor *= 2
      rest -= 6.020_599_913
    }
    // Taylor series of the rest, whose exponent is below 0.7.
    let exponent = rest * 0.115_129_254_649_702_28
    var (term, sum) = (1.0, 1.0)
    for order in 1...12 {
      term *= exponent / Double(order)
      sum += term
    }
    return factor * sum
  }

  /// Call when the speaker has been opened.
  func begin(sampleRateHz: UInt32) {
    unsafe place.pointee.sampleRateHz.store(UInt64(sampleRateHz), ordering: .relaxed)
    unsafe place.pointee.end.store(0, ordering: .releasing)
  }

  /// Adds frames that are played from a tick; any gap before it is silent.
  func append(_ frames: RawSpan, _ format: AudioFormat, atTick tick: UInt64) {
    let count = frames.byteCount / format.bytesPerFrame
    var next = unsafe place.pointee.end.load(ordering: .relaxed)
    next = max(next, tick > UInt64(Self.capacity) ? tick - UInt64(Self.capacity) : 0)
    while next < tick {
      store(0, atTick: next)
      next += 1
    }
    for frame in 0..<count {
      let sample = format.sampleFormat.fraction(at: frame * format.bytesPerFrame, in: frames)
      store(Int16(min(max(sample, -1), 1) * 32_767), atTick: tick + UInt64(frame))
    }
    unsafe place.pointee.end.store(tick + UInt64(count), ordering: .releasing)
  }

  /// Moves the newest frames `delay` ticks later; if the memory is too small for that, they are not heard.
  @export(interface)
  func move(_ ticks: Range<UInt64>, by delay: UInt64) {
    guard delay + UInt64(ticks.count) <= Self.capacity else { return drop(fromTick: ticks.lowerBound) }
    for tick in ticks.reversed() { store(sample(ofTick: tick), atTick: tick + delay) }
    for tick in ticks.lowerBound..<ticks.lowerBound + delay { store(0, atTick: tick) }
    unsafe place.pointee.end.store(ticks.upperBound + delay, ordering: .releasing)
  }

  /// Drops what was to be played from a tick.
  func drop(fromTick tick: UInt64) {
    guard unsafe tick < place.pointee.end.load(ordering: .relaxed) else { return }
    unsafe place.pointee.end.store(tick, ordering: .releasing)
  }

  /// The sound at an instant, in 24-bit steps.
  func sample(at instant: Instant) -> Int32 {
    let end = unsafe place.pointee.end.load(ordering: .acquiring)
    let rate = unsafe UInt32(truncatingIfNeeded: place.pointee.sampleRateHz.load(ordering: .relaxed))
    guard end > 0, instant >= worldStart + UInt64(echo.milliseconds) * 1_000_000 else { return 0 }
    let timeline = SimTimeline(start: worldStart, ticks: rate, partsPerMillion: speakerPartsPerMillion)
    let tick = timeline.lastTick(at: instant.earlier(by: UInt64(echo.milliseconds) * 1_000_000))
    guard tick < end, tick + UInt64(Self.capacity) >= end else { return 0 }
    return Int32(Double(sample(ofTick: tick)) * 256 * factor)
  }

  private func offset(ofTick tick: UInt64) -> Int {
    Int(tick % UInt64(Self.capacity)) * MemoryLayout<Int16>.stride
  }

  // Safe: any two bytes are a number, and the place is within the memory.
  private func sample(ofTick tick: UInt64) -> Int16 {
    unsafe samples.load(fromByteOffset: offset(ofTick: tick), as: Int16.self)
  }

  private func store(_ sample: Int16, atTick tick: UInt64) {
    unsafe samples.storeBytes(of: sample, toByteOffset: offset(ofTick: tick), as: Int16.self)
  }
}
