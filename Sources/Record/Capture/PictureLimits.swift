import Base

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

  /// So often the samples are looked at. Of memory that is not cached, as that of a camera's buffers can be, a byte takes
  /// some 200 ns: 512 of them four times a second are 0.4 ms a second, and at most 0.1 ms of a tick of 5 ms.
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
