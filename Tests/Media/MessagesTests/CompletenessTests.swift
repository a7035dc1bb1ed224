import Foundation
import Testing

/// Checks that `Sources/C/CMessages/ko.po` has every message of the sources, and nothing else.
@Suite struct CompletenessTests {
  private static func literals() throws -> [SourceLiteral] { try SourceLiteral.all(in: "Sources") }

  @Test("Every message of the sources is in the table")
  func everyMessage() throws {
    let entries = try CatalogEntry.all()
    let known = Set(entries.map(\.plainMessage) + entries.flatMap(\.parts))
    let missing = try Self.literals().filter { literal in
      literal.hasWords && !NoMessages.covers(literal) && !known.contains(literal.text)
        && !known.contains(literal.unmarkedText)
    }
    for literal in Set(missing) {
      Issue.record(
        """
        \(literal.file): not in Sources/C/CMessages/ko.po. Put this beside its like, say what fits into a hole as in \
        {1 number} or {1 device}, and give it the context in which it is a part of another message; if it is no message, list it in \
        NoMessages.swift:

        msgid "\(literal.unmarkedText.replacingOccurrences(of: "\"", with: "\\\""))"
        msgstr ""
        """)
    }
  }

  @Test("Every entry of the table is a message of the sources, or is put together of literals that are there")
  func noStaleEntry() throws {
    let texts = Set(try Self.literals().flatMap { [$0.text, $0.unmarkedText] })
    for entry in try CatalogEntry.all() {
      let parts = entry.parts.isEmpty ? [entry.plainMessage] : entry.parts
      for part in parts where !texts.contains(part) {
        Issue.record("ko.po: \"\(entry.message)\": the sources have no \"\(part)\": change or remove it")
      }
    }
  }

  @Test("A list of what is no message names only what is there")
  func noStaleException() throws {
    let literals = try Self.literals()
    for (file, _) in NoMessages.files {
      #expect(literals.contains { $0.file.hasPrefix(file) && $0.hasWords }, "\(file) has no literal with words")
    }
    for (text, _) in NoMessages.texts {
      #expect(literals.contains { $0.text == text }, "no file has the literal \(text)")
    }
  }

  @Test("A translation has the holes of its message, and is in Korean")
  func translations() throws {
    let entries = try CatalogEntry.all()
    let contexts = Set(entries.map(\.context)).union(["text", "number", "path"])
    var seen: Set<[String]> = []
    for entry in entries {
      let used = entry.translation.matches(of: /\{([1-9])\}/).map { $0.1.first }
      #expect(Set(used) == Set(entry.holes.keys), "holes of \(entry.message)")
      #expect(contexts.isSuperset(of: entry.holes.values), "kinds of holes of \(entry.message)")
      let isHangul = entry.translation.contains { $0 >= "가" && $0 <= "힣" }
      // A message that only joins other messages has no words of its own.
      #expect(isHangul || !entry.holes.isEmpty && entry.holes.values.allSatisfy { $0 != "number" }, "\(entry.message)")
      #expect(seen.insert([entry.context, entry.message]).inserted, "\(entry.message) is there twice")
    }
  }

  @Test("Every context is what fits into a hole")
  func usedContexts() throws {
    let entries = try CatalogEntry.all()
    let kinds = Set(entries.flatMap(\.holes.values)).union(["message", "display"])
    for entry in entries where !kinds.contains(entry.context) {
      Issue.record("\(entry.message): no message has a hole for \(entry.context)")
    }
  }

  @Test("Every message is found by a line that is made of it, and no other one in its place")
  func everyMessageIsFound() throws {
    let entries = try CatalogEntry.all()
    for entry in entries where entry.context == "message" {
      let (line, expected) = try filled(entry, from: entries)
      let said = try #require(TranslationTests.korean(line, mayBeMarked: false), "\(line) is not found")
      #expect(said.withoutParticles == expected.withoutParticles, "\(line)")
    }
  }

  /// A message with its holes filled, and its translation with the same.
  private func filled(
    _ entry: CatalogEntry, from entries: [CatalogEntry]
  ) throws -> (line: String, translation: String) {
    var line = entry.message
    var translation = entry.translation
    for (digit, kind) in entry.holes {
      var part = ("x\(digit)", "x\(digit)")
      switch kind {
      case "text", "path": break
      case "number": part = ("\(digit)2", "\(digit)2")
      default:
        let entry = entries.first { $0.context == kind && !$0.holes.values.contains(kind) }
        part = try filled(#require(entry), from: entries)
      }
      line = line.replacing(try Regex("\\{\(digit)[^}]*\\}"), with: part.0)
      translation = translation.replacing("{\(digit)}", with: part.1)
    }
    return (line, translation)
  }
}

extension SourceLiteral {
  /// The text without the prefix by which scripts recognize a line.
  var unmarkedText: String { text.replacing(/^(error: |\* |fieldcorder: )/, with: "") }

  /// Whether it has two words, or one beside an interpolation.
  var hasWords: Bool {
    let count = text.split(separator: " ").count {
      $0.wholeMatch(of: /["'(]*[A-Za-z][a-z'’]+[)"',.:;!?]*|[A-Z]{2,}/) != nil
    }
    return count >= (text.contains("{1}") ? 1 : 2)
  }
}

extension String {
  /// The text without the particles that depend on the word before them.
  fileprivate var withoutParticles: String {
    let choices = ["[은/는]", "[이/가]", "[을/를]", "[과/와]", "[으로/로]", "[이/]"]
    let forms = [
      "은(는)", "이(가)", "을(를)", "과(와)", "(으)로", "(이)", "으로", "은", "는", "이", "가", "을", "를", "과", "와", "로",
    ]
    return (choices + forms).reduce(self) { $0.replacing($1, with: "") }
  }
}
