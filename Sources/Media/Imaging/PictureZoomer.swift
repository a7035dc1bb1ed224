import Values
import Rings

/// Writes what is to be seen of a camera's raw picture at a zoom into a buffer of the same pixel format, whose rows may
/// be longer or more: for encoders that are not ours. Samples keep their range.
///
/// All memory is taken when it is made.
public struct PictureZoomer: ~Copyable {
  private let copier: PictureCopier
  private let layout: PictureLayout
  private let targetByteCount: Int
  private let readers: ComponentReaders
  private let writer: BandWriter
  private var scaler: ComponentScalers

  /// - Parameters:
  ///   - source: of the camera's pictures, and of what is shown of them, which is as large.
  ///   - target: of the buffers that are written to.
  ///   - memory: gives ``byteCount(from:)`` bytes for the life of the process.
  /// - Returns: nil for compressed pictures, where `target` is another format or smaller, or when `memory` has not
  ///   ``byteCount(from:)`` left.
  public init?(from source: VideoFormat, to target: VideoFormat, in memory: inout BootMemory) {
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

  /// Whether there can be one with enough memory.
  public static func isPossible(from source: VideoFormat, to target: VideoFormat) -> Bool {
    PictureCopier(from: source, to: target) != nil
  }

  /// What it takes of boot memory: one band of MCUs of each component, and a few rows. 0 for compressed pictures.
  public static func byteCount(from source: VideoFormat) -> Int {
    guard let layout = PictureLayout(source) else { return 0 }
    return ComponentScalers.byteCount(target: layout)
  }

  /// Writes one picture. What `room` has beside and below it stays as it is.
  /// - Parameter factor: how much of it is to be seen: its middle, 1 / `factor` of each side, as large as the whole. 1 or
  ///   less is all of it, sample by sample.
  /// - Returns: false, and nothing is written, when either has not the bytes that its format says.
  public mutating func zoom(_ picture: RawSpan, by factor: Double, into room: inout MutableRawSpan) -> Bool {
    guard factor > 1 else { return copier.copy(picture, into: &room) }
    guard picture.byteCount >= layout.byteCount, room.byteCount >= targetByteCount else { return false }
    // Sound: both were just held against their layouts.
    unsafe room.withUnsafeMutableBytes { target in
      unsafe picture.withUnsafeBytes { source in unsafe zoom(source, by: factor, into: target) }
    }
    return true
  }

  private mutating func zoom(
    _ picture: UnsafeRawBufferPointer, by factor: Double, into room: UnsafeMutableRawBufferPointer
  ) {
    var rows = unsafe RawRows(picture, readers: readers, copy: scaler.rowCopy)
    scaler.begin(rows, zoomFactor: factor)
    for band in 0..<layout.bandCount {
      unsafe writer.write(scaler.rows(inBand: band, of: &rows), asBand: band, of: room)
    }
  }
}
