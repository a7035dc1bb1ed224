import Base

/// Converts an H.264 encoder's packet into a sample in the file: units prefixed by their length (ISO/IEC 14496-15,
/// 5.3.4) instead of start codes.
///
/// Omits delimiters and the parameter sets that are in the sample description: `avc1` requires them only there, and
/// some players accept no others. Different sets, from a restarted encoder, are kept.
package struct AVCSample: ~Escapable {
  private let packet: RawSpan
  private let parameterSets: ParameterSets
  private var reader: ByteStreamReader
  /// The range still to be copied of the current unit.
  private var rest = 0..<0

  /// - Parameter packet: an Annex B byte stream with one picture or none.
  @_lifetime(copy packet)
  package init(_ packet: RawSpan, parameterSets: ParameterSets) {
    self.packet = packet
    self.parameterSets = parameterSets
    reader = ByteStreamReader(packet)
  }

  /// The size of the whole sample; 0 if the packet holds no picture.
  package var byteCount: Int {
    var units = ByteStreamReader(packet)
    var sum = 0
    var hasPicture = false
    while let unit = units.next() {
      if unit.kind == .slice { hasPicture = true }
      if isKept(unit) { sum += Self.lengthByteCount + unit.range.count }
    }
    return hasPicture ? sum : 0
  }

  /// Copies the next bytes, as many as fit.
  /// - Parameter space: at least 5 bytes.
  /// - Returns: how many bytes; 0 after the end.
  package mutating func copy(into room: inout MutableRawSpan) -> Int {
    var count = 0
    while !rest.isEmpty || beginUnit(&room, at: &count) {
      let pieceByteCount = min(rest.count, room.byteCount - count)
      guard pieceByteCount > 0 else { return count }
      var target = room._mutatingExtracting(count..<count + pieceByteCount)
      target.copy(packet.extracting(rest.lowerBound..<rest.lowerBound + pieceByteCount))
      count += pieceByteCount
      rest = rest.lowerBound + pieceByteCount..<rest.upperBound
    }
    return count
  }

  static var lengthByteCount: Int { 4 }

  /// Writes the length of the next unit; false if there are no more units, or no space for the length.
  private mutating func beginUnit(_ room: inout MutableRawSpan, at count: inout Int) -> Bool {
    guard room.byteCount - count >= Self.lengthByteCount else { return false }
    while let unit = reader.next() {
      guard isKept(unit) else { continue }
      room.storeBig32(UInt32(unit.range.count), at: count)
      count += Self.lengthByteCount
      rest = unit.range
      return true
    }
    return false
  }

  private func isKept(_ unit: NALUnit) -> Bool {
    switch unit.kind {
    case .delimiter: false
    case .sequenceParameters, .pictureParameters: !parameterSets.contain(packet.extracting(unit.range))
    case .slice, .other: true
    }
  }
}

/// How the pictures of a movie are coded, with what a player must know in advance.
package enum VideoCoding: Equatable, Sendable {
  /// Whole baseline JPEG pictures.
  case jpeg
  /// H.264 with these parameter sets. Packets are Annex B byte streams; ``AVCSample`` makes samples of them.
  case avc(ParameterSets)
  /// Packets of the kernel's test codec, unchanged.
  case fwht

  /// The size of `packet` in the file; 0 if it holds no picture, and so is not a sample.
  package func sampleByteCount(of packet: RawSpan) -> Int {
    guard case .avc(let parameterSets) = self else { return packet.byteCount }
    return AVCSample(packet, parameterSets: parameterSets).byteCount
  }
}

/// The video track of a movie.
package struct MovieVideo: Equatable, Sendable {
  /// The camera's format, of which only the size is used.
  package var format: VideoFormat
  package var coding: VideoCoding

  package init(format: VideoFormat, coding: VideoCoding) {
    self.format = format
    self.coding = coding
  }

  /// Whether only some pictures can be decoded without earlier ones: the file then lists them.
  var hasKeyframeTable: Bool { coding != .jpeg }
}
