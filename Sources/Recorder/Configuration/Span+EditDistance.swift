extension Span where Element == UInt8 {
  /// How many bytes must be put in, taken out or replaced to make `other` of this (Levenshtein's distance); words over
  /// 64 bytes count as far from everything.
  func editDistance(to other: Span<UInt8>) -> Int {
    guard count <= 64, other.count <= 64 else { return 64 }
    // The distances from what has been read of this word to every beginning of the other.
    var row = InlineArray<65, Int>(repeating: 0)
    for column in 0...other.count { row[column] = column }
    for index in indices {
      var diagonal = row[0]
      row[0] = index + 1
      for column in other.indices {
        let replaced = diagonal + (self[index] == other[column] ? 0 : 1)
        diagonal = row[column + 1]
        row[column + 1] = Swift.min(replaced, Swift.min(diagonal, row[column]) + 1)
      }
    }
    return row[other.count]
  }
}
