import Base
import Foundation
import Machine
import Record
import TestSupport
import Testing

@testable import App

/// The whole appliance for simulated hours under faults drawn from a seed: whatever fails, everything that microphone
/// and camera delivered outside the faults is in the takes, at its place.
///
/// `make soak SEED=n HOURS=h` runs more of it. By default, a few minutes of a new seed and of those that once failed.
@Suite struct SoakTests {
  private static var seeds: [UInt64] {
    let environment = ProcessInfo.processInfo.environment
    if let first = environment["FIELDCORDER_SOAK_SEED"].flatMap({ UInt64($0) }) {
      let hours = environment["FIELDCORDER_SOAK_HOURS"].flatMap { Double($0) } ?? 1
      return (0..<UInt64(max((hours * 6).rounded(.up), 1))).map { first + $0 }
    }
    return [.random(in: 0..<1_000_000_000)] + Cases.some(2, of: keptSeeds)
  }

  /// Each found a bug, here or in the recorder.
  private static let keptSeeds: [UInt64] = [9, 5002, 7210, 7358, 7359, 360_555_349]

  @Test("what was delivered outside the faults is in the takes at its place, and every state is left", arguments: seeds)
  func tenMinutes(seed: UInt64) throws {
    let soak = try Soak(seed: seed)
    soak.run(minutes: 10)
    try soak.expectRecovery()
    try soak.expectTakes()
  }
}

/// Ten minutes of a recorder's life: what happens to it, and what must be true afterwards.
private final class Soak {
  let rig: ApplianceRig
  private var generator: SeededGenerator
  /// Separate, so that the kept seeds still produce the same sequence.
  private var weather: SeededGenerator
  /// When it becomes cool again.
  private var heatEnd: Instant = 0
  private let replay: Comment
  /// When microphone and camera may deliver nothing: during a fault, and while they come back.
  private var faults: [Device: [Range<Instant>]] = [:]

  init(seed: UInt64) throws {
    replay = "replay: make soak SEED=\(seed) HOURS=0.1"
    var generator = SeededGenerator(seed: seed)
    rig = try ApplianceRig(
      seed: seed, microphonePartsPerMillion: .random(in: -200...200, using: &generator),
      wallClock: SimWallClock(seed: seed, periodSeconds: 150)
    ) { settings in
      settings.record.prerollSeconds = .random(in: 0...5, using: &generator)
      settings.record.stallSeconds = 12
      settings.record.split.seconds = Bool.random(using: &generator) ? 0 : 60
      settings.record.arming = Int.random(in: 0..<4, using: &generator) == 0 ? .atPress : .atBoot
    } onBoard: { board in
      board.cameraMaximumZoom = seed % 2 == 0 ? 4 : nil
    }
    self.generator = generator
    weather = SeededGenerator(seed: ~seed)
    rig.run(milliseconds: 1_000)
  }

  private func draw(_ range: ClosedRange<UInt64>) -> UInt64 { .random(in: range, using: &generator) }

  func run(minutes: UInt64) {
    let end = rig.now + minutes * 60_000_000_000
    while rig.now < end {
      act()
      changeWeather()
      rig.run(milliseconds: draw(20...4_000))
    }
  }

  /// Pictures are omitted while it is hot, and until the end of the heat is certain; sound never is.
  private func changeWeather() {
    if heatEnd > 0, rig.now >= heatEnd {
      rig.heat(45)
      heatEnd = 0
    }
    guard heatEnd == 0, Int.random(in: 0..<60, using: &weather) == 0 else { return }
    let celsius = [77.0, 84, 90].randomElement(using: &weather)!
    heatEnd = rig.now + .random(in: 2_000_000_000...40_000_000_000, using: &weather)
    rig.heat(celsius, throttling: Bool.random(using: &weather) ? 0x2 : nil)
    if celsius > 80 { faults[.camera, default: []].append(rig.now..<heatEnd + Self.coolingNanoseconds) }
  }

  /// Thirty readings, one a second, for each of two levels, and the longest possible step.
  private static let coolingNanoseconds: UInt64 = 70_000_000_000

  private func act() {
    switch draw(0...9) {
    case 0...2: rig.host.type("press record \(draw(80...400))\n")
    case 3: beginDeviceFault(.microphone, [.absent, .stalled, .stopping, .slow])
    case 4: beginDeviceFault(.camera, [.absent, .stalled, .slow, .changed, .corrupt, .doubling, .frozen])
    case 5: beginStorageFault()
    case 6: beginOtherFault()
    case 7: rig.host.type(Self.commands.randomElement(using: &generator)! + "\n")
    case 8: rig.host.type("tilt \(Self.positions.randomElement(using: &generator)!)\n")
    // Three such delays in a row still fit the camera's six buffers.
    default: rig.oversleep(milliseconds: draw(1...60))
    }
  }

  private static let commands = ["snapshot", "rotate", "status", "list", "zoom 1.5"]
  private static let positions = ["landscape-left", "portrait", "landscape-right"]

  private func beginDeviceFault(_ device: Device, _ kinds: [Fault.Kind]) {
    let window = begin(kinds.randomElement(using: &generator)!, of: device, atMost: 8_000_000_000)
    faults[device, default: []].append(window)
  }

  /// - Returns: the time in which data may be missing: half a second before the fault, the fault, and the return: a
  ///   second until the device is reopened, one until it delivers, and half a second for its first data.
  @discardableResult private func begin(
    _ kind: Fault.Kind, of device: Device, atMost longestNanoseconds: UInt64
  ) -> Range<Instant> {
    let nanoseconds = draw(10_000_000...longestNanoseconds)
    rig.begin(kind, of: device, nanoseconds: nanoseconds)
    return rig.now.earlier(by: 500_000_000)..<rig.now + nanoseconds + 2_500_000_000
  }

  /// A stall of at most the rings' length, with as much time to catch up.
  private func beginStorageFault() {
    guard rig.now > rig.stallEnd + 10_000_000_000 else { return }
    let nanoseconds = draw(10_000_000...9_000_000_000)
    rig.stallStorage(nanoseconds: nanoseconds)
    if Bool.random(using: &generator) {
      rig.begin([.failing, .tornWrites].randomElement(using: &generator)!, of: .storage, nanoseconds: nanoseconds)
    }
  }

  private func beginOtherFault() {
    let faults: [(Device, Fault.Kind)] = [
      (.buttons, .slow), (.buttons, .stuck), (.accelerometer, .absent), (.accelerometer, .slow),
      (.accelerometer, .hanging), (.accelerometer, .nonsense), (.speaker, .absent), (.speaker, .slow),
      (.speaker, .changed), (.console, .stalled),
    ]
    let (device, kind) = faults.randomElement(using: &generator)!
    begin(kind, of: device, atMost: 3_000_000_000)
  }

  /// Once the faults are over, the recorder records a whole take.
  func expectRecovery() throws {
    for device in [Device.microphone, .camera, .storage, .buttons, .accelerometer, .speaker, .console, .scheduler] {
      rig.endFaults(of: device)
    }
    rig.heat(45)
    rig.run(milliseconds: 20_000 + Self.coolingNanoseconds / 1_000_000)
    if rig.isRecordLit { rig.run("record stop", milliseconds: 10_000) }
    let state = try rig.status()["state"] as? String
    #expect(state == "armed" || state == "idle", "\(state ?? "no state"), \(replay)")
    let before = rig.takePaths.count
    rig.run("record start", milliseconds: 3_000)
    rig.run("record stop", milliseconds: 3_000)
    try #require(rig.takePaths.count == before + 1, replay)
    let movie = try #require(rig.movie(rig.takePaths[before]), replay)
    try rig.expectWhole(movie, isInSync: false, replay)
    #expect(rig.quit(), replay)
  }

  func expectTakes() throws {
    #expect(rig.announcements("damaged").isEmpty && rig.announcements("cannot be read").isEmpty, replay)
    expectOrder()
    let audit = TakeAudit(rig, faults: faults, replay)
    for path in rig.takePaths where path.hasSuffix(".mov") {
      try audit.expectRight(try #require(rig.movie(path), "\(path), \(replay)"), path)
    }
  }

  /// Whatever the clock showed, the names of takes and stills sort in the order of recording, but for the pre-roll of a
  /// take that reaches back before the last file of the one before: up to five seconds, and four for a press and a
  /// keyframe.
  private func expectOrder() {
    for roots in [["video/", "audio/"], ["photo/"]] {
      let paths = rig.host.disk.image.names.keys.filter { path in roots.contains { path.hasPrefix($0) } }
      let names = paths.compactMap { TakeName(stemOf: Array($0.split(separator: "/").last!.utf8).span) }
      #expect(names.count == paths.count, "\(paths), \(replay)")
      var newest: Int64 = 0
      for seconds in names.sorted(by: { $0.number < $1.number }).map({ $0.unixSeconds(inFolderOf: 0) }) {
        #expect(seconds >= newest - (roots[0] == "photo/" ? 0 : 9), "\(paths.sorted()), \(replay)")
        newest = max(newest, seconds)
      }
    }
  }
}
