import Base
import Media

/// The JPEG encoder inside the simulated camera, with one canvas.
@safe struct SimPictureCoder: ~Copyable {
  /// On libjpeg's scale. Differs from all the recorder's defaults, so that tests can see who encoded a picture.
  private static var quality: Int { 80 }

  private enum Marker {
    static let startOfScan: UInt8 = 0xDA
    static let huffmanTables: UInt8 = 0xC4
  }

  private let hasHuffmanTables: Bool
  private let canvas: SimCanvas
  // Safe: boot memory used only by the canvas, and drawn on only here.
  private let picture: UnsafeRawBufferPointer
  /// What is on the canvas; nil before the first picture.
  private var drawn: SimScene?
  private var encoder: JPEGEncoder

  /// - Parameters:
  ///   - format: raw, with even sides.
  ///   - hasHuffmanTables: whether the pictures include their Huffman tables, which are the standard ones.
  /// - Returns: nil if `memory` is used up.
  init?(_ format: VideoFormat, hasHuffmanTables: Bool, in memory: inout BootMemory) {
    guard let piece = unsafe memory.cut(byteCount: SimCanvas.byteCount(format)),
      let encoder = try? JPEGEncoder(format: format, quality: Self.quality, in: &memory)
    else { return nil }
    self.hasHuffmanTables = hasHuffmanTables
    canvas = unsafe SimCanvas(memory: piece, format: format)
    unsafe picture = UnsafeRawBufferPointer(piece)
    self.encoder = encoder
  }

  /// A size that any picture fits into.
  static func maximumByteCount(_ format: VideoFormat) -> Int { JPEGEncoder.maximumByteCount(format: format) }

  /// Call once on the encoding thread: it may use the heap.
  mutating func prepareThread() { encoder.prepareThread() }

  /// Makes a JPEG of the scene.
  /// - Parameter buffer: ``maximumByteCount(_:)`` bytes.
  /// - Returns: the size of the JPEG in bytes.
  mutating func code(_ scene: SimScene, into buffer: UnsafeMutableRawBufferPointer) -> Int {
    scene.draw(over: drawn, on: canvas)
    drawn = scene
    var room = unsafe MutableRawSpan(_unsafeBytes: buffer)
    guard let byteCount = try? unsafe encoder.encode(picture: RawSpan(_unsafeBytes: picture), into: &room) else {
      preconditionFailure("the buffer has room for any picture")
    }
    return hasHuffmanTables ? byteCount : unsafe Self.removeHuffmanTables(buffer, byteCount: byteCount)
  }

  /// Removes the DHT segments from a complete JPEG (ITU-T T.81, annex B).
  /// - Returns: the size of the rest in bytes.
  private static func removeHuffmanTables(_ jpeg: UnsafeMutableRawBufferPointer, byteCount: Int) -> Int {
    var offset = 2
    var keptByteCount = offset
    while unsafe jpeg[offset + 1] != Marker.startOfScan {
      let segmentByteCount = unsafe 2 + Int(jpeg[offset + 2]) << 8 + Int(jpeg[offset + 3])
      if unsafe jpeg[offset + 1] != Marker.huffmanTables {
        unsafe (jpeg.baseAddress! + keptByteCount).copyMemory(
          from: jpeg.baseAddress! + offset, byteCount: segmentByteCount)
        keptByteCount += segmentByteCount
      }
      offset += segmentByteCount
    }
    unsafe (jpeg.baseAddress! + keptByteCount).copyMemory(
      from: jpeg.baseAddress! + offset, byteCount: byteCount - offset)
    return keptByteCount + byteCount - offset
  }
}
