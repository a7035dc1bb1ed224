/// Why a JPEG was not decoded, or a decoder not made.
public enum JPEGDecoderError: Error, Equatable {
  /// Boot memory has not ``JPEGDecoder/byteCount(maximumWidthPixels:)`` left: reserve that much.
  case memoryTooSmall(neededByteCount: Int)
  /// The picture has more pixels a row, or more rows, than the decoder was made for: make it for larger ones.
  case pictureTooLarge(widthPixels: Int, heightPixels: Int)
  /// Not one interleaved scan of Y'CbCr with eight bits a sample, coded by Huffman, its chroma full, halved or quartered
  /// across and full or halved down: progressive, arithmetic, grey or CMYK, or sampled as no camera does.
  case notBaseline
  /// The JPEG ends before its picture does.
  case cutShort
  /// What is between the markers makes no picture.
  case damaged
  /// The room is smaller than the picture.
  case outputTooSmall(neededByteCount: Int)
  /// libjpeg gave up; the code is one of its message codes (`jerror.h`), or -2 when it asked for more working memory
  /// than it was given.
  case library(code: Int32)
}
