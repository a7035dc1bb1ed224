import Values

/// How long things take, and how much of each thing there is.
public enum PlaybackLimits {
  /// How far ahead of what is heard frames are asked for: what the card's own buffer holds (200 ms unless configured
  /// otherwise), and as much again for two processes and a thread that a busy machine lets wait. More would make a rate or
  /// a section be heard later, and reads come more than once in a buffer's half second.
  static var aheadMilliseconds: UInt32 { 400 }
  /// The fewest frames that are asked for at once: an order and its answer cost as much for 1 ms as for 50.
  static var leastRequestMilliseconds: UInt32 { 50 }
  /// How much silence, or tone without sound, the card is given ahead: four exchanges, so that one that comes late does
  /// no harm, and a change of the tone is heard soon.
  static var fillerMilliseconds: UInt32 { 80 }
  /// How long before a start at an instant the card begins with silence: the filler, as much again that the last look
  /// can place, and two looks more, at a card that runs.
  static var cueLeadMilliseconds: UInt32 { 200 }
  /// How long a change of the volume takes.
  static var volumeRampMilliseconds: UInt32 { 20 }
  /// How long the tone takes to come and go.
  static var toneRampMilliseconds: UInt32 { 10 }
  /// The shortest section that is looped, in seconds of the item.
  static var shortestSectionSeconds: Double { 0.05 }
  /// How long an item must have sounded since the decoder fell over it, to be tried again when it falls once more.
  static var fallSeconds: UInt64 { 5 }
  /// How often a card that is gone is looked for.
  static var speakerRetryNanoseconds: UInt64 { 1_000_000_000 }
  /// How far ahead a start may be.
  static var longestCueNanoseconds: UInt64 { 86_400_000_000_000 }

  /// How long the decoder may take to open a file, or to fill what was asked.
  public static var answerNanoseconds: UInt64 { 2_000_000_000 }
  /// How long a process may take from its start until it is ready: its libraries, more than a hundred, come from a card
  /// that may be slow and busy.
  static var readinessNanoseconds: UInt64 { 10_000_000_000 }
  /// The least time between two starts of a process that falls.
  public static var restartNanoseconds: UInt64 { 250_000_000 }
  /// How many requests the queue from the loop to the worker should hold.
  public static var requestCapacity: Int { 32 }
  /// How many reports the queue from the worker to the loop should hold.
  public static var reportCapacity: Int { 96 }
  /// How many items a listener may queue.
  public static var queueCapacity: Int { 500 }
  /// Marks that a process may send between two messages that it filled something.
  static var marksPerFill: Int { 48 }

  /// Frames of a time in the rate of `format`.
  static func frames(milliseconds: UInt32, _ format: AudioFormat) -> Int {
    Int(UInt64(format.sampleRateHz) * UInt64(milliseconds) / 1000)
  }

  /// The least that the PCM ring must hold: what is asked for ahead, and as much again.
  public static func leastRingByteCount(_ format: AudioFormat) -> Int {
    2 * frames(milliseconds: aheadMilliseconds, format) * format.bytesPerFrame
  }
}
