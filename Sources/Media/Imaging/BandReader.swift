import Base
import CJPEG

/// Gives libjpeg the rows of one component, one band of MCUs at a time: in place where possible, otherwise a copy with
/// adjacent full-range samples and the last column repeated to fill the last block.
@safe struct BandReader {
  /// Samples along a side of a block (ITU-T T.81, clause A.1.3).
  static var blockSide: Int { 8 }

  private let reader: RowReader
  private let rowsPerBand: Int
  // Sound: boot memory with no other user, the size of one band; empty where rows are read in place.
  private let copies: UnsafeMutableRawBufferPointer

  /// - Returns: nil when `memory` is used up.
  init?(_ reader: RowReader, rowsPerBand: Int, in memory: inout BootMemory) {
    let byteCount = Self.copiesByteCount(reader, rowsPerBand: rowsPerBand)
    guard let copies = unsafe memory.cut(byteCount: byteCount) else { return nil }
    self.reader = reader
    self.rowsPerBand = rowsPerBand
    unsafe self.copies = copies
  }

  private static func copiesByteCount(_ reader: RowReader, rowsPerBand: Int) -> Int {
    mustCopy(reader) ? rowsPerBand * reader.plane.widthInWholeBlocks : 0
  }

  /// Whether libjpeg, which reads whole blocks, cannot read the rows in place.
  private static func mustCopy(_ reader: RowReader) -> Bool {
    reader.mustCopy || reader.plane.widthSamples != reader.plane.widthInWholeBlocks
  }

  /// The rows of a band. The picture must contain the whole plane.
  func rows(inBand band: Int, of picture: UnsafeRawBufferPointer) -> cjpeg_rows {
    let plane = reader.plane
    let firstRow = band * rowsPerBand
    let rowCount = min(rowsPerBand, plane.heightSamples - firstRow)
    let first = unsafe reader.start(ofRow: firstRow, in: picture)
    guard Self.mustCopy(reader) else {
      return unsafe cjpeg_rows(first_row: first, bytes_per_row: plane.bytesPerRow, row_count: UInt32(rowCount))
    }
    let copy = unsafe copies.baseAddress!.assumingMemoryBound(to: UInt8.self)
    let copyBytesPerRow = plane.widthInWholeBlocks
    for row in 0..<rowCount {
      unsafe copyRow(first + row * plane.bytesPerRow, to: copy + row * copyBytesPerRow)
    }
    return unsafe cjpeg_rows(first_row: copy, bytes_per_row: copyBytesPerRow, row_count: UInt32(rowCount))
  }

  private func copyRow(_ source: UnsafePointer<UInt8>, to copy: UnsafeMutablePointer<UInt8>) {
    unsafe reader.copyRow(source, to: copy)
    let last = unsafe copy[reader.plane.widthSamples - 1]
    for column in reader.plane.widthSamples..<reader.plane.widthInWholeBlocks { unsafe copy[column] = last }
  }
}

extension PlaneLayout {
  /// Samples of a row, rounded up to whole blocks.
  var widthInWholeBlocks: Int {
    (widthSamples + BandReader.blockSide - 1) / BandReader.blockSide * BandReader.blockSide
  }
}
