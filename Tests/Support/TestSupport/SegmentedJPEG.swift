/// A JPEG split (ITU-T T.81, annex B) into the segments before its scan, and the rest.
package struct SegmentedJPEG {
  /// The code of a segment's marker.
  package enum Marker: UInt8 {
    /// DHT.
    case huffmanTables = 0xC4
    /// SOS.
    case startOfScan = 0xDA
    /// APP1.
    case exif = 0xE1
  }

  /// All segments from the SOI marker on, each with its marker.
  package private(set) var segments: [[UInt8]]
  /// Everything from the SOS marker on.
  package let scan: [UInt8]

  /// Splits a JPEG that has a scan.
  package init(_ jpeg: [UInt8]) {
    segments = [Array(jpeg.prefix(2))]
    var rest = jpeg.dropFirst(2)
    while let code = rest.dropFirst().first, code != Marker.startOfScan.rawValue {
      let byteCount = 2 + rest.dropFirst(2).prefix(2).reduce(0) { $0 << 8 + Int($1) }
      segments.append(Array(rest.prefix(byteCount)))
      rest = rest.dropFirst(byteCount)
    }
    scan = Array(rest)
  }

  /// The whole JPEG.
  package var bytes: [UInt8] { segments.flatMap(\.self) + scan }

  /// The number of segments of a kind.
  package func count(of marker: Marker) -> Int { segments.count { $0.starts(with: [0xFF, marker.rawValue]) } }

  /// The same JPEG without the segments of a kind.
  package func removing(_ marker: Marker) -> SegmentedJPEG {
    var rest = self
    rest.segments.removeAll { $0.starts(with: [0xFF, marker.rawValue]) }
    return rest
  }
}
