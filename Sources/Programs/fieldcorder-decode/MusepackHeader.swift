import CFFmpeg
import CLinux

/// The stream header of Musepack SV8. FFmpeg counts in blocks of packets, which are up to 1.7 s long.
enum MusepackHeader {
  private static let byteCount = 64

  /// The frames that went into the encoder; nil when the header is not at the file's beginning.
  static func frameCount(_ input: borrowing FileInput) -> Int64? {
    var bytes = InlineArray<64, UInt8>(repeating: 0)
    var span = bytes.mutableSpan
    let count = unsafe span.withUnsafeMutableBufferPointer { unsafe input.peek($0.baseAddress!, byteCount: $0.count) }
    guard count == byteCount, bytes.span.extracting(first: 4).isText("MPCK") else { return nil }
    var offset = 4
    while offset + 2 < byteCount {
      let isStreamHeader = bytes.span.extracting(offset..<offset + 2).isText("SH")
      var next = offset + 2
      guard let size = number(bytes.span, &next), size > 2 else { return nil }
      guard isStreamHeader else {
        guard size < byteCount else { return nil }
        offset += Int(size)
        continue
      }
      // After a checksum and the version.
      next += 5
      return number(bytes.span, &next)
    }
    return nil
  }

  /// Seven bits a byte, the highest first; all bytes but the last have their upper bit set.
  private static func number(_ bytes: Span<UInt8>, _ offset: inout Int) -> Int64? {
    var value: Int64 = 0
    while offset < bytes.count, value < 1 << 33 {
      let byte = bytes[offset]
      offset += 1
      value = value << 7 | Int64(byte & 0x7F)
      if byte & 0x80 == 0 { return value }
    }
    return nil
  }
}

extension Span<UInt8> {
  fileprivate func isText(_ text: StaticString) -> Bool {
    for index in indices where unsafe self[index] != text.utf8Start[index] { return false }
    return true
  }
}
