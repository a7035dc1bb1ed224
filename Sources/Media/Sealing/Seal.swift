import Base

/// What a device states of a take, and signs: which bytes of the file it has recorded, and what their hash and that of the
/// ledger's entries is. A line of the ledger, always of ``lineByteCount`` bytes.
package struct Seal: Equatable, Sendable {
  /// The bytes of the file that it is about.
  package var content: Range<UInt64>
  /// Their ``ContentHash``.
  package var contentHash: Digest
  /// So many bytes of the ledger behind the seal's line are sealed.
  package var entryByteCount: Int
  /// Of these, and then of the two lines in front of the seal's.
  package var entryHash: Digest

  /// - Parameters:
  ///   - content: less than 10¹⁶.
  ///   - entryByteCount: 0...99,999.
  package init(content: Range<UInt64>, contentHash: Digest, entryByteCount: Int, entryHash: Digest) {
    self.content = content
    self.contentHash = contentHash
    self.entryByteCount = entryByteCount
    self.entryHash = entryHash
  }

  /// `seal bytes 0000000000001024 to 0000000000005678: …, entries 00123: …, key …, signature …`
  package func line(signedBy key: SigningKey) -> FixedText<416> {
    let statement = statement(of: key.publicKey)
    return "\(statement)\(SignedStatement.ending(of: statement.bytes, signedBy: key))"
  }

  /// Bytes of the line, its end included.
  package static var lineByteCount: Int { SignedStatement.lineByteCount(statementByteCount: statementByteCount) }

  /// How the line starts.
  package static var lineStart: StaticString { "seal bytes " }

  /// What is signed.
  private func statement(of key: KeyBytes) -> FixedText<272> {
    let range: FixedText<64> = """
      \(Self.lineStart)\(content.lowerBound, width: 16) to \(content.upperBound, width: 16): 
      """
    return "\(range)\(contentHash.text), entries \(entryByteCount, width: 5): \(entryHash.text), key \(key.text)"
  }

  fileprivate static var statementByteCount: Int { 264 }
}

/// A seal as it was found in a file.
package struct FoundSeal: Sendable {
  /// What is stated.
  package let seal: Seal
  /// By whom.
  package let key: KeyBytes
  /// Whether the holder of the key has signed it.
  package let isSigned: Bool

  /// Nil if `line` is not the line of a seal, without its end.
  package init?(line: Span<UInt8>) {
    guard let signed = SignedStatement(line: line, statementByteCount: Seal.statementByteCount),
      let start = line.extracting(11..<27).parseInteger(as: UInt64.self),
      let end = line.extracting(31..<47).parseInteger(as: UInt64.self), start <= end,
      let contentHash = Digest(text: line.extracting(49..<113)),
      let entryByteCount = line.extracting(123..<128).parseInteger(as: Int.self),
      let entryHash = Digest(text: line.extracting(130..<194))
    else { return nil }
    seal = Seal(
      content: start..<end, contentHash: contentHash, entryByteCount: entryByteCount, entryHash: entryHash)
    key = signed.key
    isSigned = signed.isSigned
  }
}
