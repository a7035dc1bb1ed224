import Foundation
import TestSupport

/// An entry of `Sources/C/CMessages/ko.po`.
struct CatalogEntry {
  /// `message` if the entry states none.
  var context = "message"
  var message = ""
  var translation = ""
  /// The literals from which the message is composed; empty if it is a literal itself.
  var parts: [String] = []

  /// The message with its holes in the form that literals have: `{1}` for `{1 number}`.
  var plainMessage: String { message.replacing(/\{([1-9]) [a-z]+\}/) { "{\($0.1)}" } }

  /// The type of each hole, by its digit.
  var holes: [Character: String] {
    var holes: [Character: String] = [:]
    for hole in message.matches(of: /\{([1-9])(?: ([a-z]+))?\}/) {
      if let digit = hole.1.first { holes[digit] = hole.2.map(String.init) ?? "text" }
    }
    return holes
  }

  static func all() throws -> [CatalogEntry] {
    let file = ProgramUnderTest.checkout.appendingPathComponent("Sources/C/CMessages/ko.po")
    var entries: [CatalogEntry] = []
    for paragraph in try String(contentsOf: file, encoding: .utf8).components(separatedBy: "\n\n") {
      let entry = CatalogEntry(paragraph)
      if !entry.message.isEmpty { entries.append(entry) }
    }
    return entries
  }

  private init(_ paragraph: String) {
    var isTranslation = false
    for line in paragraph.split(separator: "\n") {
      guard let start = line.firstIndex(of: "\"") else { continue }
      let text = line[line.index(after: start)...].dropLast().replacingOccurrences(of: "\\\"", with: "\"")
      switch line[..<start] {
      case "#. of ": parts.append(text)
      case "msgctxt ": context = text
      case "msgid ": message = text
      case "msgstr ":
        translation = text
        isTranslation = true
      case "": if isTranslation { translation += text } else { message += text }
      default: break
      }
    }
  }
}
