import Base

/// A device's signed statement about all bytes of a finished file that its ``Seal`` does not cover: header, tables,
/// ledger, and what an interrupted take had after its last seal. The last line of a ledger, always ``lineByteCount``
/// bytes long.
package struct RestSeal: Equatable, Sendable {
  /// When a seal is made.
  package enum Occasion: BitwiseCopyable, Equatable, Sendable {
    /// At the end of the take.
    case finished
    /// At boot, after the take or its ending was interrupted.
    case repaired

    fileprivate var word: StaticString { self == .finished ? "finished" : "repaired" }
  }

  package var occasion: Occasion
  /// The size of the file.
  package var byteCount: UInt64
  /// The hash of its bytes without those of the ``Seal``, and without this line.
  package var hash: Digest

  /// - Parameter byteCount: less than 10¹⁶.
  package init(_ occasion: Occasion, byteCount: UInt64, hash: Digest) {
    self.occasion = occasion
    self.byteCount = byteCount
    self.hash = hash
  }

  /// `seal when finished, file of 0000000000005678 bytes: …, key …, signature …`
  @export(interface)
  package func line(signedBy key: SigningKey) -> FixedText<336> {
    let statement: FixedText<192> = """
      \(Self.lineStart)\(occasion.word), file of \(byteCount, width: 16) bytes: \(hash.text), key \(key.publicKey.text)
      """
    return "\(statement)\(SignedStatement.ending(of: statement.bytes, signedBy: key))"
  }

  /// A placeholder for the line until its contents are known.
  package static var blankLine: FixedText<336> {
    var line: FixedText<336> = "\(lineStart)"
    while line.byteCount < lineByteCount - 1 { line.append(byte: UInt8(ascii: " ")) }
    line.append(byte: UInt8(ascii: "\n"))
    return line
  }

  /// The length of the line, including its line feed.
  package static var lineByteCount: Int { SignedStatement.lineByteCount(statementByteCount: statementByteCount) }

  package static var lineStart: StaticString { "seal when " }

  fileprivate static var statementByteCount: Int { 186 }
}

/// The seal of a file's rest, as found in the file.
package struct FoundRestSeal: Sendable {
  package let seal: RestSeal
  /// The key of the device that made it.
  package let key: KeyBytes
  /// Whether the holder of the key has signed it.
  package let isSigned: Bool

  /// Nil if `line`, without its line feed, is not such a seal.
  package init?(line: Span<UInt8>) {
    guard let signed = SignedStatement(line: line, statementByteCount: RestSeal.statementByteCount),
      let byteCount = line.extracting(28..<44).parseInteger(as: UInt64.self),
      let hash = Digest(text: line.extracting(52..<116))
    else { return nil }
    let word = line.extracting(10..<18)
    guard word.equals("finished") || word.equals("repaired") else { return nil }
    seal = RestSeal(word.equals("finished") ? .finished : .repaired, byteCount: byteCount, hash: hash)
    key = signed.key
    isSigned = signed.isSigned
  }
}

/// The hash of all bytes of a file except its content, which is a range, and a line after that.
package struct RestHash: Sendable {
  private var hash = RunningHash()
  /// Everything before this offset has been added or skipped.
  private var position: UInt64 = 0
  private let content: Range<UInt64>
  private let line: Range<UInt64>
  /// The size of the file.
  package let byteCount: UInt64

  /// - Parameters:
  ///   - content: may be empty.
  ///   - lineStart: the offset of a line of ``RestSeal/lineByteCount`` bytes.
  ///   - byteCount: the size of the file.
  /// - Returns: nil if these are not in order within the file.
  package init?(content: Range<UInt64>, lineStart: UInt64, byteCount: UInt64) {
    guard lineStart < byteCount, UInt64(RestSeal.lineByteCount) <= byteCount - lineStart,
      content.upperBound <= lineStart || content.lowerBound >= lineStart + UInt64(RestSeal.lineByteCount)
    else { return nil }
    self.content = content
    line = lineStart..<lineStart + UInt64(RestSeal.lineByteCount)
    self.byteCount = byteCount
  }

  /// The next bytes to pass to ``add(_:)``; nil after the last.
  package mutating func next(atMost count: Int) -> Range<UInt64>? {
    for _ in 0..<2 {
      if content.contains(position) { position = content.upperBound }
      if position == line.lowerBound { position = line.upperBound }
    }
    guard position < byteCount else { return nil }
    var end = min(byteCount, position + UInt64(count))
    if position < content.lowerBound { end = min(end, content.lowerBound) }
    if position < line.lowerBound { end = min(end, line.lowerBound) }
    return position..<end
  }

  /// Adds the bytes that ``next(atMost:)`` has named, or the first of them.
  package mutating func add(_ bytes: RawSpan) {
    hash.add(bytes)
    position += UInt64(bytes.byteCount)
  }

  /// The hash of the bytes added so far.
  package var digest: Digest { hash.digest }
}
