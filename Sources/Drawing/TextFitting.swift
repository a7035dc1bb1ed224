import Base

/// The lettering, its size, and the width available for a line.
struct LineWidth {
  let pixels: Int
  let size: LetterSize
  let lettering: Lettering

  /// The width of a text in pixels.
  func width(of text: Span<UInt8>) -> Int { lettering.width(of: text, size) }

  /// Whether a text fits.
  func holds(_ text: Span<UInt8>) -> Bool { width(of: text) <= pixels }
}

extension FixedText {
  /// The text cut to one line, with an ellipsis in place of what does not fit.
  func fitted(_ limit: LineWidth) -> FixedText {
    guard !limit.holds(bytes) else { return self }
    let ellipsis: Unicode.Scalar = "…"
    let room = limit.pixels * 64 - limit.lettering.advance(of: ellipsis, limit.size)
    guard room >= 0 else { return FixedText() }
    var fitted = FixedText()
    var whole = LetterLine(bytes, limit.lettering, limit.size)
    while let letter = whole.next(), whole.end <= room { fitted.append(scalar: letter.character) }
    // An ellipsis has three bytes.
    fitted.truncate(to: capacity - 3)
    fitted.append(scalar: ellipsis)
    return fitted
  }

  /// The number of lines that ``takeLine(_:)`` makes of the text; 0 if not even a letter fits.
  func lineCount(_ limit: LineWidth) -> Int {
    var rest = self
    var count = 0
    while !rest.isEmpty {
      guard !rest.takeLine(limit).isEmpty else { return 0 }
      count += 1
    }
    return count
  }

  /// Removes and returns the characters that fit into a line: whole words, unless the first of them is too long.
  mutating func takeLine(_ limit: LineWidth) -> FixedText {
    var line = FixedText()
    var rest = FixedText()
    // The length of the whole words in the line.
    var wordsEnd = 0
    var letters = LetterLine(bytes, limit.lettering, limit.size)
    while let letter = letters.next() {
      if letter.character == " ", rest.isEmpty { wordsEnd = line.byteCount }
      if letters.width <= limit.pixels, rest.isEmpty {
        line.append(scalar: letter.character)
      } else {
        rest.append(scalar: letter.character)
      }
    }
    guard !rest.isEmpty else {
      removeAll()
      return line
    }
    if wordsEnd > 0 {
      let words = line
      line.truncate(to: wordsEnd)
      self = FixedText(words.bytes.extracting(droppingFirst: wordsEnd))
      append(rest)
    } else {
      self = rest
    }
    let left = self
    if let next = left.bytes.removingPrefix(" ") { self = FixedText(next) }
    return line
  }
}
