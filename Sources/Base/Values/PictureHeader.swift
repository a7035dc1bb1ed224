/// The metadata of an encoded picture on its way to the file.
package struct PictureHeader: BitwiseCopyable, Equatable, Sendable {
  /// The sample frame on the timeline that was recorded at the instant of exposure.
  package var samplePosition: TimelinePosition
  /// The instant of exposure on the monotonic clock.
  package var instant: Instant
  /// The driver's count; a gap is a picture that the driver dropped.
  package var cameraSequence: UInt32
  /// Whether it can be decoded without earlier pictures; always true for a JPEG.
  package var isKeyframe: Bool
  /// Whether it is none of the camera's, but stands for one while the camera is lost.
  package var isStandIn: Bool

  package init(
    samplePosition: TimelinePosition, instant: Instant, cameraSequence: UInt32, isKeyframe: Bool = true,
    isStandIn: Bool = false
  ) {
    self.samplePosition = samplePosition
    self.instant = instant
    self.cameraSequence = cameraSequence
    self.isKeyframe = isKeyframe
    self.isStandIn = isStandIn
  }
}

/// A picture on its way to the encoder: it stays in the camera's own buffer, and only the buffer's index travels.
package struct RawPicture: BitwiseCopyable, Equatable, Sendable {
  /// The camera's number for the buffer.
  package var bufferIndex: UInt16
  /// Bytes filled by the camera.
  package var byteCount: Int
  /// The metadata for the encoded picture.
  package var header: PictureHeader
  /// 1 or more: the encoder shows the middle of the picture, 1 / `zoomFactor` of each side.
  package var zoomFactor: Double

  package init(bufferIndex: UInt16, byteCount: Int, header: PictureHeader, zoomFactor: Double = 1) {
    self.bufferIndex = bufferIndex
    self.byteCount = byteCount
    self.header = header
    self.zoomFactor = zoomFactor
  }
}
