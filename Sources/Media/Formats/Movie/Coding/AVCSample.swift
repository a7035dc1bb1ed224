import Base

/// Converts a packet of an H.264 encoder into a sample of the file: units with their length in front (ISO/IEC 14496-15,
/// 5.3.4) instead of start codes.
///
/// Delimiters are left out, and so are the parameter sets that the sample description has: `avc1` requires them only
/// there, and some players accept no others. Different ones, from an encoder that was restarted, are kept.
package struct AVCSample: ~Escapable {
  private let packet: RawSpan
  private let parameterSets: ParameterSets
  private var reader: ByteStreamReader
  /// What is still to be copied of the unit that is being copied.
  private var rest = 0..<0

  /// - Parameter packet: an Annex B byte stream, of one picture or none.
  @_lifetime(copy packet)
  package init(_ packet: RawSpan, parameterSets: ParameterSets) {
    self.packet = packet
    self.parameterSets = parameterSets
    reader = ByteStreamReader(packet)
  }

  /// Bytes of the whole sample; 0 when the packet holds no picture.
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

  /// Copies what comes next, as much as fits.
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

  /// Writes the length of the next unit; false when there is none any more, or no space for its length.
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
  /// H.264 with these parameter sets. Packets are Annex B byte streams; samples are what ``AVCSample`` makes of them.
  case avc(ParameterSets)
  /// Packets of the kernel's test codec, as they come.
  case fwht

  /// What `packet` takes in the file; 0 for one that holds no picture, and is no sample.
  package func sampleByteCount(of packet: RawSpan) -> Int {
    guard case .avc(let parameterSets) = self else { return packet.byteCount }
    return AVCSample(packet, parameterSets: parameterSets).byteCount
  }
}

/// The video track of a movie.
package struct MovieVideo: Equatable, Sendable {
  /// The camera's format, of which only the size is used.
  package var format: VideoFormat
  /// How its pictures are coded.
  package var coding: VideoCoding

  package init(format: VideoFormat, coding: VideoCoding) {
    self.format = format
    self.coding = coding
  }

  /// Whether only some pictures can be decoded without those before them: the file then says which.
  var hasKeyframeTable: Bool { coding != .jpeg }
}
