import Configuration
import TestSupport

extension Settings {
  /// The lines of a configuration file that expresses these settings.
  var lines: [String] {
    var lines: [String] = []
    SettingsTable(self).forEachLine(where: { _ in true }) { lines.append(String($0)) }
    return lines
  }
}
