import Foundation
import TestSupport
import Testing

/// `selftest` of the real program.
@Suite struct SelfTestTests {
  @Test("every device is tested, as lines and as JSON, and the heap is not used", arguments: [true, false])
  func all(isFast: Bool) throws {
    let commands = isFast ? ["selftest", "selftest json", "selftest quick json"] : ["selftest quick json"]
    let session = try Session(
      ["wait 2"] + commands + ["status json", "quit"], clock: isFast ? .fast : .real,
      configuration: "[sim]\necho_db = -12\necho_milliseconds = 20\n")
    #expect(session.end() == 0)
    let objects = try session.lines().filter { $0.hasPrefix("{\"verdict\"") }.map { line in
      try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any] ?? [:]
    }
    #expect(objects.count == (isFast ? 2 : 1))
    for object in objects {
      let tests = try #require(object["tests"] as? [[String: Any]])
      for test in tests where test["device"] as? String == "memory" { #expect(test["heap_calls"] as? Int == 0) }
      let verdicts = tests.map { $0["verdict"] as? String ?? "" }
      #expect(verdicts.allSatisfy { ["pass", "look", "tight"].contains($0) } || !isFast, "\(tests)")
    }
    if isFast {
      #expect(try session.lines().contains { $0.hasPrefix("speaker        pass     delay 20.") })
      #expect(try session.lines().contains { $0.hasPrefix("card           pass ") })
    }
    #expect(try session.lines().contains { $0.hasSuffix("\"heap_allocations_since_boot_complete\":0}") })
  }
}
