import Base
import Media

/// A microphone's sound on its way through a ``SoundProcessor``. What the limiter still holds is delivered before a gap
/// or a failure is reported, so that every sample keeps its place.
@safe struct ProcessedSound {
  fileprivate struct State: ~Copyable {
    var processor: SoundProcessor
    /// What the card has reported, until the frames before it are delivered.
    var postponed = Postponed.nothing
    /// When the frame after the last one read was sampled.
    var end: Instant = 0
  }

  fileprivate enum Postponed {
    case nothing
    case gap(MicrophoneRead)
    case failure(DeviceFailure)
  }

  // Safe: boot memory outlives every thread, and only who has the microphone calls.
  private let state: UnsafeMutablePointer<State>

  /// - Returns: nil if nothing is to be done.
  /// - Throws: if `memory` is used up.
  init?(_ processing: SoundProcessing, wanted: SampleFormat?, in memory: inout BootMemory) throws(DeviceFailure) {
    if processing.isNone { return nil }
    guard let processor = SoundProcessor(processing, wanted: wanted, in: &memory),
      let place = unsafe memory.place(State(processor: processor))
    else { throw .memoryRefused(byteCount: memory.refusedByteCount ?? 0) }
    unsafe state = place
  }

  var stitchedDecibels: Double? { unsafe state.pointee.processor.stitchedDecibels }

  /// Starts anew with a card that has just been opened.
  /// - Returns: the format of what ``read(into:from:)`` delivers.
  func start(_ card: AudioFormat) -> AudioFormat {
    unsafe state.pointee.postponed = .nothing
    return unsafe state.pointee.processor.start(card)
  }

  /// Fills `buffer` as far as the card has frames.
  func read(
    into buffer: inout MutableRawSpan,
    from readCard: (inout MutableRawSpan) throws(DeviceFailure) -> MicrophoneRead
  ) throws(DeviceFailure) -> MicrophoneRead {
    unsafe try state.pointee.read(into: &buffer, from: readCard)
  }
}

extension ProcessedSound.State {
  mutating func read(
    into buffer: inout MutableRawSpan,
    from readCard: (inout MutableRawSpan) throws(DeviceFailure) -> MicrophoneRead
  ) throws(DeviceFailure) -> MicrophoneRead {
    if let report = try deliverPostponed(into: &buffer) { return report }
    let capacity = buffer.byteCount / processor.output.bytesPerFrame
    var count = 0
    while count < capacity {
      let wanted = min(capacity - count, SoundProcessor.chunkFrames)
      do throws(DeviceFailure) {
        let read = try processor.fillChunk(frameCount: wanted, readCard)
        guard read.lostFrameCount == 0, !read.hasStopped else {
          postponed = .gap(read)
          break
        }
        if read.frameCount > 0 || end == 0 { end = read.endInstant }
        count += processor.process(read.frameCount, into: &buffer, at: count)
        if read.frameCount < wanted { break }
      } catch {
        postponed = .failure(error)
        break
      }
    }
    guard count == 0, let report = try deliverPostponed(into: &buffer) else { return delivered(count) }
    return report
  }

  /// - Returns: nil if nothing is postponed.
  private mutating func deliverPostponed(into buffer: inout MutableRawSpan) throws(DeviceFailure) -> MicrophoneRead? {
    if case .nothing = postponed { return nil }
    if processor.waitingCount > 0 { return delivered(processor.drain(into: &buffer, at: 0)) }
    defer { postponed = .nothing }
    switch postponed {
    case .nothing: return nil
    case .gap(let read): return read
    case .failure(let failure): throw failure
    }
  }

  private func delivered(_ frameCount: Int) -> MicrophoneRead {
    let heldNanoseconds = UInt64(processor.waitingCount) * 1_000_000_000 / UInt64(processor.output.sampleRateHz)
    return MicrophoneRead(frameCount: frameCount, lostFrameCount: 0, endInstant: end.earlier(by: heldNanoseconds))
  }
}
