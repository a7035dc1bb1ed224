import Base

/// Writes the visible part of a camera's raw picture into a buffer of the same pixel format, which may have longer
/// rows, or more of them. Used for the machine's own encoder. Samples keep their range.
///
/// All memory is allocated by the initialiser.
package struct PictureZoomer: ~Copyable {
  private let copier: PictureCopier
  private let layout: PictureLayout
  private let targetByteCount: Int
  private let readers: ComponentReaders
  private let writer: BandWriter
  private var scaler: ComponentScalers

  /// - Parameters:
  ///   - source: the camera's format; zoomed pictures have the same size.
  ///   - target: the format of the buffers that are written.
  /// - Returns: nil for compressed pictures, if `target` is another format or smaller, or if `memory` is used up.
  @export(interface)
  package init?(from source: VideoFormat, to target: VideoFormat, in memory: inout BootMemory) {
    guard let copier = PictureCopier(from: source, to: target), let layout = PictureLayout(source),
      let targetLayout = PictureLayout(target), let scaler = ComponentScalers(target: layout, in: &memory)
    else { return nil }
    self.copier = copier
    self.layout = layout
    targetByteCount = targetLayout.byteCount
    readers = ComponentReaders(layout, colorRange: .full)
    writer = BandWriter(targetLayout, picture: source)
    self.scaler = scaler
  }

  /// Whether a zoomer can be created, given enough memory.
  package static func isPossible(from source: VideoFormat, to target: VideoFormat) -> Bool {
    PictureCopier(from: source, to: target) != nil
  }

  /// Writes one picture. Bytes beside and below it in `buffer` are left unchanged.
  /// - Parameter factor: shows the middle of the picture, 1 / `factor` of each side, at full size. 1 or less copies all
  ///   of it.
  /// - Returns: false, with nothing written, if either has fewer bytes than its format requires.
  @export(interface)
  package mutating func zoom(_ picture: RawSpan, by factor: Double, into buffer: inout MutableRawSpan) -> Bool {
    guard factor > 1 else { return copier.copy(picture, into: &buffer) }
    guard picture.byteCount >= layout.byteCount, buffer.byteCount >= targetByteCount else { return false }
    // Safe: both were just checked against their layouts.
    unsafe buffer.withUnsafeMutableBytes { target in
      unsafe picture.withUnsafeBytes { source in
        var rows = unsafe RawRows(source, readers: readers, copy: scaler.rowCopy)
        unsafe write(&rows, zoomedBy: factor, into: target)
      }
    }
    return true
  }

  /// Writes a raw picture of another format, allowed by ``FormatChange``, at the size of this one.
  /// - Returns: false, with nothing written, if either has fewer bytes than its format requires.
  @export(interface)
  package mutating func zoom(
    _ picture: RawSpan, of other: VideoFormat, by factor: Double, into buffer: inout MutableRawSpan
  ) -> Bool {
    guard let otherLayout = PictureLayout(other), picture.byteCount >= otherLayout.byteCount,
      buffer.byteCount >= targetByteCount
    else { return false }
    let readers = ComponentReaders(otherLayout, colorRange: .full)
    // Safe: both were just checked against their layouts.
    unsafe buffer.withUnsafeMutableBytes { target in
      unsafe picture.withUnsafeBytes { source in
        var rows = unsafe RawRows(source, readers: readers, copy: scaler.rowCopy)
        unsafe write(&rows, zoomedBy: max(factor, 1), keepsProportions: true, into: target)
      }
    }
    return true
  }

  /// Writes words in place of a picture.
  /// - Returns: false, with nothing written, if the buffer has fewer bytes than its format requires.
  @export(interface)
  package mutating func write(_ sign: Sign, into buffer: inout MutableRawSpan) -> Bool {
    guard buffer.byteCount >= targetByteCount else { return false }
    // Safe: it was just checked against its layout.
    unsafe buffer.withUnsafeMutableBytes { target in
      var rows = unsafe SignRows(sign, layout, copy: scaler.rowCopy)
      unsafe write(&rows, zoomedBy: 1, into: target)
    }
    return true
  }

  private mutating func write<Source: SampleRows & ~Copyable>(
    _ rows: inout Source, zoomedBy factor: Double, keepsProportions: Bool = false,
    into buffer: UnsafeMutableRawBufferPointer
  ) where Source.Failure == Never {
    scaler.begin(rows, zoomFactor: factor, keepsProportions: keepsProportions)
    for band in 0..<layout.bandCount {
      unsafe writer.write(scaler.rows(inBand: band, of: &rows), asBand: band, of: buffer)
    }
  }
}
