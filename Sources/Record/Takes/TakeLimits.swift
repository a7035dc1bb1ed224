import Configuration
import Media

/// The limits of the storage worker, with their reasons.
package enum TakeLimits {
  /// How long a late picture may delay a fragment. With half a second for the fragment and a quarter for two flushes of
  /// a slow card, a power cut loses less than one second.
  package static var latePictureMilliseconds: UInt64 { 250 }

  /// The interval at which the storage worker checks again while a picture or the card is late.
  static var waitMilliseconds: UInt64 { 50 }

  /// The same while nothing is late: it only releases what is older than the pre-roll, and the rings hold seconds more.
  static var releaseMilliseconds: UInt64 { 2000 }

  /// Data newer than this is not written yet: a press that ends the take counts from its first contact, but is known
  /// only after debouncing and a tick. A second tick allows for a late one: 20 + 2 × 5 = 30 unless configured.
  package static func settlingMilliseconds(debounceMilliseconds: UInt64, tickMilliseconds: UInt64) -> UInt64 {
    debounceMilliseconds + 2 * tickMilliseconds
  }

  /// A take that continues an interrupted one may itself be continued once it has lasted this long: what crashes at
  /// boot does so within that time.
  package static var resumedSeconds: UInt64 { 10 }

  /// After this many consecutive takes that continued an interrupted one and did not last, the next boot waits for a
  /// press: recording itself may be crashing the recorder.
  package static var shortResumptions: UInt64 { 3 }

  /// How much more than the pre-roll the rings hold, so that it can start with a keyframe. Encoders are asked for one a
  /// second. If keyframes are rarer, the pre-roll starts at its first one: more history here would leave less of the
  /// ring for a stall of the card.
  package static var keyframeSeconds: UInt64 { 2 }

  /// How long a button that is down limits writing to what came before the press; its release is known only after
  /// debouncing, which is added. A longer press ends the take that much later, but a power cut during the press still
  /// loses less than a second.
  package static var pressMilliseconds: UInt64 { 300 }

  /// How much more than the pre-roll the rings hold: a short press is recognised at its release, up to 820 ms after its
  /// first contact, and the take starts a full pre-roll before that contact.
  package static var backdatingSeconds: UInt64 { 1 }

  /// By how much a take may begin before the last file of the one before: its pre-roll, which reaches back from the
  /// first contact of the press, and perhaps to the keyframe before; and a started second.
  static func overlapSeconds(_ prerollSeconds: UInt32) -> Int64 {
    Int64(prerollSeconds) + Int64(backdatingSeconds + keyframeSeconds) + 1
  }

  /// How long a take waits for its first picture before it starts with sound alone; cameras take this long to start.
  package static var firstPictureMilliseconds: UInt64 { 1000 }

  /// Space that must stay free beyond the next fragment, whatever is configured: many times what the journal, the
  /// folders and the file system's tables need.
  package static var leastReserveByteCount: UInt64 { 4_194_304 }

  /// No device makes this many takes: a larger number is damage, and would overflow.
  static var mostNumber: UInt32 { 999_999_999 }

  /// Space that the end of a take needs besides ``OpenTake/tableByteCount``: 65,536 for the ledger in the take; 2,048
  /// for the journal, 1,024 for the last lines and hashes of the ledger beside it, 4,096 for a movie's boxes, and a
  /// started block for each of these, of 4,096 to 16,384 bytes: at most 65,536 more. A card with larger blocks gives up
  /// the first for the journal, and regains it when that is written.
  static var spareByteCount: UInt64 { 131_072 }

  /// Free space needed to start a take: with less it would end within seconds.
  /// - Parameter reserveByteCount: the space that stays free.
  package static func firstByteCount(reserveByteCount: UInt64) -> UInt64 { reserveByteCount + leastReserveByteCount }

  /// How soon a failed write is retried: a fifth of a fragment. Retries go on for half the time that the rings can
  /// hold, which leaves the other half to write the backlog.
  package static var retryMilliseconds: UInt64 { 100 }

  /// Space reserved in a ledger for its last lines, which tell how many entries had no room and why the take ended, of
  /// 96 bytes each at most; for the entry with the loudness before them; for the line with the rate; and for the two
  /// seals.
  static var ledgerReserveByteCount: UInt64 {
    UInt64(2 * 96 + 192 + LedgerFile.sealByteCount + RestSeal.lineByteCount)
  }

  /// The most that a finished file contains besides its fragments and their tables: its ledger and boxes.
  static var closingByteCount: UInt64 { UInt64(LedgerCoding.codedByteCount + MovieLimits.headerByteCount) }

  /// The interval at which the measured sample rate is written into the ledger of an open take.
  static var ledgerRateSeconds: UInt64 { 60 }

  /// The interval at which the ledger of an open take is flushed: one flush beside forty for fragments.
  static var ledgerFlushSeconds: UInt64 { 10 }

  /// Capacity for entries on their way to the ledger. A pre-roll of five seconds in which every kind of loss happens
  /// continuously has ten, and a stall of ten seconds twenty more.
  package static var notes: Int { 64 }

  /// Size of one write of byte-swapped sound: a third of a second of 48 kHz stereo.
  package static var copyByteCount: Int { 65_536 }

  /// If the clock is set by less than this, takes keep their dates: names and most metadata have whole seconds.
  package static var clockStepNanoseconds: UInt64 { 2_000_000_000 }

  /// How many takes and stills of a boot can be dated anew: one a minute for 17 hours without a clock.
  static var datedFiles: Int { 1024 }
}

struct SplitRule {
  var maximumByteCount: UInt64
  var maximumFrames: UInt64
  /// The largest size of a finished movie's tables per fragment.
  private static var tableBytesPerFragment: UInt64 { 2_048 }

  /// The time in which a movie close to the largest frame count must find a keyframe at which to end.
  private static var keyframeSeconds: UInt64 { 60 }

  /// - Parameter largestByteCount: the largest file that the card can hold, including its ledger.
  init(_ split: SplitSettings, timelineRateHz: UInt32, layout: TakeLayout, largestByteCount: UInt64) {
    let limit = largestByteCount - min(largestByteCount, TakeLimits.closingByteCount)
    maximumByteCount = split.byteCount == 0 ? limit : min(split.byteCount, limit)
    maximumFrames = split.seconds == 0 ? .max : UInt64(split.seconds) * UInt64(timelineRateHz)
    switch layout {
    case .movie:
      maximumFrames = min(
        maximumFrames, MovieLimits.audioFramesPerMovie - Self.keyframeSeconds * UInt64(timelineRateHz))
    case .audio(let audio):
      maximumByteCount = min(maximumByteCount, audio.container.maximumDataByteCount)
      if audio.container == .flac { maximumFrames = min(maximumFrames, FLACFormat.mostSampleFrames) }
    }
  }

  /// Whether the next span between two possible splits, if as large as the largest so far, might not fit.
  func isDue(byteCount: UInt64, largestSpanByteCount: UInt64, fragmentCount: UInt32, frames: UInt64) -> Bool {
    let growth = growth(largestFragmentByteCount: largestSpanByteCount, fragmentCount: fragmentCount)
    let (needed, isBeyond) = byteCount.addingReportingOverflow(growth)
    return frames >= maximumFrames || isBeyond || needed > maximumByteCount
  }

  /// Size of another fragment, assumed a quarter larger than the largest so far, and of a finished movie's tables.
  func growth(largestFragmentByteCount: UInt64, fragmentCount: UInt32) -> UInt64 {
    let tables = UInt64(fragmentCount + 1) * Self.tableBytesPerFragment
    return largestFragmentByteCount + largestFragmentByteCount / 4 + tables
  }
}
