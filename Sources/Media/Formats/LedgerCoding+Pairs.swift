import Base

extension LedgerFacts {
  /// How many of the pairs are known.
  var knownPairCount: UInt32 {
    var count: UInt32 = 0
    for index in 0..<Self.pairCount where !pair(index).text.isEmpty { count += 1 }
    return count
  }
}

extension LedgerCoding {
  /// The items that iTunes and others put beside the comment: the title, and for what has no item of its own a pair of a
  /// name and a text.
  static func encodeItems(_ facts: borrowing LedgerFacts, into writer: inout ByteWriter) {
    let title = FourCharacterCode(bigEndianValue: 0xA96E_616D)
    for index in 0..<LedgerFacts.pairCount {
      let (name, text) = facts.pair(index)
      if text.isEmpty { continue }
      writer.box(index == 0 ? title : "----") { writer in
        if index > 0 {
          writer.fullBox("mean") { writer in writer.text("com.apple.iTunes") }
          writer.fullBox("name") { writer in writer.text(name) }
        }
        writer.box("data") { writer in
          writer.big32(1)
          writer.big32(0)
          writer.text(text)
        }
      }
    }
  }

  /// `©xyz`, the position as ISO 6709 writes it: QTFF, "User Data Text Strings and Language Codes".
  static func encodePlace(_ facts: borrowing LedgerFacts, into writer: inout ByteWriter) {
    guard let text = place(facts.entry("position: ").bytes) else { return }
    let unspecifiedLanguage: UInt16 = 0x7FFF
    writer.box(FourCharacterCode(bigEndianValue: 0xA978_797A)) { writer in
      writer.big16(UInt16(text.byteCount))
      writer.big16(unspecifiedLanguage)
      writer.text(text)
    }
  }

  /// A position in degrees as ISO 6709 writes it; nil if it is none.
  static func place(_ position: Span<UInt8>) -> FixedText<64>? {
    let latitude = position.firstWord
    let longitude = position.extracting(droppingFirst: min(latitude.count + 1, position.count)).firstWord
    var text = FixedText<64>()
    guard text.append(coordinate: latitude, digits: 2), text.append(coordinate: longitude, digits: 3) else {
      return nil
    }
    text.append("/")
    return text
  }

  /// AIFF 1.3, "The Marker Chunk"; and ID3v2.4, of which every program that reads ID3 shows the title and most the pairs.
  static func encodeAIFF(_ facts: borrowing LedgerFacts, into writer: inout ByteWriter) {
    if facts.knownPairCount > 0 { writer.evenBigChunk("ID3 ") { writer in encodeID3(facts, into: &writer) } }
    let count = facts.markCount(within: writer.freeByteCount - 10, overhead: 2 + 4 + 1 + 1)
    guard count > 0 else { return }
    writer.evenBigChunk("MARK") { writer in
      writer.big16(UInt16(count))
      var mark = LedgerMark()
      for number in 1...count where facts.goToNext(&mark) {
        writer.big16(UInt16(number))
        writer.big32(UInt32(mark.frame))
        writer.byte(UInt8(mark.label.byteCount))
        writer.text(mark.label)
        if mark.label.byteCount % 2 == 0 { writer.byte(0) }
      }
    }
  }

  private static func encodeID3(_ facts: borrowing LedgerFacts, into writer: inout ByteWriter) {
    writer.text("ID3\u{4}\0\0")
    let sizePlace = writer.byteCount
    writer.big32(0)
    for index in 0..<LedgerFacts.pairCount {
      let (name, text) = facts.pair(index)
      if text.isEmpty { continue }
      writer.text(index == 0 ? "TIT2" : "TXXX")
      writer.big32(id3Size(1 + (index == 0 ? 0 : name.byteCount + 1) + text.byteCount))
      // No flags; then UTF-8.
      writer.text("\0\0\u{3}")
      if index > 0 {
        writer.text(name)
        writer.byte(0)
      }
      writer.text(text)
    }
    // exiftool wants room for another frame's head, or calls the last one invalid.
    writer.zeros(10)
    writer.patchBig32(id3Size(writer.byteCount - sizePlace - 4), at: sizePlace)
  }

  /// Seven bits in each byte: ID3v2.4, 6.2.
  private static func id3Size(_ byteCount: Int) -> UInt32 {
    let size = UInt32(byteCount)
    return (size & 0x3F80) << 1 | size & 0x7F
  }

  /// `CAFStringsChunk`: keys and values, each terminated by a 0 byte.
  static func encodeStrings(_ facts: borrowing LedgerFacts, into writer: inout ByteWriter) {
    for index in 0..<LedgerFacts.pairCount {
      let (name, text) = facts.pair(index)
      if text.isEmpty { continue }
      if index > 0 { writer.text("org.fieldcorder.") }
      writer.text(name)
      writer.byte(0)
      writer.text(text)
      writer.byte(0)
    }
  }

  /// `CAFMarkerChunk`, and `CAFStrings` with their texts.
  static func encodeMarkers(_ facts: borrowing LedgerFacts, into writer: inout ByteWriter) {
    let count = facts.markCount(within: writer.freeByteCount - 20 - 16, overhead: 28 + 12 + 1)
    guard count > 0 else { return }
    writer.wideChunk("mark") { writer in
      writer.big32(0)
      writer.big32(count)
      var mark = LedgerMark()
      for number in 1...count where facts.goToNext(&mark) {
        writer.big32(0)
        writer.big64(Double(mark.frame).bitPattern)
        writer.big32(number)
        // No SMPTE time.
        writer.big64(.max)
        writer.big32(0)
      }
    }
    writer.wideChunk("strg") { writer in
      writer.big32(count)
      var mark = LedgerMark()
      var offset: UInt64 = 0
      for number in 1...count where facts.goToNext(&mark) {
        writer.big32(number)
        writer.big64(offset)
        offset += UInt64(mark.label.byteCount) + 1
      }
      mark = LedgerMark()
      for _ in 1...count where facts.goToNext(&mark) {
        writer.text(mark.label)
        writer.byte(0)
      }
    }
  }
}

extension FixedText {
  /// Appends degrees with a sign, and with zeros before the point.
  /// - Returns: false if the text is no such number.
  fileprivate mutating func append(coordinate text: Span<UInt8>, digits: Int) -> Bool {
    let isNegative = text.removingPrefix("-") != nil
    let number = text.extracting(droppingFirst: isNegative ? 1 : 0)
    guard number.parseDecimal() != nil else { return false }
    append(isNegative ? "-" : "+")
    for _ in (number.firstIndex(of: ".") ?? number.count)..<max(digits, number.firstIndex(of: ".") ?? number.count) {
      append("0")
    }
    append(bytes: number)
    return true
  }
}
