import Base
import CINI

/// A problem with a configuration file or a line of it.
package enum SettingsProblem: Error, Sendable {
  /// The system refuses to read the file, with this `errno`.
  case unreadable(errorNumber: Int32)
  /// The file is not text.
  case notText
  /// The file is larger than a saved one can be.
  case tooLarge(largestByteCount: Int)
  /// The line is longer than the parser accepts.
  case lineTooLong(largestByteCount: Int)
  /// The line is not a setting, section or comment.
  case notASetting
  /// Something follows a section's name on its line.
  case notAlone
  case unknownSection(FixedText<64>, key: FixedText<64>)
  case unknownKey(FixedText<64>, section: FixedText<64>)
  case duplicate(section: StaticString, key: StaticString, firstLineNumber: Int)
  case valueNotTaken(section: StaticString, key: StaticString, value: FixedText<200>, expectation: FixedText<256>)
  /// Settings of a section that are each valid, but not together.
  case contradiction(section: StaticString, StaticString)
  /// Two settings name the same line of one chip.
  case sharedPin(PinSetting, PinSetting)

  /// What is wrong, and what was expected, as one line: `[record] preroll_seconds = 99: expected 0…60 (seconds)`.
  package var line: FixedText<1024> {
    var line = FixedText<1024>()
    appendDescription(to: &line)
    return line
  }

  @export(interface)
  func appendDescription(to line: inout FixedText<1024>) {
    switch self {
    case .unreadable(let errorNumber):
      Self.appendReason(errorNumber, to: &line)
    case .notText:
      line.append("not text: expected UTF-8 without control characters")
    case .tooLarge(let largestByteCount):
      line.append("the file is too large: expected at most \(largestByteCount) bytes" as FixedText<128>)
    case .lineTooLong(let largestByteCount):
      line.append("the line is too long: expected at most \(largestByteCount) bytes" as FixedText<128>)
    case .notASetting:
      line.append("expected key = value, [section], or a comment after #")
    case .notAlone:
      line.append("expected [section] alone on its line, and key = value on a line of its own")
    case .unknownSection(let section, let key):
      Self.appendUnknown(section: section, key: key, to: &line)
    case .unknownKey(let key, let section):
      line.append("[\(section)] \(key): there is no such key" as FixedText<256>)
      NameList(ofKeysIn: section, near: key).append(to: &line)
    case .duplicate(let section, let key, let firstLineNumber):
      line.append("[\(section)] \(key): given twice, first on line \(firstLineNumber): remove one" as FixedText<256>)
    case .valueNotTaken(let section, let key, let value, let expectation):
      line.append("[\(section)] \(key) = \(value): expected \(expectation)" as FixedText<768>)
    case .contradiction(let section, let explanation):
      line.append("[\(section)] \(explanation)" as FixedText<256>)
    case .sharedPin(let first, let second):
      line.append("\(first.label) and \(second.label) are both line \(first.offset) of " as FixedText<128>)
      line.append("\(first.chipName): expected a line of its own for each, or none" as FixedText<256>)
    }
  }

  private static func appendReason(_ errorNumber: Int32, to line: inout FixedText<1024>) {
    switch errorNumber {
    case ENOENT: line.append("there is no such file: name another with --config FILE")
    case EACCES: line.append("no permission to read it: make it readable for this user")
    case EISDIR: line.append("this is a folder: expected a file")
    default: line.append("cannot be read (errno \(errorNumber)): name another with --config FILE" as FixedText<128>)
    }
  }

  private static func appendUnknown(section: FixedText<64>, key: FixedText<64>, to line: inout FixedText<1024>) {
    if section.isEmpty {
      line.append("\(key) comes before any [section]" as FixedText<128>)
    } else {
      line.append("[\(section)]: there is no such section" as FixedText<128>)
    }
    NameList(ofKeysIn: nil, near: section).append(to: &line)
  }
}

/// Why a configuration file is rejected.
package struct SettingsError: Error, Sendable {
  package var path: FixedText<256>
  /// The line, counted from 1; 0 for the file as a whole.
  package var lineNumber: Int
  package var problem: SettingsProblem

  /// The error as one line: `fieldcorder: FILE:LINE: [record] preroll_seconds = 99: expected 0…60 (seconds)`.
  package var line: FixedText<1024> {
    var line: FixedText<1024> = "fieldcorder: \(path)"
    if lineNumber > 0 { line.append(":\(lineNumber)" as FixedText<32>) }
    line.append(": ")
    problem.appendDescription(to: &line)
    return line
  }
}

extension Span where Element == UInt8 {
  /// The Levenshtein distance to `other`, in bytes. Words over 64 bytes count as far from everything.
  func editDistance(to other: Span<UInt8>) -> Int {
    guard count <= 64, other.count <= 64 else { return 64 }
    // The distances from the part of this word read so far to every prefix of the other.
    var row = InlineArray<65, Int>(repeating: 0)
    for column in 0...other.count { row[column] = column }
    for index in indices {
      var diagonal = row[0]
      row[0] = index + 1
      for column in other.indices {
        let replaced = diagonal + (self[index] == other[column] ? 0 : 1)
        diagonal = row[column + 1]
        row[column + 1] = Swift.min(replaced, Swift.min(diagonal, row[column]) + 1)
      }
    }
    return row[other.count]
  }
}
