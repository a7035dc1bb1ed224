import Base

/// Where a finished file has what is behind its media: the tables of a MOV, and hashes and ledger.
///
/// Only there seals are looked for. In front of it there may be what an attempt to finish the file has left, which a power
/// cut ended.
package enum ClosingPlace {
  /// Bytes that ``start(front:fileByteCount:)`` needs.
  package static var frontByteCount: Int { AudioFileDescription.headerByteCount }

  /// Its first byte; nil for a file that is not finished, or whose front is damaged.
  /// - Parameter front: how the file begins.
  package static func start(front: RawSpan, fileByteCount: UInt64) -> UInt64? {
    let start = movieStart(front) ?? soundStart(front)
    return start.flatMap { $0 < fileByteCount ? $0 : nil }
  }

  private static func movieStart(_ front: RawSpan) -> UInt64? {
    guard front.code(at: 4) == "ftyp", let fileType = front.box(in: 0..<front.byteCount),
      front.big32(at: fileType.end) == FrontBox.sizeIsIn64Bits, front.code(at: fileType.end + 4) == "mdat",
      let byteCount = front.big64(at: fileType.end + 8)
    else { return nil }
    return byteCount.addingReportingOverflow(UInt64(fileType.end)).partialValue
  }

  private static func soundStart(_ front: RawSpan) -> UInt64? {
    guard front.byteCount >= frontByteCount else { return nil }
    let header = front.extracting(first: frontByteCount)
    guard let layout = AudioHeaderLayout(header), let dataByteCount = layout.closedByteCount(in: header),
      dataByteCount <= layout.container.maximumDataByteCount
    else { return nil }
    return UInt64(frontByteCount + layout.container.paddingByteCount(dataByteCount: dataByteCount)) + dataByteCount
  }
}
