import Base

/// The player's durations and capacities.
package enum PlaybackLimits {
  /// How far ahead of the playing position frames are requested: the card's own buffer (200 ms unless configured
  /// otherwise), 100 ms for the latency of two processes and a thread on a busy machine, and the smallest request. More
  /// would delay a change of the rate or section.
  static var aheadMilliseconds: UInt32 { 500 }
  /// The smallest request: an order and its answer each wake three threads, which costs as much for 1 ms as for 200.
  /// The 300 ms that are left at that point are more than the card holds.
  static var leastRequestMilliseconds: UInt32 { 200 }
  /// With at least this much ahead of the playing position, the loop need not be woken for requested frames: it finds
  /// them when it feeds the card, every 50 ms.
  static var calmMilliseconds: UInt32 { 200 }
  /// How far the standby tone is below the tone: a tenth of its amplitude, still audible as a sign of life.
  static var standbyDecibels: Double { 20 }
  /// How much filler (silence, or the tone alone) the card is given ahead: four exchanges, so that a late one causes no
  /// underrun and a change of the tone is heard soon.
  static var fillerMilliseconds: UInt32 { 80 }
  /// The same while the microphone is heard through the speaker: only two exchanges, because their delay is audible.
  static var monitorMilliseconds: UInt32 { 40 }
  /// The additional reserve in the sample ring: an exchange may be late by half its interval.
  static var monitorReserveMilliseconds: UInt32 { 10 }
  /// How long before a cued start the card begins with silence: the filler, as much again that the last reading can
  /// place, and two more readings of the running card.
  static var cueLeadMilliseconds: UInt32 { 200 }
  /// The shortest section that is looped, in seconds of the item.
  static var shortestSectionSeconds: Double { 0.05 }
  /// An announcement is not taken back if less than this is left to decode, because the decoder may already have gone
  /// on: an order waits for a tick and one step of work.
  static var announcementSeconds: Double { 0.5 }
  /// An item that crashes the decoder again within this time is given up.
  static var crashSeconds: UInt64 { 5 }
  /// The interval at which a missing card is probed.
  static var speakerRetryNanoseconds: UInt64 { 1_000_000_000 }
  /// How often the heard position of a synchronized stream is reported: the readings that its service compares then
  /// span 13 s. Each report is a packet to a process.
  static var tellingNanoseconds: UInt64 { 100_000_000 }
  /// The longest time ahead that a cued start may be.
  static var longestCueNanoseconds: UInt64 { 86_400_000_000_000 }

  /// How long the decoder may take to open a file or decode the requested frames, since its last sign of life.
  package static var answerNanoseconds: UInt64 { 2_000_000_000 }
  /// How many reports of a seek under way extend its timeout: the decoder sends one every 0.4 s, so two minutes, in
  /// which a Raspberry Pi reads 2 GB.
  static var searchReportsPerSeek: Int { 300 }
  /// How long a process may take to start: it loads more than a hundred libraries from a card that may be slow and
  /// busy.
  static var readinessNanoseconds: UInt64 { 10_000_000_000 }
  /// The shortest interval between two restarts of a crashing process.
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

  /// The smallest PCM ring: the frames requested ahead, and as much again.
  package static func leastRingByteCount(_ format: AudioFormat) -> Int {
    2 * frames(milliseconds: aheadMilliseconds, format) * format.bytesPerFrame
  }
}
