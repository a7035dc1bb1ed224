import Port
import Configuration
import Foundation
import Values
import Rings
import SimBoard
import TestSupport
import Testing

@testable import Loop

/// The whole appliance on a virtual clock, its workers given their turns by the test.
final class ApplianceRig: CustomTestStringConvertible {
  static let rateHz: UInt64 = 8_000

  let world: TestWorld
  let settings: Settings
  var appliance: Appliance<TestHardware>
  /// Boot memory that the appliance has taken.
  let usedMemoryByteCount: Int
  /// Until then the storage worker gets no turn: the card stalls.
  var stallEndNanoseconds: UInt64 = 0
  private var order: TurnOrder

  init(
    seed: UInt64 = 1, world: TestWorld = TestWorld(), microphonePartsPerMillion: Int32 = 0,
    memoryByteCount: Int? = nil, adjust: (inout Settings) -> Void = { _ in }
  ) throws {
    var board = SimBoardSettings()
    board.seed = seed
    board.audioFormat = AudioFormat(sampleRateHz: UInt32(Self.rateHz), channelCount: 1, sampleFormat: .int16)
    board.microphonePartsPerMillion = microphonePartsPerMillion
    var settings = Settings()
    settings.audio.sampleRateHz = UInt32(Self.rateHz)
    settings.audio.channelCount = 1
    settings.audio.sampleFormat = .int16
    settings.video.widthPixels = 64
    settings.video.heightPixels = 48
    settings.video.framesPerSecond = 25
    settings.record.stallSeconds = 5
    adjust(&settings)
    self.world = world
    self.settings = settings
    order = TurnOrder(seed: seed)
    let context = ApplianceContext(
      settings: settings, identity: DeviceIdentity(high: 0, low: 0), software: "fieldcorder test",
      processorCount: 1, heapAllocationCount: { 0 })
    var memory = memoryByteCount.map { leakedBootMemory(byteCount: $0) } ?? leakedBootMemory()
    appliance = try Appliance(
      machine: try TestHardware(board, world: world), context: context,
      freshIdentity: DeviceIdentity(randomHigh: seed, randomLow: ~seed), in: &memory)
    usedMemoryByteCount = memory.usedByteCount
  }

  /// Short: an expectation that fails shows it.
  var testDescription: String { "the rig" }

  var nowNanoseconds: UInt64 { appliance.loop.machine.clock.monotonicNanoseconds }

  var isRecordLit: Bool { appliance.loop.machine.indicators.isRecordLit }
  var isFaultLit: Bool { appliance.loop.machine.indicators.isFaultLit }
  var metrics: LoopMetrics { appliance.loop.metrics }

  /// Lets the appliance run until it ends, or for so long.
  /// - Returns: false once it has come to its end.
  @discardableResult func run(milliseconds: UInt64) -> Bool {
    let end = nowNanoseconds + milliseconds * 1_000_000
    while nowNanoseconds < end {
      world.passTick()
      guard appliance.loop.tick() else { return false }
      takeTurns()
    }
    return true
  }

  /// Lets it do what is typed, and run on for so long.
  func run(_ lines: String, milliseconds: UInt64 = 100) {
    world.type(lines + "\n")
    run(milliseconds: milliseconds)
  }

  /// Types `quit` and waits for the end.
  func quit() -> Bool {
    world.type("quit\n")
    stallEndNanoseconds = 0
    let hasEnded = !run(milliseconds: 200_000)
    appliance.finishWork(order: &order)
    appliance.loop.sayGoodbye()
    return hasEnded
  }

  private func takeTurns() {
    if nowNanoseconds >= stallEndNanoseconds { return appliance.takeTurns(order: &order) }
    while appliance.workers.still.step() {}
    appliance.encode(order: &order)
  }

  func status() throws -> [String: Any] {
    let lineCount = world.lines.count
    run("status json", milliseconds: 20)
    // The reply is taken in pieces, as a slow line does.
    let isAnswered = { [world] in
      let lines = world.lines.dropFirst(lineCount)
      guard let index = lines.firstIndex(where: { $0.hasPrefix("{") }) else { return false }
      return lines[index...].contains("ok")
    }
    for _ in 0..<100 where !isAnswered() { run(milliseconds: 20) }
    let line = world.lines.last { $0.hasPrefix("{") } ?? ""
    return try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any] ?? [:]
  }

  /// Lines that the console said unasked, and that contain `text`.
  func announcements(_ text: String) -> [String] { world.lines.filter { $0.hasPrefix("* ") && $0.contains(text) } }

  /// The paths of all files of takes, in the order in which they were begun.
  var takePaths: [String] {
    world.disk.image.names.keys.filter { $0.hasPrefix("video/") || $0.hasPrefix("audio/") }
      .sorted { $0.suffix(8) < $1.suffix(8) }
  }

  func movie(_ path: String) -> FinishedMovie? { world.disk.image[path].flatMap { FinishedMovie($0) } }
}
