import Base
import Catalog
import Console
import Media
import Playback
import Record

/// The rings and queues that `rings` reports, in its order.
enum RingKind: Int {
  case sound
  case pictures
  case livePictures
  case stills
  case toEncoder
  case toStorage
  case fromStorage
  case toDecoder
  case fromDecoder
  case decodedSound
  case toLibrary
  case fromLibrary
  case toRetention
  case fromRetention
  case ledger
  case events
  case output

  static var count: Int { output.rawValue + 1 }

  /// The name in text and machine-readable output.
  var name: StaticString { Self.names[rawValue] }

  private static var names: InlineArray<17, StaticString> {
    [
      "sound", "pictures", "live pictures", "stills", "to the encoder", "to the card", "from the card",
      "to the decoder", "from the decoder", "decoded sound", "to the library", "from the library", "to retention",
      "from retention", "ledger", "events", "console",
    ]
  }
}

/// The levels of the rings and queues, and their high-water marks.
struct RingWatch {
  let samples: SampleRingTap
  /// The live views' ring, unless they share the take's.
  let livePictures: PacketRingTap<PictureHeader>?
  let stills: PacketRingTap<StillHeader>
  private(set) var highestPercents = InlineArray<17, Int>(repeating: 0)

  init(samples: SampleRingTap, livePictures: PacketRingTap<PictureHeader>?, stills: PacketRingTap<StillHeader>) {
    precondition(highestPercents.count == RingKind.count, "a ring is not watched")
    self.samples = samples
    self.livePictures = livePictures
    self.stills = stills
  }

  mutating func follow(_ kind: RingKind, _ level: RingLevel) {
    highestPercents[kind.rawValue] = max(highestPercents[kind.rawValue], level.percent)
  }
}

/// The level of a ring or queue, and its own figures.
struct RingState {
  let level: RingLevel
  /// Items a second; nil if a rate would be meaningless.
  var rate: Double?
  /// Stretches of sound, pictures or lines lost; nil if nothing is ever lost because the producer waits for space.
  var lostCount: UInt64?

  fileprivate init?(_ level: RingLevel?, rate: Double? = nil, lostCount: UInt64? = nil) {
    guard let level else { return nil }
    (self.level, self.rate, self.lostCount) = (level, rate, lostCount)
  }

  fileprivate func report(_ kind: RingKind, highestPercent: Int, _ console: inout ConsoleSession) {
    console.beginRow()
    console.cell("name", .word(kind.name), columns: 17)
    console.cell("items", .count(level.itemCount), columns: 9)
    console.cell("percent", .count(level.percent), columns: 7)
    console.cell("highest_percent", .count(highestPercent), columns: 7)
    console.cell("capacity_items", .count(level.capacity), columns: 10)
    console.cell("capacity_bytes", .count(level.byteCount), columns: 13)
    let seconds = rate.flatMap { $0 > 0 ? Double(level.capacity) / $0 : nil }
    console.cell("seconds", .decimal(seconds, decimals: 1), columns: 8)
    console.cell("lost", .count(lostCount), columns: 8)
    console.endRow()
  }
}

extension Services {
  /// At each exchange: notes the levels. A peak that is over before the next exchange is missed.
  mutating func followRings() {
    for number in 0..<RingKind.count {
      if let kind = RingKind(rawValue: number), let state = state(of: kind) { rings.follow(kind, state.level) }
    }
  }

  /// `rings`.
  mutating func reportRings(_ form: StatusForm) {
    followRings()
    console.beginReport(form)
    console.beginRows("rings", "ring                 holds   full   most      fits        bytes       s    lost")
    for number in 0..<RingKind.count {
      guard let kind = RingKind(rawValue: number), let state = state(of: kind) else { continue }
      // It may have filled since.
      state.report(kind, highestPercent: max(rings.highestPercents[number], state.level.percent), &console)
    }
    console.endRows()
    console.endReport()
  }

  /// - Returns: nil if this recorder does not have the ring.
  func state(of kind: RingKind) -> RingState? {
    switch kind {
    case .sound:
      return RingState(
        rings.samples.level, rate: Double(recording.capture.timelineRateHz),
        lostCount: recording.captureLosses.overrunCount)
    case .pictures:
      return RingState(
        recording.pictures.level, rate: recording.capture.videoFormat?.frameRate.framesPerSecond,
        lostCount: recording.encoderCounters.droppedPictureCount)
    case .livePictures: return RingState(rings.livePictures?.level)
    case .stills: return RingState(rings.stills.level)
    case .toEncoder: return RingState(recording.capture.video.queueLevel)
    case .toStorage: return RingState(recording.recorder.orderLevel)
    case .fromStorage: return RingState(recording.recorder.reportLevel)
    case .toDecoder: return RingState(playback.player.requestLevel)
    case .fromDecoder: return RingState(playback.player.reportLevel)
    case .decodedSound: return RingState(playback.player.soundLevel, rate: Double(playback.player.soundRateHz))
    case .toLibrary: return RingState(library.worker.levels.requests)
    case .fromLibrary: return RingState(library.worker.levels.replies)
    case .toRetention: return RingState(retention.keeper.levels.requests)
    case .fromRetention: return RingState(retention.keeper.levels.replies)
    case .ledger: return RingState(recording.ledger.level)
    case .events: return RingState(console.eventLevel, lostCount: UInt64(console.totalLostLineCount))
    case .output: return RingState(console.outputLevel)
    }
  }
}
