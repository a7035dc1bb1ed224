import Foundation
import TestSupport
import Testing

/// Which threads have priority when several want the processor.
@Suite struct WorkerPriorityTests {
  @Test("storage goes before encoders, these before stills, and the library, views and previews come last")
  func order() throws {
    let session = try Session(["status json", "wait 86400"], clock: .real)
    try session.waitForLines(1, beginningWith: "{")
    let niceness = try session.threadNiceness()
    session.send(SIGTERM)
    #expect(session.end() == 0)
    func value(_ name: String) throws -> Int { try #require(niceness[name], "\(niceness)") }
    #expect(try value("storage") < value("encoder"))
    #expect(try value("encoder") < value("decoder"))
    #expect(try value("decoder") < value("still"))
    for last in ["library", "view", "preview"] { #expect(try value("still") < value(last)) }
  }
}
