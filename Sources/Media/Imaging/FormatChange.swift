import Base

/// Pictures of a camera that came back with another format than the one that memory was planned for.
package enum FormatChange {
  /// How much larger than planned their sides may be: memory is planned for their rows. A camera that is asked for the
  /// same as before answers with the nearest it has, which is rarely larger at all.
  static var largestScale: Int { 2 }

  /// Whether pictures of a format can be shown in the size that was planned. A camera that compresses its pictures in
  /// place of one that does not would need a decoder, for which no memory was planned.
  package static func isPossible(from source: VideoFormat, to planned: VideoFormat) -> Bool {
    guard source.widthPixels >= 16, source.heightPixels >= 16, planned.widthPixels >= 16, planned.heightPixels >= 16,
      Int(source.widthPixels) <= largestScale * Int(planned.widthPixels),
      Int(source.heightPixels) <= largestScale * Int(planned.heightPixels)
    else { return false }
    return source.pixelFormat == .mjpeg ? planned.pixelFormat == .mjpeg : PictureLayout(source) != nil
  }
}

extension VideoFormat {
  /// Whether the pictures of both look the same in memory, whatever their rates.
  package func hasLayout(of other: VideoFormat) -> Bool {
    var same = self
    same.frameRate = other.frameRate
    return same == other
  }
}
