import Foundation

/// The firmware that was built for this machine.
package enum ProgramUnderTest {
  /// The error for a program that has not been built.
  package struct Missing: Error, CustomStringConvertible {
    /// Which program, and what to do.
    package let description: String
  }

  /// The root of the checkout that this file belongs to.
  package static var checkout: URL {
    (0..<4).reduce(URL(fileURLWithPath: #filePath)) { url, _ in url.deletingLastPathComponent() }
  }

  /// The environment in which it runs: the test's, with the language of neither the user nor the system.
  package static var environment: [String: String] {
    ProcessInfo.processInfo.environment.merging(["LC_ALL": "C", "XDG_STATE_HOME": "/dev/null"]) { $1 }
  }

  /// `FIELDCORDER_BINARY`, or `build/host/fieldcorder` of the checkout.
  /// - Throws: ``Missing`` if there is no such program, so that a contract is never skipped silently.
  package static func path() throws -> String {
    let path =
      ProcessInfo.processInfo.environment["FIELDCORDER_BINARY"]
      ?? checkout.appendingPathComponent("build/host/fieldcorder").path
    guard FileManager.default.isExecutableFile(atPath: path) else {
      throw Missing(description: "there is no program \(path) to test: run make build, or set FIELDCORDER_BINARY")
    }
    return path
  }
}
