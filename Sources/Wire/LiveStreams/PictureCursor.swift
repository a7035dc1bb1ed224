import Base

/// Where a listener is in the recorder's pictures: it gets them straight from their ring, one whole picture after the
/// other, each the newest when the one before is finished. Pictures that come meanwhile are skipped for it.
package struct PictureCursor: BitwiseCopyable, Sendable {
  /// What is around each picture.
  package enum Framing: BitwiseCopyable, Sendable {
    /// One picture and no more.
    case single
    /// A part of `multipart/x-mixed-replace` for each (RFC 2046, section 5.1).
    case multipart
  }

  /// The media type of the pictures in parts.
  package static var multipartType: StaticString { "multipart/x-mixed-replace; boundary=picture" }

  private let framing: Framing
  private var head = FixedText<96>()
  private var picture: PictureNumber?
  private var byteCount = 0
  /// Bytes read of the head, the picture and the line end behind it.
  private var offset = 0
  /// The newest picture that was begun.
  private var last: PictureNumber?
  /// How many pictures have been skipped.
  package private(set) var skippedCount: UInt64 = 0

  /// No picture is begun yet.
  package init(_ framing: Framing) { self.framing = framing }

  private var tail: StaticString { framing == .single ? "" : "\r\n" }

  private var wholeByteCount: Int { head.byteCount + byteCount + tail.utf8CodeUnitCount }

  /// How many bytes of the picture that is being read are left.
  package var bytesBehind: Int { picture == nil ? 0 : wholeByteCount - offset }

  /// Whether there is something to read.
  package func hasEvents(of pictures: PacketRingTap<PictureHeader>) -> Bool {
    picture != nil || pictures.newest != last
  }

  /// Begins the newest picture.
  /// - Returns: its size in bytes; nil when there is none that is newer than the last one.
  package mutating func begin(_ pictures: PacketRingTap<PictureHeader>) -> Int? {
    guard let newest = pictures.newest, newest != last, let size = pictures.byteCount(of: newest) else { return nil }
    if let last, newest > last { skippedCount += newest - last - 1 }
    (picture, last, byteCount, offset) = (newest, newest, size, 0)
    if framing == .multipart {
      head = "--picture\r\nContent-Type: image/jpeg\r\nContent-Length: \(size)\r\n\r\n"
    }
    return size
  }

  /// Copies the next bytes to the start of `buffer`: of one piece, so that there may be more.
  package mutating func read(
    _ pictures: PacketRingTap<PictureHeader>, into buffer: inout MutableRawSpan
  ) -> StreamReading {
    if picture == nil, framing == .single && last != nil || begin(pictures) == nil {
      return framing == .single && last != nil ? .end : .nothing
    }
    guard let picture else { return .nothing }
    guard let count = copy(picture, pictures, into: &buffer) else { return .tooSlow }
    offset += count
    if offset == wholeByteCount { self.picture = nil }
    return count > 0 ? .bytes(count) : .nothing
  }

  /// - Returns: nil when the picture has been overwritten.
  private func copy(
    _ picture: PictureNumber, _ pictures: PacketRingTap<PictureHeader>, into buffer: inout MutableRawSpan
  ) -> Int? {
    if offset < head.byteCount { return Self.copy(head.bytes, from: offset, into: &buffer) }
    let pictureOffset = offset - head.byteCount
    guard pictureOffset < byteCount else {
      return Self.copy(tail.utf8Bytes, from: pictureOffset - byteCount, into: &buffer)
    }
    // A size that has changed is another packet's: only memory that lies says so.
    guard pictures.byteCount(of: picture) == byteCount else { return nil }
    return pictures.copyPart(of: picture, from: pictureOffset, into: &buffer)
  }

  private static func copy(_ text: Span<UInt8>, from offset: Int, into buffer: inout MutableRawSpan) -> Int {
    let count = min(text.count - offset, buffer.byteCount)
    for index in 0..<count { buffer.storeBytes(of: text[offset + index], toByteOffset: index, as: UInt8.self) }
    return count
  }
}
