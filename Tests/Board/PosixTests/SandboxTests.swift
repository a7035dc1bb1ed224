import Base
import Foundation
import Machine
import TestSupport
import Testing
import Wire

/// What the kernel allows a sandboxed process to do, as attempted by the stand-in.
@Suite struct SandboxTests {
  @Test(
    "A forbidden call ends the process",
    arguments: [
      "socket", "fork", "execute", "kill-parent", "look-at-limits", "make-code", "turn-into-code", "punch-hole",
      "rename", "control",
    ])
  func endsAtTrespass(name: String) throws {
    let rig = try DecoderRig(files: ["order": "shut \(name)"])
    var decoder = try rig.startedDecoder()
    try decoder.send(.probe(requestID: 1), withFileAt: "order")
    let failure = #expect(throws: DeviceFailure.self) { _ = try decoder.receive(waitNanoseconds: 60_000_000_000) }
    #expect(failure.map { String($0.subject) } == "fieldcorder-decode (signal 31)")
  }

  @Test(
    "The calls that decoding needs are allowed, with memory and time limited; opening or looking for a file fails",
    arguments: [
      ("open", -1 ... -1), ("file-status", -1 ... -1), ("sort-much", 0...0), ("renew", 0...0), ("map", 0...0),
      ("give-back", 0...0), ("grow", 30...64),
    ])
  func letsWork(name: String, expected: ClosedRange<Int>) throws {
    let rig = try DecoderRig(files: ["order": "shut \(name)"])
    var decoder = try rig.startedDecoder()
    try decoder.send(.probe(requestID: 1), withFileAt: "order")
    guard case .opened(1, let properties, _) = try decoder.receive(waitNanoseconds: 60_000_000_000) else {
      Issue.record("no answer")
      return
    }
    let result = try #require(Int(String(properties.title)))
    #expect(expected.contains(result))
  }
}
