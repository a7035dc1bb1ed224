/// Every bound of the loop, with the arithmetic that justifies it.
public enum Limits {
  /// A tick takes at most this much sound: a tenth of a second at 192 kHz. At 48 kHz that is 80 ticks' worth, so a loop
  /// that was held up for 400 ms has caught up one tick later.
  public static var audioFramesPerTick: Int { 19_200 }

  /// A tick takes at most this many pictures: a camera of 120 a second fills fewer in 20 ms, the longest tick.
  public static var picturesPerTick: Int { 4 }

  /// Sound, pictures and the console's bytes are taken this often, and not on each tick: the card and the camera stamp
  /// what they have, so nothing is timed less well for it, and most of a tick's system calls are saved. A camera of 120
  /// pictures a second fills 3 of its 6 buffers meanwhile, and a console of 115,200 baud 230 of the driver's 4,096 bytes.
  public static var exchangeMilliseconds: UInt64 { 20 }

  /// Buffers that a camera may have; the queues to and from the encoder hold them all.
  public static var cameraBuffers: Int { 8 }

  /// Buffers of the camera's kind for zoomed pictures: the machine's encoder reads one while the next is written.
  static var spareBuffers: Int { 2 }

  /// Orders and reports between loop and storage worker. A take needs two or three of each; a card that stalls holds back
  /// twenty presses before a further one is refused.
  public static var storageQueue: Int { 64 }

  /// Questions to the library that it has not taken: eight that are answered, and as many again of takes that began or
  /// ended meanwhile.
  public static var libraryQuestions: Int { 16 }

  /// Answers of the library that the loop has not taken. Its worker goes on at each ``libraryMilliseconds`` while it has
  /// something to answer: a list of 10,000 files takes a second, if the console takes it as fast.
  public static var libraryAnswers: Int { 64 }

  /// A library in the middle of an answer looks after this long whether the loop has taken some of it: a tick.
  public static var libraryMilliseconds: UInt64 { 5 }

  /// Stills on their way to the card. Through a stall of ten seconds a finger orders one after each long press of 0.8 s;
  /// their JPEGs fit ``MemoryPlan`` as often as they are ordinary pictures.
  public static var stills: Int { 16 }

  /// A still's picture comes within two periods of the slowest camera, which is one a second.
  public static var stillPictureMilliseconds: UInt64 { 2500 }

  /// Whoever asked for a still waits this long for the card: a stall of 10 s, and the second that the rings' margin is.
  public static var stillAnswerMilliseconds: UInt64 { 11_000 }

  /// The storage worker looks after this long what the rings hold: ten times a fragment. It is not woken at each picture
  /// and each period of sound, which would be 80 times a second.
  public static var storageWakeMilliseconds: UInt64 { 50 }

  /// A stopping appliance waits this long for the storage worker to complete the last take: a stalled card's 10 s and
  /// the tables of a day-long take.
  public static var finishingSeconds: UInt64 { 120 }

  /// Between two presses of one button that the console plays, as a finger would leave it: longer than the longest
  /// bounce of a simulated contact and the debouncing after it.
  public static var fingerMilliseconds: UInt64 { 60 }

  /// What is left to say at the end is offered to the console for this long: 32 KiB take 2.9 s at 115,200 baud.
  public static var goodbyeMilliseconds: UInt64 { 3000 }

  /// Pictures for the live views where the frame ring holds none that they can decode: the newest, and the one before,
  /// which a view may be copying, and the one that is being made.
  public static var viewPictures: Int { 3 }

  /// From one such picture to the next while somebody looks: a processor of a Raspberry Pi 4 takes about 30 ms for one
  /// of 1080p, so it keeps one of four busy for a third of the time.
  public static var viewPictureMilliseconds: UInt64 { 100 }

  /// Likewise while nobody looks: so old is at most what `preview` draws.
  public static var unwatchedPictureMilliseconds: UInt64 { 1000 }

  /// Lines of the display's process that the console has not said: more than ``ToldLines`` lets through.
  public static var viewNews: Int { 32 }

  /// What a display's process says is taken this many lines at a time: a socket's buffer holds some hundreds.
  static var viewLinesPerLook: Int { 64 }

  /// The display's process is started again after 1, 2, 4 … seconds, and at last once a minute: a person who plugs a
  /// display in waits no longer, and a program that cannot run costs nothing that could be measured.
  static var viewLongestRestSeconds: UInt64 { 60 }

  /// A display's process that has run, or been silent, for so long is well: what it says next is news.
  static var viewQuietNanoseconds: UInt64 { 60_000_000_000 }

  /// Beyond pre-roll and stall: the second by which a press is backdated (``TakeLimits/backdatingSeconds``), and one for
  /// the stretch that is being written when a stall begins.
  public static var ringMarginSeconds: Int { 2 }

  /// Pixels for each byte of an average JPEG picture: foliage and water at quality 85, the worst that nature has, take
  /// about a quarter of a byte a pixel.
  public static var pixelsPerPictureByte: Int { 4 }

  /// A terminal that can tell what it is does so in a few milliseconds; over a slow network in a few hundred.
  public static var terminalAnswerMilliseconds: UInt64 { 300 }

  /// From one picture of a live preview to the next, besides what drawing and sending take.
  public static var livePreviewMilliseconds: UInt64 { 60 }

  /// For what is told while a live preview goes on.
  public static var rowsBelowLivePreview: Int { 6 }

  /// A terminal that has pixels but does not say how many has at least a font of this size.
  public static var leastCellWidthPixels: Int { 6 }

  /// As ``leastCellWidthPixels``.
  public static var leastCellHeightPixels: Int { 12 }
}
