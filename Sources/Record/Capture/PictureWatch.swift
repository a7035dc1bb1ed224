import Base

/// Pictures that cannot be meant.
package enum PictureTrouble: UInt8, Sendable {
  /// The camera shows nothing at all: it is covered, or its sensor is dead.
  case black
  /// The camera delivers the same picture again and again.
  case frozen
}

/// Tells a camera that is covered, or that repeats one picture, by some samples of its pictures.
struct PictureWatch {
  private var format: VideoFormat?
  private var nextLook: Instant = 0
  private var lastDigest: UInt64?
  /// Since when the samples have been the same.
  private var sameSince: Instant = 0
  /// Since when the pictures have been black; nil while they are not.
  private var blackSince: Instant?
  private var lastLook: Instant = 0

  init() {}

  /// What has been wrong for ``PictureLimits/patienceMilliseconds``.
  var trouble: PictureTrouble? { trouble(lastingNanoseconds: PictureLimits.patienceMilliseconds * 1_000_000) }

  /// What has been wrong for so long, up to the newest look.
  func trouble(lastingNanoseconds nanoseconds: UInt64) -> PictureTrouble? {
    guard lastDigest != nil else { return nil }
    if let blackSince, lastLook.distance(since: blackSince) >= nanoseconds { return .black }
    return lastLook.distance(since: sameSince) >= nanoseconds ? .frozen : nil
  }

  /// Sets the format of the pictures that follow, which are of a camera that was just opened; nil for the same as
  /// before.
  mutating func start(_ format: VideoFormat? = nil) {
    self.format = format ?? self.format
    nextLook = 0
    lastDigest = nil
    blackSince = nil
  }

  /// Looks at a picture, some of them a second. One that is cut short is skipped.
  mutating func see(_ picture: RawSpan, at instant: Instant) {
    guard instant >= nextLook, let format, let look = PictureLook(picture, format) else { return }
    nextLook = instant + PictureLimits.lookMilliseconds * 1_000_000
    if look.digest != lastDigest { sameSince = instant }
    lastDigest = look.digest
    blackSince = look.isBlack ? blackSince ?? instant : nil
    lastLook = instant
  }
}

/// Some samples of a picture: of luma, or of a JPEG's bytes.
private struct PictureLook {
  /// Of the samples. The noise of a sensor changes it from picture to picture.
  private(set) var digest: UInt64
  /// Always false for a JPEG.
  private(set) var isBlack = false

  /// Nil for a picture with fewer bytes than its format requires.
  init?(_ picture: RawSpan, _ format: VideoFormat) {
    digest = UInt64(picture.byteCount)
    guard format.pixelFormat != .mjpeg else {
      lookAtBytes(of: picture)
      return
    }
    guard !picture.isEmpty, format.widthPixels > 0, format.heightPixels > 0 else { return nil }
    let step = format.pixelFormat == .yuyv ? 2 : 1
    let black = format.colorRange == .limited ? 16 : 0
    var brightCount = 0
    for index in 0..<PictureLimits.sampleCount {
      let place = PictureLimits.place(ofSample: index, in: format.size)
      let offset = place.row * Int(format.bytesPerRow) + place.column * step
      guard offset < picture.byteCount else { return nil }
      let level = picture.byte(at: offset)
      add(level)
      if Int(level) > black + PictureLimits.darkLevels { brightCount += 1 }
    }
    isBlack = brightCount <= PictureLimits.hotSampleCount
  }

  private mutating func lookAtBytes(of jpeg: RawSpan) {
    let count = min(jpeg.byteCount, PictureLimits.sampleCount)
    for index in 0..<count { add(jpeg.byte(at: index * jpeg.byteCount / count)) }
  }

  /// FNV-1a (G. Fowler, L. C. Noll, K.-P. Vo).
  private mutating func add(_ byte: UInt8) { digest = (digest ^ UInt64(byte)) &* 0x100_0000_01B3 }
}

/// The limits of what is done about a camera that is lost, or whose pictures cannot be meant.
enum PictureLimits {
  /// Stand-ins come this much later than a picture of their instant would: a camera that is back delivers within its
  /// readout, 33 ms at 30 a second, and the loop takes that every 20 ms. The storage worker waits 250 ms for late
  /// pictures.
  static var standInDelayNanoseconds: UInt64 { 60_000_000 }

  /// A camera is black, or frozen, once it has been so for this long. With a look each quarter of a second, the loop's
  /// 20 ms and the picture's way it is said within 5 s. No sensor repeats itself for so long: its noise changes some of
  /// the samples from picture to picture, unless all of them are clipped.
  static var patienceMilliseconds: UInt64 { 4_500 }

  /// So often the samples are looked at. Of memory that is not cached, as that of a camera's buffers can be, a byte
  /// takes some 200 ns: 512 of them four times a second are 0.4 ms a second, and at most 0.1 ms of a tick of 5 ms.
  static var lookMilliseconds: UInt64 { 250 }

  /// The samples of a picture: enough that something that changes in a two-hundredth of the picture is met by two and a
  /// half of them, and missed in all 18 looks with a probability of e^(-2.5 · 18).
  static var sampleCount: Int { 512 }

  /// A sample up to this much above black is dark: six times the deviation of a sensor's noise of two levels. A street
  /// at night is brighter where there is any light at all.
  static var darkLevels: Int { 12 }

  /// So many brighter samples may be hot pixels, which are rarer than one in a thousand. A lamp in a hundredth of the
  /// picture is met by five.
  static var hotSampleCount: Int { 2 }

  /// Where a sample is taken: evenly down the picture, and across it by the golden ratio (40,503 / 65,536), so that no
  /// grid in the picture falls between the samples.
  static func place(ofSample index: Int, in size: FrameSize) -> (column: Int, row: Int) {
    let across = (index * 40_503) & 0xFFFF
    return (column: (across * Int(size.widthPixels)) >> 16, row: index * Int(size.heightPixels) / sampleCount)
  }
}
