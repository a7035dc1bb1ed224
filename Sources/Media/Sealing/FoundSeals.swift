import Base

/// The seals of a finished take, as they were found in its ledger.
package struct FoundSeals: Sendable {
  /// The one of the content; nil if there is none.
  package let content: FoundSeal?
  /// The one of the rest; nil while its line is blank, or says something else.
  package let rest: FoundRestSeal?
  /// Whether the line of the rest's seal says something else.
  package let isRestForeign: Bool
  /// Where the line of the rest's seal starts; nil if there is none.
  package let restOffset: Int?

  /// - Parameter text: from ``Swift/Span/firstSeal`` on.
  package init(_ text: Span<UInt8>) {
    let isContent =
      text.removingPrefix(Seal.lineStart) != nil && text.count >= Seal.lineByteCount
      && text[Seal.lineByteCount - 1] == UInt8(ascii: "\n")
    content = isContent ? FoundSeal(line: text.extracting(first: Seal.lineByteCount - 1)) : nil
    let offset = text.removingPrefix(RestSeal.lineStart) != nil ? 0 : text.firstLine(startingWith: RestSeal.lineStart)
    guard let offset, text.count - offset >= RestSeal.lineByteCount else {
      rest = nil
      isRestForeign = false
      restOffset = nil
      return
    }
    restOffset = offset
    let line = text.extracting(offset..<offset + RestSeal.lineByteCount)
    let isLine = line[line.count - 1] == UInt8(ascii: "\n")
    rest = isLine ? FoundRestSeal(line: line.extracting(first: line.count - 1)) : nil
    isRestForeign = rest == nil && !RestSeal.blankLine.bytes.equals(line)
  }
}

extension Span<UInt8> {
  /// Where the first line of a seal begins; nil if there is none. The first byte begins none.
  package var firstSeal: Int? {
    guard let content = firstLine(startingWith: Seal.lineStart) else {
      return firstLine(startingWith: RestSeal.lineStart)
    }
    return content
  }

  /// Where the first line begins that starts so; nil if there is none. The first byte begins none.
  func firstLine(startingWith prefix: StaticString) -> Int? {
    let count = prefix.utf8CodeUnitCount
    guard self.count > count else { return nil }
    for index in 1...self.count - count where self[index - 1] == UInt8(ascii: "\n") {
      if extracting(index..<index + count).equals(prefix) { return index }
    }
    return nil
  }
}
