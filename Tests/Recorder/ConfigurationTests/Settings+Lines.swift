import Configuration
import TestSupport

extension Settings {
  /// The lines of a file that says what these settings say.
  var lines: [String] {
    var lines: [String] = []
    SettingsTable(self).forEachLine(where: { _ in true }) { lines.append(String($0)) }
    return lines
  }
}
