import Base

/// The marker segments before a JPEG's first scan (ITU-T T.81, annex B).
package enum JPEGSegments {
  package enum HuffmanTables: Equatable {
    /// Also reported where nothing before the first scan needs tables.
    case present
    /// They must be inserted before this byte, which begins the first scan.
    case missing(beforeOffset: Int)
  }

  private enum Marker {
    static let startOfImage: UInt8 = 0xD8
    static let endOfImage: UInt8 = 0xD9
    static let startOfScan: UInt8 = 0xDA
    static let huffmanTables: UInt8 = 0xC4
    static let baselineFrame: UInt8 = 0xC0
    static let extendedFrame: UInt8 = 0xC1
    static let prefix: UInt8 = 0xFF
  }

  /// Looks for Huffman tables before the first scan.
  /// - Returns: nil when this is not a JPEG or it ends before its first scan. A JPEG without a scan has no missing
  ///   tables.
  package static func tables(of jpeg: RawSpan) -> HuffmanTables? {
    guard jpeg.byteCount >= 4, jpeg.byte(at: 0) == Marker.prefix, jpeg.byte(at: 1) == Marker.startOfImage else {
      return nil
    }
    var offset = 2
    var needsTables = false
    while offset + 2 <= jpeg.byteCount, jpeg.byte(at: offset) == Marker.prefix {
      let marker = jpeg.byte(at: offset + 1)
      switch marker {
      case Marker.prefix: offset += 1
      case Marker.startOfScan: return needsTables ? .missing(beforeOffset: offset) : .present
      case Marker.huffmanTables, Marker.endOfImage: return .present
      default:
        guard offset + 4 <= jpeg.byteCount else { return nil }
        if marker == Marker.baselineFrame || marker == Marker.extendedFrame { needsTables = true }
        offset += 2 + Int(jpeg.byte(at: offset + 2)) << 8 + Int(jpeg.byte(at: offset + 3))
      }
    }
    return nil
  }
}
