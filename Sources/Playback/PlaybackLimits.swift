import Base

/// The player's durations and capacities.
package enum PlaybackLimits {
  /// How far ahead of the playing position frames are requested: the card's own buffer (200 ms unless configured
  /// otherwise), and as much again for delays of two processes and a thread on a busy machine. With more, a change of
  /// the rate or section would be heard later.
  static var aheadMilliseconds: UInt32 { 400 }
  /// The smallest request: an order and its answer, each of which wakes three threads, cost as much for 1 ms as for 100.
  /// What is left meanwhile, 300 ms, is more than the card holds.
  static var leastRequestMilliseconds: UInt32 { 100 }
  /// With so much ahead of the playing position, nobody waits for what was requested: the loop finds it when it feeds the
  /// card, which it does each 50 ms, and is not woken for it.
  static var calmMilliseconds: UInt32 { 200 }
  /// How far below the tone that of standby is: a tenth of its amplitude, heard beside it as a sign of life.
  static var standbyDecibels: Double { 20 }
  /// How much filler (silence, or the tone alone) the card is given ahead: four exchanges, so that a late one causes no
  /// underrun and a change of the tone is heard soon.
  static var fillerMilliseconds: UInt32 { 80 }
  /// The same while the microphone is heard through the speaker: two exchanges, because its delay is heard.
  static var monitorMilliseconds: UInt32 { 40 }
  /// What then waits in the sample ring besides: an exchange may come late by half of itself.
  static var monitorReserveMilliseconds: UInt32 { 10 }
  /// How long before a cued start the card begins with silence: the filler, as much again that the last reading can
  /// place, and two more readings of the running card.
  static var cueLeadMilliseconds: UInt32 { 200 }
  /// The shortest section that is looped, in seconds of the item.
  static var shortestSectionSeconds: Double { 0.05 }
  /// An announcement is not taken back when so little is left to decode: the decoder could have gone on meanwhile. An
  /// order waits for a tick and one piece of work.
  static var announcementSeconds: Double { 0.5 }
  /// An item that crashes the decoder again within this time is given up.
  static var crashSeconds: UInt64 { 5 }
  /// The interval at which a missing card is looked for.
  static var speakerRetryNanoseconds: UInt64 { 1_000_000_000 }
  /// How often it is reported what is heard of a stream that is kept in sync: as many looks as its service compares are
  /// then those of 13 s, and each is a packet to a process.
  static var tellingNanoseconds: UInt64 { 100_000_000 }
  /// How far ahead a cued start may be.
  static var longestCueNanoseconds: UInt64 { 86_400_000_000_000 }

  /// How long the decoder may take to open a file, or to decode what was requested, since its last sign of life.
  package static var answerNanoseconds: UInt64 { 2_000_000_000 }
  /// How many reports that a seek is under way prolong the wait for its end: the decoder sends one every 0.4 s, so two
  /// minutes, in which a Raspberry Pi reads 2 GB.
  static var searchReportsPerSeek: Int { 300 }
  /// How long a process may take to start: it loads more than a hundred libraries from a card that may be slow and
  /// busy.
  static var readinessNanoseconds: UInt64 { 10_000_000_000 }
  /// The least time between two restarts of a process that crashes.
  package static var restartNanoseconds: UInt64 { 250_000_000 }
  /// The capacity of the queue from the loop to the worker.
  package static var requestCapacity: Int { 32 }
  /// The capacity of the queue from the worker to the loop.
  package static var reportCapacity: Int { 96 }
  /// The capacity of the play queue, in items.
  package static var queueCapacity: Int { 500 }
  /// How many marks a process may send between two `filled` messages.
  static var marksPerFill: Int { 48 }

  /// A duration in frames of `format`.
  static func frames(milliseconds: UInt32, _ format: AudioFormat) -> Int {
    Int(UInt64(format.sampleRateHz) * UInt64(milliseconds) / 1000)
  }

  /// The smallest PCM ring: what is requested ahead, and as much again.
  package static func leastRingByteCount(_ format: AudioFormat) -> Int {
    2 * frames(milliseconds: aheadMilliseconds, format) * format.bytesPerFrame
  }
}
