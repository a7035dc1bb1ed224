import Base
import Configuration
import Machine
import Media
import Playback
import Record
import Wire

/// The sizes of the rings, with their derivation. Everything else sizes itself when it is allocated.
package struct MemoryPlan: Sendable {
  /// The capacity of the rings: the pre-roll, a stall of the card and a margin.
  let ringSeconds: Int
  let audio: AudioFormat
  let video: VideoFormat
  let encoderCount: Int
  /// Whether a hardware encoder fills the picture ring, so that the live views need their own JPEGs.
  let isCodedByMachine: Bool
  let audioRingByteCount: Int
  /// The ring of the played sound, for network listeners.
  let sharedRingByteCount: Int
  let pictureRingByteCount: Int
  let pictureRingCapacity: Int
  /// One still of the largest size on its way to the card, and as many bytes of ordinary ones before it.
  let stillRingByteCount: Int

  /// - Parameters:
  ///   - audio: the format of the card, or the requested one.
  ///   - video: the format of the camera, or the requested one; nil if there are no pictures.
  ///   - encoderCount: how many pictures are encoded at the same time.
  ///   - isCodedByMachine: whether a hardware encoder is used.
  init(settings: Settings, audio: AudioFormat, video: VideoFormat?, encoderCount: Int, isCodedByMachine: Bool = false) {
    let seconds = settings.ringSeconds
    let video = video ?? .none
    ringSeconds = seconds
    self.audio = audio
    self.video = video
    self.encoderCount = encoderCount
    self.isCodedByMachine = isCodedByMachine
    audioRingByteCount = seconds * Int(audio.sampleRateHz) * audio.bytesPerFrame
    let picturesPerSecond = Int(video.frameRate.framesPerSecond.rounded(.up))
    sharedRingByteCount = Self.sharedRingByteCount(settings, audio)
    pictureRingCapacity = max(seconds * picturesPerSecond, 1)
    pictureRingByteCount = Self.ringByteCount(of: pictureRingCapacity, video)
    stillRingByteCount = 2 * StillCoder.maximumByteCount(format: video)
  }

  /// In the speaker's format or the microphone's; minimal if nobody can listen or nothing can be played.
  private static func sharedRingByteCount(_ settings: Settings, _ audio: AudioFormat) -> Int {
    guard settings.canShare else { return 4096 }
    let speaker = settings.playerSpeakerRequest
    var widest = AudioFormat(
      sampleRateHz: speaker.sampleRateHz, channelCount: speaker.channelCount,
      sampleFormat: speaker.sampleFormat ?? .float32)
    let delay = UInt32(settings.monitor.snapcastBufferMilliseconds)
    let own = SharedCard.ringByteCount(widest, delayMilliseconds: delay)
    widest.channelCount = audio.channelCount
    widest.sampleFormat = audio.sampleFormat
    return max(own, SharedCard.ringByteCount(widest, delayMilliseconds: delay))
  }

  /// The bytes of `count` ordinary pictures, and two of the largest size, as a packet ring needs.
  private static func ringByteCount(of count: Int, _ video: VideoFormat) -> Int {
    count * averagePictureByteCount(video) + 2 * PictureCoder.maximumByteCount(format: video)
  }

  /// The size of an ordinary picture.
  static func averagePictureByteCount(_ video: VideoFormat) -> Int {
    Int(video.widthPixels) * Int(video.heightPixels) / Limits.pixelsPerPictureByte
  }

  /// The memory that the live views read: the status around the picture, the pictures, which are in the take's ring
  /// itself if it holds JPEGs, and the sample ring.
  var viewLayout: ViewLayout {
    let capacity = isCodedByMachine ? Limits.viewPictures : pictureRingCapacity
    return ViewLayout(
      capacityPackets: capacity, capacityBytes: Self.ringByteCount(of: capacity, video),
      widthPixels: Int(video.widthPixels), heightPixels: Int(video.heightPixels), soundBytes: audioRingByteCount,
      sharedBytes: sharedRingByteCount)
  }

  var viewSetup: ViewSetup {
    ViewSetup(byteCount: viewLayout.byteCount, widthPixels: video.widthPixels, heightPixels: video.heightPixels)
  }

  /// The buffers for drawing previews on the console.
  var preview: PreviewPlan { PreviewPlan(format: video) }

  /// The plan as a line for the boot message.
  /// - Parameter usedByteCount: bytes used of the recorder's own memory, which excludes ``viewLayout``.
  func line(usedByteCount: Int) -> FixedText<256> {
    let audioMegabytes = Double(audioRingByteCount) / 1e6
    let videoMegabytes = Double(pictureRingByteCount) / 1e6
    let whole = Double(usedByteCount + viewLayout.byteCount) / 1e6
    return """
      memory \(whole, decimals: 1) MB: rings of \(ringSeconds) s hold \(audioMegabytes, decimals: 1) MB of sound \
      (\(grouped: audio.sampleRateHz) Hz x \(audio.bytesPerFrame) bytes) and \(videoMegabytes, decimals: 1) MB of pictures \
      (\(grouped: pictureRingCapacity) x \(averagePictureKilobytes, decimals: 1) kB)
      """
  }

  private var averagePictureKilobytes: Double {
    Double(pictureRingByteCount) / Double(pictureRingCapacity) / 1e3
  }
}

extension VideoFormat {
  /// No pictures, and no memory for them.
  static var none: VideoFormat {
    VideoFormat(widthPixels: 0, heightPixels: 0, pixelFormat: .mjpeg, bytesPerRow: 0, frameRate: FrameRate(frames: 0))
  }
}

extension Limits {
  /// The margin beyond pre-roll and stall: the second by which a press is backdated (``TakeLimits/backdatingSeconds``),
  /// and one for the fragment that is being written when a stall begins.
  package static var ringMarginSeconds: Int { 2 }

  /// How long pictures and sound wait for each other if `[video] offset_milliseconds` shifts the pictures: 1 s at most.
  static var offsetSeconds: Int { 1 }

  /// Pixels per byte of an average JPEG picture: foliage and water at quality 85, the worst natural subjects, take
  /// about a quarter of a byte a pixel.
  package static var pixelsPerPictureByte: Int { 4 }
}
