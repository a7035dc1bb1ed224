import Encode
import Configuration
import Console
import Imaging
import Library
import Values
import Playback
import Preview
import Rings
import Stills
import Takes
import Text
import Viewing

/// What is cut from memory at boot, how much of it and why.
public struct MemoryPlan: Sendable {
  /// How much of the past the rings can hold: the pre-roll, a stall of the card and a margin.
  let ringSeconds: Int
  let audio: AudioFormat
  let video: VideoFormat
  let encoderCount: Int
  /// Whether the machine's encoder fills the frame ring, so that the live views need JPEGs of their own.
  let isCodedByMachine: Bool
  let speaker: AudioFormat
  let queueCapacity: Int
  let libraryByteCount: Int
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
  ///   - speaker: the format of the card, and of all that is decoded for it.
  ///   - libraryByteCount: what the library's worker takes.
  init(
    settings: Settings, audio: AudioFormat, video: VideoFormat?, encoderCount: Int, isCodedByMachine: Bool = false,
    speaker: AudioFormat, libraryByteCount: Int
  ) {
    let seconds = Int(settings.record.prerollSeconds + settings.record.stallSeconds) + Limits.ringMarginSeconds
    let video = video ?? .none
    ringSeconds = seconds
    self.audio = audio
    self.encoderCount = encoderCount
    self.isCodedByMachine = isCodedByMachine
    self.speaker = speaker
    self.libraryByteCount = libraryByteCount
    queueCapacity = Int(settings.player.queueCapacity)
    self.video = video
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

  /// Every piece that ``Appliance`` cuts of its own memory: all but ``viewLayout``.
  public var byteCount: Int {
    SampleRing.byteCount(capacityBytes: audioRingByteCount)
      + EncoderPool.byteCount(count: encoderCount, format: video) + EncoderCounters.byteCount + CodecStatus.byteCount
      + CameraBuffers.byteCount
      + BootMemory.footprint(byteCount: TakeLimits.copyByteCount)
      + BootMemory.footprint(byteCount: ConsoleSession.byteCount)
      + Timeline.byteCount + TakeProgress.byteCount + queuesByteCount + playerByteCount + stillsByteCount
      + previewByteCount + machineCodingByteCount
  }

  private var machineCodingByteCount: Int {
    guard isCodedByMachine else { return 0 }
    return ViewFeed.byteCount(format: video) + PictureZoomer.byteCount(from: video)
      + PacketRing<PictureHeader>.byteCount(capacityPackets: pictureRingCapacity, capacityBytes: pictureRingByteCount)
  }

  /// For drawing what the camera sees on the console.
  var preview: PreviewPlan { PreviewPlan(format: video) }

  private var previewByteCount: Int {
    preview.byteCount + Queue<PreviewRequest>.byteCount(capacity: 1) + Queue<PreviewAnswer>.byteCount(capacity: 1)
  }

  private var stillsByteCount: Int {
    StillCoder.byteCount(format: video) + Queue<StillPicture>.byteCount(capacity: 1)
      + Queue<StillReceipt>.byteCount(capacity: 1) + Queue<StillReport>.byteCount(capacity: Limits.stills)
      + PacketRing<StillHeader>.byteCount(capacityPackets: Limits.stills, capacityBytes: stillRingByteCount)
  }

  private var playerByteCount: Int {
    Player.byteCount(format: speaker, queueCapacity: queueCapacity)
      + Queue<DecoderRequest>.byteCount(capacity: PlaybackLimits.requestCapacity)
      + Queue<DecoderReport>.byteCount(capacity: PlaybackLimits.reportCapacity)
      + Queue<LibraryQuestion>.byteCount(capacity: Limits.libraryQuestions)
      + Queue<LibraryAnswer>.byteCount(capacity: Limits.libraryAnswers)
      + LibraryProgress.byteCount + LibraryTime.byteCount + libraryByteCount
  }

  private var queuesByteCount: Int {
    Queue<RawPicture>.byteCount(capacity: Limits.cameraBuffers)
      + Queue<UInt16>.byteCount(capacity: Limits.cameraBuffers)
      + Queue<FixedText<256>>.byteCount(capacity: Limits.viewNews)
      + Queue<TakeOrder>.byteCount(capacity: Limits.storageQueue)
      + Queue<TakeReport>.byteCount(capacity: Limits.storageQueue)
  }

  /// The arithmetic, for the boot message.
  var line: FixedText<256> {
    let audioMegabytes = Double(audioRingByteCount) / 1e6
    let videoMegabytes = Double(pictureRingByteCount) / 1e6
    let whole = Double(byteCount + viewLayout.byteCount) / 1e6
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
