import Text

/// Why a configuration file is refused.
public struct SettingsError: Error, Sendable {
  /// The file.
  public var path: FixedText<256>
  /// Counted from 1; 0 where the file as a whole is meant.
  public var lineNumber: Int
  /// What is wrong there.
  public var problem: SettingsProblem

  /// The whole as one line for a person: `fieldcorder: FILE:LINE: [record] preroll_seconds = 99: expected 0…60 (seconds)`.
  public var line: FixedText<1024> {
    var line: FixedText<1024> = "fieldcorder: \(path)"
    if lineNumber > 0 { line.append(":\(lineNumber)" as FixedText<32>) }
    line.append(": ")
    problem.appendDescription(to: &line)
    return line
  }
}
