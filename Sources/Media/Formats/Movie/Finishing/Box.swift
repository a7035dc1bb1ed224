/// The position of a box in a piece of a file.
struct Box {
  let type: FourCharacterCode
  let start: Int
  let end: Int

  /// Behind size and type.
  var contentStart: Int { start + 8 }
  var range: Range<Int> { start..<end }
  var content: Range<Int> { contentStart..<end }
}

extension RawSpan {
  /// The box at `range`'s start; nil when it does not lie wholly inside.
  func box(in range: Range<Int>) -> Box? {
    guard let size = big32(at: range.lowerBound), let type = code(at: range.lowerBound + 4),
      size >= 8, Int(size) <= range.count, range.upperBound <= byteCount
    else { return nil }
    return Box(type: type, start: range.lowerBound, end: range.lowerBound + Int(size))
  }

  /// The first box of `type` among those that follow each other in `range`.
  func firstBox(_ type: FourCharacterCode, in range: Range<Int>) -> Box? {
    var rest = range
    while let box = box(in: rest) {
      if box.type == type { return box }
      rest = box.end..<rest.upperBound
    }
    return nil
  }
}
