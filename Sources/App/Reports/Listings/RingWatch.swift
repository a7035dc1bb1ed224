import Base
import Catalog
import Console
import Media
import Playback
import Record

/// What `rings` tells of, in its order.
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

  /// Also for programs.
  var name: StaticString {
    switch self {
    case .sound: "sound"
    case .pictures: "pictures"
    case .livePictures: "live pictures"
    case .stills: "stills"
    case .toEncoder: "to the encoder"
    case .toStorage: "to the card"
    case .fromStorage: "from the card"
    case .toDecoder: "to the decoder"
    case .fromDecoder: "from the decoder"
    case .decodedSound: "decoded sound"
    case .toLibrary: "to the library"
    case .fromLibrary: "from the library"
    case .toRetention: "to retention"
    case .fromRetention: "from retention"
    case .ledger: "ledger"
    case .events: "events"
    case .output: "console"
    }
  }
}

/// How full the rings and queues are, and the fullest they were.
struct RingWatch {
  let samples: SampleRingTap
  /// The live views' ring if it is not the take's.
  let livePictures: PacketRingTap<PictureHeader>?
  let stills: PacketRingTap<StillHeader>
  private(set) var highestPercents = InlineArray<17, Int>(repeating: 0)

  init(
    samples: SampleRingTap, livePictures: PacketRingTap<PictureHeader>?, stills: PacketRingTap<StillHeader>
  ) {
    precondition(highestPercents.count == RingKind.count, "a ring is not watched")
    self.samples = samples
    self.livePictures = livePictures
    self.stills = stills
  }

  mutating func follow(_ kind: RingKind, _ level: RingLevel) {
    highestPercents[kind.rawValue] = max(highestPercents[kind.rawValue], level.percent)
  }
}

extension Services {
  /// At each exchange: what is fuller only for a moment between two of them is not seen.
  mutating func followRings() {
    for number in 0..<RingKind.count {
      if let kind = RingKind(rawValue: number), let level = level(of: kind) { rings.follow(kind, level) }
    }
  }

  /// - Returns: nil for one that is not there.
  func level(of kind: RingKind) -> RingLevel? {
    switch kind {
    case .sound: rings.samples.level
    case .pictures: recording.pictures.level
    case .livePictures: rings.livePictures?.level
    case .stills: rings.stills.level
    case .toEncoder: recording.capture.video.queueLevel
    case .toStorage: recording.recorder.orderLevel
    case .fromStorage: recording.recorder.reportLevel
    case .toDecoder: playback.player.requestLevel
    case .fromDecoder: playback.player.reportLevel
    case .decodedSound: playback.player.soundLevel
    case .toLibrary: library.questions.level
    case .fromLibrary: library.answers.level
    case .toRetention: retention.orders.level
    case .fromRetention: retention.reports.level
    case .ledger: recording.ledger.level
    case .events: console.eventLevel
    case .output: console.outputLevel
    }
  }

  /// `rings`.
  mutating func listRings(_ form: StatusForm) {
    var writer = ListingWriter(form)
    writer.beginRows(
      "rings", "ring                 holds   full   most      fits        bytes       s    lost", &console)
    for number in 0..<RingKind.count {
      guard let kind = RingKind(rawValue: number), let level = level(of: kind) else { continue }
      writer.beginRow()
      writer.cell("name", .word(kind.name), columns: 17, console)
      writer.cell("items", .count(level.itemCount), columns: 9, console)
      writer.cell("percent", .count(level.percent), columns: 7, console)
      writer.cell("highest_percent", .count(rings.highestPercents[number]), columns: 7, console)
      writer.cell("capacity_items", .count(level.capacity), columns: 10, console)
      writer.cell("capacity_bytes", .count(level.byteCount), columns: 13, console)
      writer.cell("seconds", seconds(kind, level), columns: 8, console)
      writer.cell("lost", lostCount(kind), columns: 8, console)
      writer.endRow(&console)
    }
    writer.endRows()
    writer.end(&console)
  }

  /// For how long the ring lasts.
  private func seconds(_ kind: RingKind, _ level: RingLevel) -> ListedValue {
    switch kind {
    case .sound: return .decimal(Double(level.capacity) / Double(recording.capture.timelineRateHz), decimals: 1)
    case .pictures:
      guard let rate = recording.capture.videoFormat?.frameRate.framesPerSecond, rate > 0 else { return .none }
      return .decimal(Double(level.capacity) / rate, decimals: 1)
    case .decodedSound: return .decimal(Double(level.capacity) / Double(playback.player.soundRateHz), decimals: 1)
    default: return .none
    }
  }

  /// Stretches of sound, pictures and lines; nothing is lost where somebody waits for space.
  private func lostCount(_ kind: RingKind) -> ListedValue {
    switch kind {
    case .sound: .count(recording.captureLosses.overrunCount)
    case .pictures: .count(recording.encoderCounters.droppedPictureCount)
    case .events: .count(console.totalLostLineCount)
    default: .none
    }
  }
}
