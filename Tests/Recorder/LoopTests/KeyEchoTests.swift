import Base
import Foundation
import TestSupport
import Testing

@testable import App

/// The response time to a key on a serial line at 115,200 baud: within 20 ms in 99 of 100 cases.
@Suite struct KeyEchoTests {
  private let host = TestHost()
  private let rig: ApplianceRig
  private var generator = SeededGenerator(seed: 3)

  init() throws {
    host.isTerminal = true
    host.lineBytesPerTick = 57
    rig = try ApplianceRig(host: host) { $0.console.baudRate = .b115200 }
    rig.run(milliseconds: 2_000)
    host.type("record start\r")
    rig.run(milliseconds: 2_000)
  }

  /// When the line has sent the expected text, in milliseconds after typing; more than a second counts as one.
  private func milliseconds(typing keys: String, until text: String) -> UInt64 {
    let count = host.said.count
    host.type(keys)
    var passed: UInt64 = 0
    while passed < 1_000 {
      rig.run(milliseconds: 5)
      passed += 5
      if String(decoding: host.said[count...], as: UTF8.self).contains(text) { break }
    }
    // The line has accepted it, and sends it after what it has queued.
    return passed + UInt64((host.unsentByteCount ?? 0) / 57) * 5
  }

  private func percentile99(_ delays: [UInt64]) -> UInt64 { delays.sorted()[delays.count * 99 / 100] }

  @Test("At the prompt during a take each key is echoed within 15 ms")
  mutating func atThePrompt() {
    var delays: [UInt64] = []
    for number in 0..<300 {
      rig.run(milliseconds: 5 * .random(in: 1...40, using: &generator))
      let key = String(UnicodeScalar(UInt8(ascii: "a") + UInt8(number % 26)))
      delays.append(milliseconds(typing: key, until: key))
      if number % 30 == 29 { rig.run("\u{15}", milliseconds: 100) }
    }
    #expect(percentile99(delays) <= 15, "\(delays.sorted().suffix(10))")
  }

  @Test("While top runs during a take the key that ends it is answered within 20 ms")
  mutating func whileTopRuns() {
    var delays: [UInt64] = []
    for _ in 0..<100 {
      host.type("top\r")
      rig.run(milliseconds: 1_000 + 5 * .random(in: 1...200, using: &generator))
      delays.append(milliseconds(typing: "q", until: "ok"))
      rig.run(milliseconds: 200)
    }
    #expect(percentile99(delays) <= 20, "\(delays.sorted())")
  }
}
