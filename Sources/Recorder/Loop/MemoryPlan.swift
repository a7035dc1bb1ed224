import Configuration
import Encode
import Imaging
import Port
import Preview
import Stills
import Text
import Values
import Viewing

/// How large the rings are, and why. Everything else takes what it needs when it is cut.
public struct MemoryPlan: Sendable {
  /// How much of the past the rings can hold: the pre-roll, a stall of the card and a margin.
  let ringSeconds: Int
  let audio: AudioFormat
  let video: VideoFormat
  let encoderCount: Int
  /// Whether the machine's encoder fills the frame ring, so that the live views need JPEGs of their own.
  let isCodedByMachine: Bool
  let audioRingByteCount: Int
  let pictureRingByteCount: Int
  let pictureRingCapacity: Int
  /// One still of the largest size on its way to the card, and as many bytes of ordinary ones before it.
  let stillRingByteCount: Int

  /// - Parameters:
  ///   - audio: what the card agreed to, or what is asked of it.
  ///   - video: likewise for the camera; nil where there are to be no pictures.
  ///   - encoderCount: how many pictures are encoded at the same time.
  ///   - isCodedByMachine: whether the machine has an encoder for them.
  init(
    settings: Settings, audio: AudioFormat, video: VideoFormat?, encoderCount: Int, isCodedByMachine: Bool = false
  ) {
    let seconds = Int(settings.record.prerollSeconds + settings.record.stallSeconds) + Limits.ringMarginSeconds
    let video = video ?? .none
    ringSeconds = seconds
    self.audio = audio
    self.video = video
    self.encoderCount = encoderCount
    self.isCodedByMachine = isCodedByMachine
    audioRingByteCount = seconds * Int(audio.sampleRateHz) * audio.bytesPerFrame
    let picturesPerSecond = Int(video.frameRate.framesPerSecond.rounded(.up))
    pictureRingCapacity = max(seconds * picturesPerSecond, 1)
    pictureRingByteCount = Self.ringByteCount(of: pictureRingCapacity, video)
    stillRingByteCount = 2 * StillCoder.maximumByteCount(format: video)
  }

  /// So many ordinary pictures, and two of the largest size, as a ring of packets needs.
  private static func ringByteCount(of count: Int, _ video: VideoFormat) -> Int {
    let averagePicture = Int(video.widthPixels) * Int(video.heightPixels) / Limits.pixelsPerPictureByte
    return count * averagePicture + 2 * PictureCoder.maximumByteCount(format: video)
  }

  /// What the live views read: pictures, which are the frame ring itself where it holds JPEGs, and what is shown around
  /// them.
  var viewLayout: ViewLayout {
    let capacity = isCodedByMachine ? Limits.viewPictures : pictureRingCapacity
    return ViewLayout(
      capacityPackets: capacity, capacityBytes: Self.ringByteCount(of: capacity, video),
      widthPixels: Int(video.widthPixels), heightPixels: Int(video.heightPixels))
  }

  var viewSetup: ViewSetup {
    ViewSetup(byteCount: viewLayout.byteCount, widthPixels: video.widthPixels, heightPixels: video.heightPixels)
  }

  /// For drawing what the camera sees on the console.
  var preview: PreviewPlan { PreviewPlan(format: video) }

  /// The arithmetic, for the boot message.
  /// - Parameter usedByteCount: of the recorder's own memory: all but ``viewLayout``.
  func line(usedByteCount: Int) -> FixedText<256> {
    let audioMegabytes = Double(audioRingByteCount) / 1e6
    let videoMegabytes = Double(pictureRingByteCount) / 1e6
    let whole = Double(usedByteCount + viewLayout.byteCount) / 1e6
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
