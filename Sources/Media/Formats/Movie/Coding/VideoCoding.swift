import Base

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
