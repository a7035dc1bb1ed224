import Text

/// Text that is valid UTF-8, as characters: a scalar and those of no width that are drawn over it.
extension Span where Element == UInt8 {
  /// How many bytes the first character has; 0 when there is none.
  var firstCharacterByteCount: Int {
    var end = 0
    while end < count {
      let scalarByteCount = scalarByteCount(at: end)
      if end > 0, scalar(at: end).columnCount > 0 { return end }
      end += scalarByteCount
    }
    return end
  }

  /// How many bytes the last character has; 0 when there is none.
  var lastCharacterByteCount: Int {
    var start = count
    while start > 0 {
      start -= 1
      if !self[start].isUTF8Continuation, scalar(at: start).columnCount > 0 { break }
    }
    return count - start
  }

  /// How many columns of a terminal the whole takes.
  var columnCount: Int {
    var columns = 0
    var index = 0
    while index < count {
      columns += scalar(at: index).columnCount
      index += scalarByteCount(at: index)
    }
    return columns
  }

  /// How many bytes of whole characters fit into `columns` columns.
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
