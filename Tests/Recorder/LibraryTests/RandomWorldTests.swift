import Base
import Catalog
import TestSupport
import Testing
import Wire

@Suite struct RandomWorldTests {
  private static let folders = [
    "music", "music/a", "music/a/b", "music/c", "audio/20260101", "video/20260102", "photo/20260101",
  ]

  @Test(
    "After random changes and crashes, and then a whole pass, the library matches the card",
    arguments: 0..<8 as Range<UInt64>)
  func followsTheCard(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let card = FakeCard()
    let isInStep = seed.isMultiple(of: 2)
    var rig = try LibraryRig(card, capacity: 400, rescanSeconds: 1, isInStep: isInStep)
    var clock: Int64 = 0
    for _ in 0..<250 {
      change(card, &clock, using: &generator)
      // In step, each missing answer costs a wait of two seconds.
      rig.prober.patience = isInStep ? 0 : Int.random(in: 0...2, using: &generator)
      rig.prober.dyingPeriod = Int.random(in: 0...9, using: &generator)
      card.brokenFolders = generator.next() % 4 == 0 ? ["music/a": 2, "music": 1] : [:]
      for _ in 0..<Int.random(in: 0...6, using: &generator) { _ = rig.worker.step() }
      // Short enough for every file to be probed within two seconds.
      rig.pass(seconds: Double.random(in: 0...0.05, using: &generator))
    }
    card.brokenFolders = [:]
    rig.prober.patience = 0
    rig.prober.dyingPeriod = 0
    rig.settleAfterNextPass()
    rig.settleAfterNextPass()
    let list = rig.list()
    #expect(Set(list).symmetricDifference(card.files.map { line($0.key, $0.value.content) }) == [])
    #expect(list.count == card.files.count)
    #expect(rig.progress.coverage.unreadCount == 0)
    #expect(rig.list(.music).count == card.files.keys.count { $0.hasPrefix("music/") })
  }

  @Test(
    "A small index that is usually full never lists a file that is not on the card", arguments: 0..<8 as Range<UInt64>
  )
  func staysTrueWhenFull(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let card = FakeCard()
    var rig = try LibraryRig(card, capacity: 100, rescanSeconds: 1)
    var clock: Int64 = 0
    for _ in 0..<400 { change(card, &clock, using: &generator) }
    for _ in 0..<20 {
      for _ in 0..<20 { change(card, &clock, using: &generator) }
      // A pass frees the space of files that vanished, and the next one uses it.
      rig.settleAfterNextPass()
      rig.settleAfterNextPass()
      let onCard = Set(card.files.map { line($0.key, $0.value.content) })
      let list = rig.list()
      #expect(list.allSatisfy { onCard.contains($0) })
      #expect(Set(list).count == list.count)
      #expect(list.count == min(100, card.files.count))
      #expect(Int(rig.progress.coverage.leftOutCount) == max(0, card.files.count - 100))
    }
  }

  private func change(_ card: FakeCard, _ clock: inout Int64, using generator: inout SeededGenerator) {
    clock += 1
    let isRemoval = Int.random(in: 0..<100, using: &generator) < card.files.count / 3
    if isRemoval, let path = card.files.keys.sorted().randomElement(using: &generator) {
      card.files[path] = nil
      return
    }
    let folder = Self.folders.randomElement(using: &generator)!
    let number = Int.random(in: 1000..<1060, using: &generator)
    let path = "\(folder)/\(Self.name(number, in: folder))"
    card.files[path] = FakeCard.File(content: content(using: &generator), modifiedNanoseconds: clock)
  }

  private static func name(_ number: Int, in folder: String) -> String {
    switch folder.prefix(5) {
    case "music": "한글 \(number).mp3"
    case "audio": "120000-\(number).wav"
    case "video": "120000-\(number).mov"
    default: "120000-\(number).jpg"
    }
  }

  private func content(using generator: inout SeededGenerator) -> FakeCard.Content {
    switch Int.random(in: 0..<20, using: &generator) {
    case 0: .noSound
    case 1: .fatal
    case 2: .babble
    default:
      .sound(
        title: String(repeating: "t", count: Int.random(in: 0...30, using: &generator)),
        artist: String(repeating: "é", count: Int.random(in: 0...10, using: &generator)),
        seconds: Double(Int.random(in: 0...9, using: &generator)))
    }
  }

  /// The expected line of a file.
  private func line(_ path: String, _ content: FakeCard.Content) -> String {
    if path.hasSuffix(".jpg") { return path }
    switch content {
    case .sound(let title, let artist, let seconds):
      let label = title.isEmpty ? "" : artist.isEmpty ? ", \(title)" : ", \(title) - \(artist)"
      return "\(path), \(seconds) s\(label)"
    case .noSound: return "\(path) holds no sound"
    case .fatal, .babble, .endless: return "\(path) crashed the decoder: it is damaged"
    }
  }
}
