import Base
import Configuration
import Machine
import TestSupport
import Testing

@testable import App

/// `selftest card`
@Suite struct CardTestTests {
  /// The reply so far.
  private func replies(_ rig: ApplianceRig) -> [String] {
    rig.host.lines.filter { $0 == "ok" || $0.hasPrefix("error: ") || $0.hasPrefix("card ") }
  }

  private func armedRig(_ adjust: (inout Settings) -> Void = { _ in }) throws -> ApplianceRig {
    let rig = try ApplianceRig(adjust: adjust)
    rig.run(milliseconds: 2_000)
    return rig
  }

  /// Presses the button itself, because the console is busy.
  private func press(_ rig: ApplianceRig) {
    rig.appliance.loop.machine.buttons.device.inject(.record, from: rig.now, to: rig.now + 80_000_000)
  }

  @Test("a card that takes everything at once is fast enough, and nothing is left on it")
  func yes() throws {
    let rig = try armedRig()
    rig.run("selftest card", milliseconds: 3_000)
    let replies = replies(rig)
    #expect(replies.count == 2 && replies.last == "ok")
    #expect(replies.first?.hasPrefix("card yes: 60 fragments of ") == true)
    #expect(rig.host.disk.image["selftest.new"] == nil)
    let written = rig.host.disk.operations.compactMap { operation in
      if case .write(_, _, let bytes) = operation { bytes.count } else { nil as Int? }
    }
    let synchronised = rig.host.disk.operations.filter { if case .synchronise = $0 { true } else { false } }
    // Half a second of 8 kHz sound and of pictures.
    #expect(written.reduce(0, +) > 60 * 4_000 && synchronised.count >= 60)
  }

  @Test(
    "the longest stall decides: yes up to half of what the rings bridge, tight up to all of it, no beyond",
    arguments: [(2_000, "yes"), (3_000, "tight"), (4_500, "tight"), (6_000, "no")])
  func stalls(milliseconds: UInt64, verdict: String) throws {
    let rig = try armedRig()
    rig.stallStorage(nanoseconds: milliseconds * 1_000_000)
    rig.run("selftest card", milliseconds: 16_000)
    let replies = replies(rig)
    #expect(replies.count == 2 && replies.last == "ok" && replies.first?.hasPrefix("card \(verdict): ") == true)
    rig.run(milliseconds: 4_000)
    #expect(rig.host.disk.image["selftest.new"] == nil)
    rig.run("selftest card", milliseconds: 3_000)
    #expect(self.replies(rig).last == "ok", "it can be tested again")
  }

  @Test("a press breaks the test off, and the take loses nothing")
  func press() throws {
    let rig = try armedRig()
    rig.stallStorage(nanoseconds: 3_000_000_000)
    rig.run("selftest card", milliseconds: 500)
    press(rig)
    rig.run(milliseconds: 5_000)
    #expect(replies(rig) == ["error: a take began: the card test was cancelled"])
    press(rig)
    rig.run(milliseconds: 2_000)
    try rig.expectWhole(try #require(rig.movie(rig.takePaths[0])), "after a card test")
    #expect(rig.host.disk.image["selftest.new"] == nil)
  }

  @Test("while a take is recorded, on a full card and on one that fails, it is refused with the reason")
  func refusals() throws {
    let rig = try armedRig()
    rig.run("record start\nselftest card\nrecord stop\nwait 2", milliseconds: 4_000)
    #expect(replies(rig) == ["ok", "error: a take is being recorded: the card is not tested", "ok", "ok"])
    rig.host.disk.toldFreeByteCount = 1_000
    rig.run("selftest card", milliseconds: 500)
    #expect(replies(rig).last?.contains("has no room") == true)
    rig.host.disk.toldFreeByteCount = nil
    rig.host.disk.fails = { $0 == .synchronise }
    rig.run("selftest card", milliseconds: 500)
    #expect(replies(rig).last?.hasPrefix("error: storage") == true)
    rig.host.disk.fails = { _ in false }
    rig.run("selftest card", milliseconds: 3_000)
    #expect(replies(rig).last == "ok")
  }
}
