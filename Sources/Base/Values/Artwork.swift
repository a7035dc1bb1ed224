/// The picture of a media file, as it is handed on: rows of red, green and blue without gaps, a byte each.
package enum Artwork {
  /// The most pixels of a side: a picture in a display's corner.
  package static var longestSide: Int { 200 }
  /// Of the largest picture.
  package static var largestByteCount: Int { 3 * longestSide * longestSide }
}
