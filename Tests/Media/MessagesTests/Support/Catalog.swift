import Foundation
import TestSupport

/// An entry of `Sources/C/CMessages/ko.po`.
struct CatalogEntry {
  /// `message` where the entry names none.
  var context = "message"
  var message = ""
  var translation = ""
  /// The literals of which the message is put together; empty where it is one itself.
  var parts: [String] = []

  /// The message with the holes as literals have them: `{1}` for `{1 number}`.
  var plainMessage: String { message.replacing(/\{([1-9]) [a-z]+\}/) { "{\($0.1)}" } }

  /// What fits into the holes, by their digits.
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
