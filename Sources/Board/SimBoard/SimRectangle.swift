/// A rectangle of a picture with even edges, so that it holds whole chroma samples.
struct SimRectangle: Equatable, Sendable {
  var columns: Range<Int>
  var rows: Range<Int>

  init(columns: Range<Int>, rows: Range<Int>) {
    self.columns = columns.lowerBound & ~1..<columns.upperBound & ~1
    self.rows = rows.lowerBound & ~1..<rows.upperBound & ~1
  }
}
