/// Every bound of the loop, with the arithmetic that justifies it.
public enum Limits {
  /// A tick takes at most this much sound: a tenth of a second at 192 kHz. At 48 kHz that is 80 ticks' worth, so a loop
  /// that was held up for 400 ms has caught up one tick later.
  public static var audioFramesPerTick: Int { 19_200 }

  /// A tick takes at most this many pictures: more than a camera of 120 a second fills in 20 ms, the longest tick.
  public static var picturesPerTick: Int { 4 }

  /// Buffers that a camera may have; the queues to and from the encoder hold them all.
  public static var cameraBuffers: Int { 8 }

  /// Orders and reports between loop and storage worker: a take needs two of each, and a person presses no faster than
  /// a card that works closes files.
  public static var storageQueue: Int { 16 }

  /// A tick reads at most this much of what is typed: at 115,200 baud 5 ms bring 58 bytes.
  public static var consoleBytesPerTick: Int { 256 }

  /// What is written to the console but not yet accepted: `config` prints about 3 KiB, `help` less.
  public static var consoleOutputByteCount: Int { 16_384 }

  /// A stopping appliance waits this long for the storage worker to complete the last take: a stalled card's 10 s and
  /// the tables of a day-long take.
  public static var finishingSeconds: UInt64 { 120 }

  /// A second beyond pre-roll and stall, in which the loop learns that the storage worker is late.
  public static var ringMarginSeconds: Int { 1 }

  /// Pixels for each byte of an average JPEG picture at quality 85: camera pictures of foliage and water, the worst that
  /// nature has, take about a quarter of a byte a pixel.
  public static var pixelsPerPictureByte: Int { 4 }

  /// Memory of the console, the queues and everything else that is not a ring of sound or pictures.
  public static var smallPartsByteCount: Int { 128 * 1024 }
}
