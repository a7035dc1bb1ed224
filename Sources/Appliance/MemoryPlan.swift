import Configuration
import Console
import Imaging
import Media
import Rings
import Takes
import Text

/// What is cut from memory at boot, how much of it and why.
public struct MemoryPlan: Sendable {
  /// How much of the past the rings can hold: the pre-roll, a stall of the card and a margin.
  let ringSeconds: Int
  let audio: AudioFormat
  let video: VideoFormat
  let audioRingByteCount: Int
  let pictureRingByteCount: Int
  let pictureRingCapacity: Int

  /// - Parameters:
  ///   - audio: what the card agreed to, or what is asked of it.
  ///   - video: likewise for the camera; nil where there are to be no pictures.
  init(settings: Settings, audio: AudioFormat, video: VideoFormat?) {
    let seconds = Int(settings.record.prerollSeconds + settings.record.stallSeconds) + Limits.ringMarginSeconds
    let video = video ?? .none
    ringSeconds = seconds
    self.audio = audio
    self.video = video
    audioRingByteCount = seconds * Int(audio.sampleRateHz) * audio.bytesPerFrame
    let picturesPerSecond = Int(video.frameRate.framesPerSecond.rounded(.up))
    pictureRingCapacity = max(seconds * picturesPerSecond, 1)
    let averagePicture = Int(video.widthPixels) * Int(video.heightPixels) / Limits.pixelsPerPictureByte
    pictureRingByteCount = pictureRingCapacity * averagePicture + 2 * JPEGEncoder.maximumByteCount(format: video)
  }

  /// The whole: every piece that ``Appliance`` cuts.
  public var byteCount: Int {
    ringsByteCount + JPEGEncoder.byteCount(format: video) + EncoderCounters.byteCount + CameraBuffers.byteCount
      + BootMemory.footprint(byteCount: TakeLimits.copyByteCount)
      + BootMemory.footprint(byteCount: ConsoleSession.outputByteCount)
      + Timeline.byteCount + TakeProgress.byteCount + queuesByteCount
  }

  private var ringsByteCount: Int {
    SampleRing.byteCount(capacityBytes: audioRingByteCount)
      + PacketRing<PictureHeader>.byteCount(capacityPackets: pictureRingCapacity, capacityBytes: pictureRingByteCount)
  }

  private var queuesByteCount: Int {
    Queue<RawPicture>.byteCount(capacity: Limits.cameraBuffers)
      + Queue<UInt16>.byteCount(capacity: Limits.cameraBuffers)
      + Queue<TakeOrder>.byteCount(capacity: Limits.storageQueue)
      + Queue<TakeReport>.byteCount(capacity: Limits.storageQueue)
  }

  /// The arithmetic, for the boot message.
  var line: FixedText<256> {
    let audioMegabytes = Double(audioRingByteCount) / 1e6
    let videoMegabytes = Double(pictureRingByteCount) / 1e6
    let whole = Double(byteCount) / 1e6
    return """
      memory \(whole, decimals: 1) MB: rings of \(ringSeconds) s hold \(audioMegabytes, decimals: 1) MB of sound \
      (\(audio.sampleRateHz) Hz x \(audio.bytesPerFrame) bytes) and \(videoMegabytes, decimals: 1) MB of pictures \
      (\(pictureRingCapacity) x \(averagePictureKilobytes, decimals: 1) kB)
      """
  }

  private var averagePictureKilobytes: Double {
    Double(pictureRingByteCount) / Double(pictureRingCapacity) / 1e3
  }
}

extension VideoFormat {
  /// No pictures at all: they need no memory.
  static var none: VideoFormat {
    VideoFormat(
      widthPixels: 0, heightPixels: 0, pixelFormat: .mjpeg, bytesPerRow: 0, frameRate: FrameRate(frames: 0))
  }
}
