import Foundation
import TestSupport

/// A string literal of the sources, with `{1}`, `{2}`, … in place of its interpolations.
struct SourceLiteral: Hashable {
  /// The path relative to the checkout's root.
  var file: String
  var text: String
  /// The functions to which it is an argument, such as `ledger.note`, innermost last.
  var calls: [String]

  /// Every literal of the Swift files in a folder of the checkout.
  static func all(in folder: String) throws -> [SourceLiteral] {
    let root = ProgramUnderTest.checkout
    let files = FileManager.default.enumerator(atPath: root.appendingPathComponent(folder).path)
    var literals: [SourceLiteral] = []
    while let name = files?.nextObject() as? String {
      guard name.hasSuffix(".swift") else { continue }
      let file = "\(folder)/\(name)"
      let source = try String(contentsOf: root.appendingPathComponent(file), encoding: .utf8)
      var reader = LiteralReader(source: Array(source.unicodeScalars), file: file)
      literals += reader.literals()
    }
    return literals
  }
}

/// Parses as much of Swift as is needed to find string literals.
private struct LiteralReader {
  let source: [Unicode.Scalar]
  let file: String
  private var place = 0
  private var calls: [String] = []
  private var found: [SourceLiteral] = []

  init(source: [Unicode.Scalar], file: String) {
    self.source = source
    self.file = file
  }

  mutating func literals() -> [SourceLiteral] {
    while place < source.count { readCode() }
    return found
  }

  private func follows(_ text: String) -> Bool {
    source[place...].starts(with: text.unicodeScalars)
  }

  private mutating func readCode() {
    if follows("//") {
      while place < source.count, source[place] != "\n" { place += 1 }
    } else if follows("/*") {
      while place < source.count, !follows("*/") { place += 1 }
    } else if source[place] == "\"" {
      readLiteral()
    } else {
      if source[place] == "(" { calls.append(nameBefore(place)) }
      if source[place] == ")" { _ = calls.popLast() }
      place += 1
    }
  }

  private func nameBefore(_ end: Int) -> String {
    var start = end
    while start > 0, source[start - 1].properties.isIDContinue || source[start - 1] == "." {
      start -= 1
    }
    return String(String.UnicodeScalarView(source[start..<end]))
  }

  private mutating func readLiteral() {
    let quote = follows("\"\"\"") ? "\"\"\"" : "\""
    let calls = calls
    place += quote.count
    var text = ""
    var holeCount = 0
    while !follows(quote) {
      guard source[place] == "\\" else {
        text.unicodeScalars.append(source[place])
        place += 1
        continue
      }
      place += 1
      if source[place] == "(" {
        holeCount += 1
        text += "{\(holeCount)}"
        readHole()
      } else {
        readEscape(into: &text)
      }
    }
    place += quote.count
    if quote.count > 1 { text = Self.unfolded(text) }
    found.append(SourceLiteral(file: file, text: text, calls: calls))
  }

  private mutating func readHole() {
    let outer = calls
    calls.append("")
    place += 1
    while calls.count > outer.count { readCode() }
  }

  private mutating func readEscape(into text: inout String) {
    switch source[place] {
    case "n": text += "\n"
    case "\n": text += "\\\n"
    case "u":
      while source[place] != "}" { place += 1 }
      text += "\u{FFFD}"
    default: text.unicodeScalars.append(source[place])
    }
    place += 1
  }

  /// The lines of a multi-line literal, without the indentation of its closing quotes.
  private static func unfolded(_ text: String) -> String {
    var lines = text.split(separator: "\n", omittingEmptySubsequences: false).dropFirst()
    let indentation = lines.popLast()?.count ?? 0
    return lines.map { $0.dropFirst(indentation) }.joined(separator: "\n").replacingOccurrences(of: "\\\n", with: "")
  }
}
