/// How long the texts of a file are, which lie behind each other.
struct TextLengths: BitwiseCopyable {
  /// At most 256.
  var path: UInt16
  /// At most 128.
  var title: UInt8
  /// At most 128.
  var artist: UInt8

  var total: Int { Int(path) + Int(title) + Int(artist) }
}
