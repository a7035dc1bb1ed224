import Configuration
import Imaging
import Media
import Rings
import Takes

/// What is cut from memory at boot, how much of it and why.
public struct MemoryPlan: Sendable {
  /// How much of the past the rings can hold: the pre-roll, a stall of the card and a margin.
  public let ringSeconds: Int
  public let audioRingByteCount: Int
  public let pictureRingByteCount: Int
  public let pictureRingCapacity: Int
  public let encoderArenaByteCount: Int
  /// The whole.
  public let byteCount: Int

  /// - Parameters:
  ///   - audio: what the card agreed to, or what is asked of it when it opens later; nil without a microphone.
  ///   - video: likewise for the camera.
  public init(settings: Settings, audio: AudioFormat?, video: VideoFormat?) {
    let seconds = Int(settings.record.prerollSeconds + settings.record.stallSeconds) + Limits.ringMarginSeconds
    ringSeconds = seconds
    audioRingByteCount = audio.map { seconds * Int($0.sampleRateHz) * $0.bytesPerFrame } ?? 0
    pictureRingCapacity = video.map { seconds * Self.picturesPerSecond($0.frameRate) } ?? 1
    pictureRingByteCount = video.map { Self.pictureRingByteCount($0, pictureCount: seconds * Self.picturesPerSecond($0.frameRate)) } ?? 0
    encoderArenaByteCount = video.map { JPEGEncoder.arenaByteCount(for: $0) } ?? 0
    byteCount =
      SampleRing.byteCount(capacityBytes: audioRingByteCount)
      + PacketRing<PictureHeader>.byteCount(capacityPackets: pictureRingCapacity, capacityBytes: pictureRingByteCount)
      + BootMemory.footprint(byteCount: encoderArenaByteCount)
      + BootMemory.footprint(byteCount: TakeLimits.copyByteCount) + Limits.smallPartsByteCount
  }

  private static func picturesPerSecond(_ rate: FrameRate) -> Int {
    Int((rate.frames + rate.seconds - 1) / max(rate.seconds, 1))
  }

  private static func pictureRingByteCount(_ video: VideoFormat, pictureCount: Int) -> Int {
    let pixels = Int(video.widthPixels) * Int(video.heightPixels)
    let average = pixels / Limits.pixelsPerPictureByte
    return pictureCount * average + EncoderWorker.maximumPictureByteCount(for: video)
  }
}
