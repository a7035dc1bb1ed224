import Values

/// The video track of a movie.
public struct MovieVideo: Equatable, Sendable {
  /// The camera's format; what matters is its size.
  public var format: VideoFormat
  /// How its pictures are coded.
  public var coding: VideoCoding

  /// A track of pictures of this size and coding.
  public init(format: VideoFormat, coding: VideoCoding) {
    self.format = format
    self.coding = coding
  }

  /// Whether only some pictures can be decoded without those before them: the file then says which.
  var hasKeyframeTable: Bool { coding != .jpeg }
}
