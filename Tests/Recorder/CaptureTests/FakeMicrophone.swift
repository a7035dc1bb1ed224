import Base
import Machine

/// A card whose frame n holds the number n in 32 bits, and that loses frames on request.
struct FakeMicrophone: MicrophoneDriver, ~Copyable {
  var bufferNanoseconds: UInt64 { 500_000_000 }

  /// Frames sampled since it was opened.
  var sampledFrames: UInt64 = 0
  /// The size of its own buffer; older frames are lost.
  var bufferFrames: UInt64 = .max
  /// Every frame that was lost.
  private(set) var lostFrames: [Range<UInt64>] = []
  /// How many more frames are reported as lost than there were.
  var exaggeration = 0
  private var nextFrame: UInt64 = 0

  mutating func open(_ request: SoundCardRequest) throws(DeviceFailure) -> AudioFormat {
    AudioFormat(sampleRateHz: 48_000, channelCount: 2, sampleFormat: .int16)
  }

  mutating func read(into buffer: inout MutableRawSpan) throws(DeviceFailure) -> MicrophoneRead {
    let waiting = sampledFrames - nextFrame
    if waiting > bufferFrames {
      let lost = nextFrame..<sampledFrames - bufferFrames
      lostFrames.append(lost)
      nextFrame = lost.upperBound
      return MicrophoneRead(frameCount: 0, lostFrameCount: lost.count + exaggeration, endInstant: instant)
    }
    let frameCount = min(Int(waiting), buffer.byteCount / 4)
    for index in 0..<frameCount {
      buffer.storeBytes(of: Self.sample(nextFrame + UInt64(index)), toByteOffset: index * 4, as: UInt32.self)
    }
    nextFrame += UInt64(frameCount)
    return MicrophoneRead(frameCount: frameCount, lostFrameCount: 0, endInstant: instant)
  }

  mutating func restart() throws(DeviceFailure) {}

  mutating func close() {}

  /// Never 0, which stands for silence.
  static func sample(_ frame: UInt64) -> UInt32 { UInt32(frame + 1) }

  private var instant: Instant { 1_000_000_000 + nextFrame * 1_000_000 / 48 }
}
