import Base

/// Pictures that are certainly not intended.
package enum PictureTrouble: UInt8, Sendable {
  /// The picture is completely black: the camera is covered, or its sensor is dead.
  case black
  /// The camera delivers the same picture repeatedly.
  case frozen
}

/// Detects from samples of its pictures a camera that is covered or repeats one picture.
struct PictureWatch {
  private var format: VideoFormat?
  private var nextLook: Instant = 0
  private var lastDigest: UInt64?
  /// Since when the samples have been identical.
  private var sameSince: Instant = 0
  /// Since when the pictures have been black; nil while they are not.
  private var blackSince: Instant?
  private var lastLook: Instant = 0

  /// The trouble that has lasted for ``PictureLimits/patienceMilliseconds``.
  var trouble: PictureTrouble? { trouble(lastingNanoseconds: PictureLimits.patienceMilliseconds * 1_000_000) }

  /// The trouble that has lasted for `nanoseconds`, as of the newest look.
  func trouble(lastingNanoseconds nanoseconds: UInt64) -> PictureTrouble? {
    guard lastDigest != nil else { return nil }
    if let blackSince, lastLook.distance(since: blackSince) >= nanoseconds { return .black }
    return lastLook.distance(since: sameSince) >= nanoseconds ? .frozen : nil
  }

  /// Sets the format of the pictures that follow, from a camera that was just opened; nil keeps the format.
  mutating func start(_ format: VideoFormat? = nil) {
    self.format = format ?? self.format
    nextLook = 0
    lastDigest = nil
    blackSince = nil
  }

  /// Examines a picture, a few times a second. Truncated pictures are skipped.
  mutating func see(_ picture: RawSpan, at instant: Instant) {
    guard instant >= nextLook, let format, let look = PictureLook(picture, format) else { return }
    nextLook = instant + PictureLimits.lookMilliseconds * 1_000_000
    if look.digest != lastDigest { sameSince = instant }
    lastDigest = look.digest
    blackSince = look.isBlack ? blackSince ?? instant : nil
    lastLook = instant
  }
}

/// Samples of a picture: of its luma, or of a JPEG's bytes.
private struct PictureLook {
  /// Of the samples. Sensor noise changes it from picture to picture.
  private(set) var digest: UInt64
  /// Always false for a JPEG.
  private(set) var isBlack = false

  /// - Returns: nil for a picture with fewer bytes than its format requires.
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

/// The limits for handling a camera that is lost or whose pictures are certainly not intended.
enum PictureLimits {
  /// The longest time from a picture's exposure to its arrival: a second of exposure, twice, for its readout and a driver's
  /// own processing.
  static var mostLatencyNanoseconds: UInt64 { 2_000_000_000 }

  /// How much later a stand-in is made than a picture of its instant would arrive: a camera that is back delivers
  /// within its readout, 33 ms at 30 pictures a second, and the loop takes that every 20 ms. The storage worker waits
  /// 250 ms for late pictures.
  static var standInDelayNanoseconds: UInt64 { 60_000_000 }

  /// How long a camera must be black or frozen before it is reported: with a look each quarter of a second, the loop's
  /// 20 ms and the picture's latency, the report comes within 5 s. No sensor repeats itself for this long: its noise
  /// changes some of the samples from picture to picture, unless all of them are clipped.
  static var patienceMilliseconds: UInt64 { 4_500 }

  /// The interval between looks. In uncached memory, as a camera's buffers may be, a byte takes some 200 ns: 512 of
  /// them four times a second take 0.4 ms a second, and at most 0.1 ms of a 5 ms tick.
  static var lookMilliseconds: UInt64 { 250 }

  /// The samples per picture: enough that a change in one two-hundredth of the picture is hit by two and a half of them
  /// on average, and missed in all 18 looks with a probability of e^(-2.5 · 18).
  static var sampleCount: Int { 512 }

  /// A sample up to this much above black is dark: six times a sensor's noise deviation of two levels. A street at
  /// night is brighter wherever there is any light at all.
  static var darkLevels: Int { 12 }

  /// How many brighter samples may be hot pixels, which are rarer than one in a thousand. A lamp in a hundredth of the
  /// picture is hit by five.
  static var hotSampleCount: Int { 2 }

  /// The place of a sample: evenly spaced down the picture, and across it by the golden ratio (40,503 / 65,536), so
  /// that no grid in the picture falls between the samples.
  static func place(ofSample index: Int, in size: FrameSize) -> (column: Int, row: Int) {
    let across = (index * 40_503) & 0xFFFF
    return (column: (across * Int(size.widthPixels)) >> 16, row: index * Int(size.heightPixels) / sampleCount)
  }
}
