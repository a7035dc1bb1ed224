import Base

/// A device's signed statement about a take: which bytes of the file it has recorded, and the hashes of these and of
/// the ledger's entries. A line of the ledger, always ``lineByteCount`` bytes long.
package struct Seal: Equatable, Sendable {
  /// The bytes of the file that it covers.
  package var content: Range<UInt64>
  package var contentHash: Digest
  /// How many bytes of the ledger after the seal's line are sealed.
  package var entryByteCount: Int
  /// The hash of these, followed by the two lines before the seal's.
  package var entryHash: Digest

  /// - Parameters:
  ///   - content: offsets less than 10¹⁶.
  ///   - entryByteCount: 0...99,999.
  package init(content: Range<UInt64>, contentHash: Digest, entryByteCount: Int, entryHash: Digest) {
    self.content = content
    self.contentHash = contentHash
    self.entryByteCount = entryByteCount
    self.entryHash = entryHash
  }

  /// `seal bytes 0000000000001024 to 0000000000005678: …, entries 00123: …, key …, signature …`
  @export(interface)
  package func line(signedBy key: SigningKey) -> FixedText<416> {
    let statement = statement(of: key.publicKey)
    return "\(statement)\(SignedStatement.ending(of: statement.bytes, signedBy: key))"
  }

  /// The length of the line, including its line feed.
  package static var lineByteCount: Int { SignedStatement.lineByteCount(statementByteCount: statementByteCount) }

  package static var lineStart: StaticString { "seal bytes " }

  /// The signed text.
  private func statement(of key: KeyBytes) -> FixedText<272> {
    let range: FixedText<64> = """
      \(Self.lineStart)\(content.lowerBound, width: 16) to \(content.upperBound, width: 16): 
      """
    return "\(range)\(contentHash.text), entries \(entryByteCount, width: 5): \(entryHash.text), key \(key.text)"
  }

  fileprivate static var statementByteCount: Int { 264 }
}

/// A seal as found in a file.
package struct FoundSeal: Sendable {
  package let seal: Seal
  /// The key of the device that made it.
  package let key: KeyBytes
  /// Whether the holder of the key has signed it.
  package let isSigned: Bool

  /// Nil if `line`, without its line feed, is not a seal.
  package init?(line: Span<UInt8>) {
    guard let signed = SignedStatement(line: line, statementByteCount: Seal.statementByteCount),
      let start = line.extracting(11..<27).parseInteger(as: UInt64.self),
      let end = line.extracting(31..<47).parseInteger(as: UInt64.self), start <= end,
      let contentHash = Digest(text: line.extracting(49..<113)),
      let entryByteCount = line.extracting(123..<128).parseInteger(as: Int.self),
      let entryHash = Digest(text: line.extracting(130..<194))
    else { return nil }
    seal = Seal(content: start..<end, contentHash: contentHash, entryByteCount: entryByteCount, entryHash: entryHash)
    key = signed.key
    isSigned = signed.isSigned
  }
}

/// The seals of a finished take, as found in its ledger.
package struct FoundSeals: Sendable {
  /// The seal of the content; nil if there is none.
  package let content: FoundSeal?
  /// The seal of the rest; nil while its line is blank, or says something else.
  package let rest: FoundRestSeal?
  /// Whether the line of the rest's seal says something else.
  package let isRestForeign: Bool
  /// Where the line of the rest's seal starts; nil if there is none.
  package let restOffset: Int?

  /// - Parameter text: the ledger from ``Swift/Span/firstSeal``.
  @export(interface)
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
  /// Where the first line of a seal begins; nil if there is none. It is never at the first byte.
  package var firstSeal: Int? {
    guard let content = firstLine(startingWith: Seal.lineStart) else {
      return firstLine(startingWith: RestSeal.lineStart)
    }
    return content
  }

  /// Where the first line with this prefix begins; nil if there is none. It is never at the first byte.
  func firstLine(startingWith prefix: StaticString) -> Int? {
    let count = prefix.utf8CodeUnitCount
    guard self.count > count else { return nil }
    for index in 1...self.count - count where self[index - 1] == UInt8(ascii: "\n") {
      if extracting(index..<index + count).equals(prefix) { return index }
    }
    return nil
  }
}

/// The parts of every seal's line: a statement, which ends with the key of its device, and its signature.
struct SignedStatement {
  /// The key of the device that made it.
  let key: KeyBytes
  /// Whether the holder of the key has signed it.
  let isSigned: Bool

  /// The length of a line, including its line feed.
  static func lineByteCount(statementByteCount: Int) -> Int {
    statementByteCount + signatureStart.utf8CodeUnitCount + 2 * KeyBytes.textByteCount + 1
  }

  /// The text that follows a statement in its line.
  static func ending(of statement: Span<UInt8>, signedBy key: SigningKey) -> FixedText<144> {
    let signature = key.sign(statement)
    return "\(signatureStart)\(signature.first.text)\(signature.second.text)\n"
  }

  /// Nil if `line`, without its line feed, is not such a line.
  init?(line: Span<UInt8>, statementByteCount: Int) {
    let length = KeyBytes.textByteCount
    guard line.count == Self.lineByteCount(statementByteCount: statementByteCount) - 1,
      let signature = line.extracting(droppingFirst: statementByteCount).removingPrefix(Self.signatureStart),
      let key = KeyBytes(text: line.extracting(statementByteCount - length..<statementByteCount)),
      let first = KeyBytes(text: signature.extracting(first: length)),
      let second = KeyBytes(text: signature.extracting(last: length))
    else { return nil }
    self.key = key
    isSigned = Signature(first: first, second: second)
      .isValid(for: line.extracting(first: statementByteCount), by: key)
  }

  private static var signatureStart: StaticString { ", signature " }
}
