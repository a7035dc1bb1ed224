import CJPEG
import Rings

/// Hands libjpeg the rows of one component, one band of MCUs at a time: where they lie if it can read them there, and
/// otherwise copied, sample next to sample, their range expanded if it is limited, with the last column repeated up to
/// a whole block.
@safe struct BandReader {
  /// Samples along a side of a block (ITU-T T.81, clause A.1.3).
  static var blockSide: Int { 8 }

  private let plane: PlaneLayout
  private let rowsPerBand: Int
  /// Nil where the samples are as they should be.
  private let expansion: RangeExpansion?
  // Sound: boot memory that nothing else was given, one band large; without bytes where rows are read in place.
  private let copies: UnsafeMutableRawBufferPointer

  /// - Returns: nil when `memory` has not ``byteCount(plane:rowsPerBand:)`` left.
  init?(plane: PlaneLayout, rowsPerBand: Int, expansion: RangeExpansion?, in memory: inout BootMemory) {
    let byteCount = Self.copiesByteCount(plane: plane, rowsPerBand: rowsPerBand, isExpanded: expansion != nil)
    guard let copies = unsafe memory.cut(byteCount: byteCount) else { return nil }
    self.plane = plane
    self.rowsPerBand = rowsPerBand
    self.expansion = expansion
    unsafe self.copies = copies
  }

  /// What ``init(plane:rowsPerBand:expansion:in:)`` takes of boot memory.
  static func byteCount(plane: PlaneLayout, rowsPerBand: Int, isExpanded: Bool) -> Int {
    BootMemory.footprint(
      byteCount: copiesByteCount(plane: plane, rowsPerBand: rowsPerBand, isExpanded: isExpanded))
  }

  private static func copiesByteCount(plane: PlaneLayout, rowsPerBand: Int, isExpanded: Bool) -> Int {
    plane.isWholeBlocks && !isExpanded ? 0 : rowsPerBand * plane.widthInBlocks * blockSide
  }

  /// The rows of band number `band` of a picture that is at least as large as the plane's end.
  func rows(inBand band: Int, of picture: UnsafeRawBufferPointer) -> cjpeg_rows {
    let firstRow = band * rowsPerBand
    let rowCount = min(rowsPerBand, plane.heightSamples - firstRow)
    let start = plane.offset + firstRow * plane.bytesPerRow
    let first = unsafe picture.baseAddress!.advanced(by: start).assumingMemoryBound(to: UInt8.self)
    guard !plane.isWholeBlocks || expansion != nil else {
      return unsafe cjpeg_rows(first_row: first, bytes_per_row: plane.bytesPerRow, row_count: UInt32(rowCount))
    }
    let copy = unsafe copies.baseAddress!.assumingMemoryBound(to: UInt8.self)
    let copyBytesPerRow = plane.widthInBlocks * Self.blockSide
    for row in 0..<rowCount {
      unsafe copyRow(first + row * plane.bytesPerRow, to: copy + row * copyBytesPerRow)
    }
    return unsafe cjpeg_rows(first_row: copy, bytes_per_row: copyBytesPerRow, row_count: UInt32(rowCount))
  }

  private func copyRow(_ source: UnsafePointer<UInt8>, to copy: UnsafeMutablePointer<UInt8>) {
    // Spelled out so that the optimiser makes a vector loop of each.
    switch plane.bytesToNextSample {
    case 1: unsafe gather(every: 1, from: source, to: copy)
    case 2: unsafe gather(every: 2, from: source, to: copy)
    case 4: unsafe gather(every: 4, from: source, to: copy)
    default: unsafe gather(every: plane.bytesToNextSample, from: source, to: copy)
    }
    if let expansion { unsafe expansion.apply(to: copy, count: plane.widthSamples) }
    let last = unsafe copy[plane.widthSamples - 1]
    for column in plane.widthSamples..<plane.widthInBlocks * Self.blockSide { unsafe copy[column] = last }
  }

  @inline(__always)
  private func gather(every step: Int, from source: UnsafePointer<UInt8>, to copy: UnsafeMutablePointer<UInt8>) {
    for column in 0..<plane.widthSamples { unsafe copy[column] = source[column &* step] }
  }
}

extension PlaneLayout {
  fileprivate var widthInBlocks: Int { (widthSamples + BandReader.blockSide - 1) / BandReader.blockSide }

  /// Whether libjpeg, which reads whole blocks, can read the rows where they lie.
  fileprivate var isWholeBlocks: Bool { bytesToNextSample == 1 && widthSamples % BandReader.blockSide == 0 }
}
