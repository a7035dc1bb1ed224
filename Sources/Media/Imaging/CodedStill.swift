/// The JPEG that was made of a still.
struct CodedStill: Equatable {
  /// Columns as they lie in the file.
  var widthPixels: Int
  /// Rows as they lie in the file.
  var heightPixels: Int
  var byteCount: Int
}
