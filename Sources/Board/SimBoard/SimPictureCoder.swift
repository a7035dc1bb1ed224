import Imaging
import Rings
import Values

/// What makes JPEGs of the pictures inside of a camera: one canvas, and an encoder.
@safe struct SimPictureCoder: ~Copyable {
  /// On the scale of libjpeg, and none that the recorder codes with by default: who coded a picture is seen.
  private static var quality: Int { 80 }

  private enum Marker {
    static let startOfScan: UInt8 = 0xDA
    static let huffmanTables: UInt8 = 0xC4
  }

  private let hasHuffmanTables: Bool
  private let canvas: SimCanvas
  // Sound: boot memory that nothing but the canvas was given, and is drawn on only here.
  private let picture: UnsafeRawBufferPointer
  /// What the canvas shows; nil before the first picture.
  private var drawn: SimScene?
  private var encoder: JPEGEncoder

  /// - Parameters:
  ///   - format: raw, of even sides.
  ///   - hasHuffmanTables: whether the pictures have the tables that they are coded with, which are the standard's.
  /// - Returns: nil when `memory` is used up.
  init?(_ format: VideoFormat, hasHuffmanTables: Bool, in memory: inout BootMemory) {
    guard let piece = unsafe memory.cut(byteCount: SimCanvas.byteCount(format)),
      let encoder = try? JPEGEncoder(format: format, quality: Self.quality, in: &memory)
    else { return nil }
    self.hasHuffmanTables = hasHuffmanTables
    canvas = unsafe SimCanvas(memory: piece, format: format)
    unsafe picture = UnsafeRawBufferPointer(piece)
    self.encoder = encoder
  }

  /// Room for any picture.
  static func maximumByteCount(_ format: VideoFormat) -> Int { JPEGEncoder.maximumByteCount(format: format) }

  /// To be called once by the thread that is to code: it may use the heap.
  mutating func prepareThread() { encoder.prepareThread() }

  /// Makes a JPEG of the scene.
  /// - Parameter buffer: ``maximumByteCount(_:)`` bytes.
  /// - Returns: bytes of the JPEG.
  mutating func code(_ scene: SimScene, into buffer: UnsafeMutableRawBufferPointer) -> Int {
    scene.draw(over: drawn, on: canvas)
    drawn = scene
    var room = unsafe MutableRawSpan(_unsafeBytes: buffer)
    guard let byteCount = try? unsafe encoder.encode(picture: RawSpan(_unsafeBytes: picture), into: &room) else {
      preconditionFailure("the buffer has room for any picture")
    }
    return hasHuffmanTables ? byteCount : unsafe Self.removeHuffmanTables(buffer, byteCount: byteCount)
  }

  /// Takes the segments DHT out of a whole JPEG (ITU-T T.81, annex B).
  /// - Returns: bytes of what is left.
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
