import Values

/// Why a picture was not encoded, or an encoder not made.
public enum JPEGEncoderError: Error, Equatable {
  /// Not raw pictures of 1 to 65,500 pixels a side, with the even sides that their chroma needs and rows as long as a
  /// row of pixels. Ask the camera for another format or size; `.mjpeg` needs no encoder.
  case formatNotEncodable(VideoFormat)
  /// Boot memory has not ``JPEGEncoder/byteCount(format:)`` left: reserve that much.
  case memoryTooSmall(neededByteCount: Int)
  /// The buffer holds less than one picture of the format: the camera cut it short.
  case pictureTooSmall(byteCount: Int, expectedByteCount: Int)
  /// The picture does not fit. ``JPEGEncoder/maximumByteCount(format:)`` is room enough.
  case outputFull(capacityByteCount: Int)
  /// What the camera calls JPEG does not begin like one.
  case notJPEG
  /// What the camera calls JPEG is not one that can be zoomed.
  case notDecodable(JPEGDecoderError)
  /// libjpeg gave up; the code is one of its message codes (`jerror.h`), or -2 when it asked for more working memory
  /// than it was given.
  case library(code: Int32)
}
