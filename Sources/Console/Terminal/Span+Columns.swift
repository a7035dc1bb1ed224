import Base

/// Valid UTF-8 text as characters: a scalar and the zero-width ones drawn over it.
extension Span where Element == UInt8 {
  /// The byte count of the first character; 0 if there is none.
  var firstCharacterByteCount: Int {
    var end = 0
    while end < count {
      let scalarByteCount = scalarByteCount(at: end)
      if end > 0, scalar(at: end).columnCount > 0 { return end }
      end += scalarByteCount
    }
    return end
  }

  /// The byte count of the last character; 0 if there is none.
  var lastCharacterByteCount: Int {
    var start = count
    while start > 0 {
      start -= 1
      if !self[start].isUTF8Continuation, scalar(at: start).columnCount > 0 { break }
    }
    return count - start
  }

  /// The width of the text in columns of a terminal.
  package var columnCount: Int {
    var columns = 0
    var index = 0
    while index < count {
      columns += scalar(at: index).columnCount
      index += scalarByteCount(at: index)
    }
    return columns
  }

  /// The byte count of the whole characters that fit into `columns` columns.
  func byteCount(fittingColumns columns: Int) -> Int {
    var columnCount = 0
    var end = 0
    while end < count {
      columnCount += scalar(at: end).columnCount
      if columnCount > columns { return end }
      end += scalarByteCount(at: end)
    }
    return end
  }

  private func scalarByteCount(at index: Int) -> Int {
    switch self[index] {
    case ..<0x80: 1
    case ..<0xE0: 2
    case ..<0xF0: 3
    default: 4
    }
  }

  private func scalar(at index: Int) -> Unicode.Scalar {
    var decoder = UTF8Decoder()
    for offset in index..<count {
      if let scalar = decoder.next(self[offset]) { return scalar }
    }
    return UTF8Decoder.replacement
  }
}

extension Unicode.Scalar {
  /// The width in columns of a terminal: 2 for wide characters of East Asia and emoji (Unicode Standard Annex 11), 0
  /// for combining ones, which include the vowels and finals of a decomposed Hangul syllable.
  var columnCount: Int {
    switch value {
    case ..<0x300: 1
    case 0x300...0x36F, 0x1160...0x11FF, 0x1AB0...0x1AFF, 0x1DC0...0x1DFF, 0x200B...0x200F, 0x20D0...0x20FF,
      0x302A...0x302D, 0x3099...0x309A, 0xD7B0...0xD7FF, 0xFE00...0xFE0F, 0xFE20...0xFE2F, 0xE0100...0xE01EF:
      0
    case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x4DBF, 0x4E00...0xA4CF, 0xA960...0xA97F, 0xAC00...0xD7A3,
      0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF01...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1F64F, 0x1F680...0x1F6FF,
      0x1F900...0x1F9FF, 0x20000...0x3FFFD:
      2
    default: 1
    }
  }
}
