import Configuration
import TestSupport

extension Settings {
  /// The lines of a file that says what these settings say.
  var lines: [String] {
    Array(
      sequence(state: 0) { index in
        defer { index += 1 }
        return self.line(at: index).map { String($0) }
      })
  }
}
