import CFFmpeg
import CLinux
import Machine

/// The bytes of the file for libavformat, which keeps a pointer to them. ID3 tags in front are not its business: a picture
/// in them would be read with every pass.
struct SentBytes: ~Copyable {
  /// More tags in front of each other than anybody writes.
  private static var mostTags: Int { 8 }

  private let file: FileDescriptor
  private let begin: Int64
  private var offset: Int64 = 0

  init(_ file: consuming FileDescriptor) {
    begin = Self.endOfTags(file)
    self.file = file
  }

  mutating func rewind() { offset = begin }

  mutating func read(into buffer: UnsafeMutablePointer<UInt8>?, byteCount: Int32) -> Int32 {
    guard let buffer = unsafe buffer, byteCount > 0 else { return ffmpeg_invalid_argument() }
    let count = retryingWhenInterrupted { unsafe pread(file.number, buffer, Int(byteCount), off_t(offset)) }
    guard count >= 0 else { return ffmpeg_input_output_error() }
    guard count > 0 else { return ffmpeg_end_of_file() }
    offset += Int64(count)
    return Int32(count)
  }

  /// As lseek does it, or with libavformat's question for the size.
  mutating func seek(to target: Int64, from whence: Int32) -> Int64 {
    let size = Int64(max(0, lseek(file.number, 0, SEEK_END)))
    switch whence & ~AVSEEK_FORCE {
    case AVSEEK_SIZE: return size - begin
    case SEEK_SET where target >= 0 && target <= size - begin: offset = begin + target
    case SEEK_CUR where (begin...max(begin, size)).contains(offset &+ target): offset += target
    case SEEK_END where (begin...max(begin, size)).contains(size &+ target): offset = size + target
    default: return Int64(ffmpeg_invalid_argument())
    }
    return offset - begin
  }

  /// Where the sound begins (ID3v2.4, 3.1: a tag's size has 7 bits in each byte; bit 4 of the flags says that a footer of 10
  /// bytes follows).
  private static func endOfTags(_ file: borrowing FileDescriptor) -> Int64 {
    var end: Int64 = 0
    for _ in 0..<mostTags {
      var head = InlineArray<10, UInt8>(repeating: 0)
      var span = head.mutableSpan
      let count = unsafe span.withUnsafeMutableBytes { unsafe pread(file.number, $0.baseAddress, 10, off_t(end)) }
      guard count == 10, head[0] == UInt8(ascii: "I"), head[1] == UInt8(ascii: "D"), head[2] == UInt8(ascii: "3") else {
        break
      }
      end += head[5] & 0x10 == 0 ? 10 : 20
      end += Int64(head[6] & 127) << 21 | Int64(head[7] & 127) << 14 | Int64(head[8] & 127) << 7 | Int64(head[9] & 127)
    }
    return end
  }
}

/// FFmpeg's read callback.
func readSentBytes(_ context: UnsafeMutableRawPointer?, _ buffer: UnsafeMutablePointer<UInt8>?, _ count: Int32) -> Int32
{
  guard let context = unsafe context else { return ffmpeg_invalid_argument() }
  return unsafe context.assumingMemoryBound(to: SentBytes.self).pointee.read(into: buffer, byteCount: count)
}

/// FFmpeg's seek callback.
func seekSentBytes(_ context: UnsafeMutableRawPointer?, _ target: Int64, _ whence: Int32) -> Int64 {
  guard let context = unsafe context else { return Int64(ffmpeg_invalid_argument()) }
  return unsafe context.assumingMemoryBound(to: SentBytes.self).pointee.seek(to: target, from: whence)
}
