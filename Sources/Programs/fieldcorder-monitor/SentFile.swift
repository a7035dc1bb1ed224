import Base
import CFFmpeg
import CLinux
import Machine
import Wire

/// The packets of the file, from first to last. It is opened again for another pass.
@safe struct SentFile: ~Copyable {
  private static var bufferByteCount: Int32 { 32_768 }
  /// FFmpeg's minimum probe score for a format: reached with four frames of MP3.
  private static var leastScore: Int32 { 25 }
  /// After this many consecutive failed reads the rest counts as damaged.
  private static var errorLimit: Int { 1_000 }
  private static var formats: StaticString { "aac,flac,mp3,ogg" }
  private static var codecs: StaticString { "aac,flac,mp1,mp1float,mp2,mp2float,mp3,mp3float,opus,vorbis" }

  // Safe: all live until the value ends; the bytes outlive it.
  private var input: UnsafeMutablePointer<AVIOContext>?
  private var context: UnsafeMutablePointer<AVFormatContext>?
  private var stream: UnsafeMutablePointer<AVStream>?
  private(set) var kind = FileKind.mp3

  /// - Parameter bytes: must outlive the value.
  init(_ bytes: UnsafeMutablePointer<SentBytes>) throws(FileProblem) {
    unsafe bytes.pointee.rewind()
    guard let buffer = unsafe av_malloc(Int(Self.bufferByteCount))?.assumingMemoryBound(to: UInt8.self) else {
      throw .noSound
    }
    unsafe input = ffmpeg_make_input(buffer, Self.bufferByteCount, bytes, readSentBytes, seekSentBytes)
    var format: UnsafePointer<AVInputFormat>?
    guard unsafe input != nil, unsafe av_probe_input_buffer2(input, &format, nil, nil, 0, 1 << 20) >= Self.leastScore,
      let kind = unsafe Self.kind(format)
    else { throw .unknownKind }
    self.kind = kind
    unsafe context = avformat_alloc_context()
    guard let fresh = unsafe context else { throw .noSound }
    unsafe fresh.pointee.pb = input
    unsafe fresh.pointee.flags |= AVFMT_FLAG_CUSTOM_IO
    unsafe ffmpeg_refuse_references(fresh)
    var options: OpaquePointer?
    unsafe av_dict_set(&options, cString("format_whitelist"), Self.formats.cString, 0)
    unsafe av_dict_set(&options, cString("codec_whitelist"), Self.codecs.cString, 0)
    let result = unsafe avformat_open_input(&context, nil, format, &options)
    unsafe av_dict_free(&options)
    guard result >= 0, unsafe avformat_find_stream_info(context, nil) >= 0 else { throw .noSound }
    unsafe stream = Self.firstSound(context!)
    guard unsafe stream != nil else { throw .noSound }
  }

  deinit {
    var (context, input) = unsafe (context, input)
    unsafe avformat_close_input(&context)
    guard let bytes = unsafe input else { return }
    unsafe av_freep(&bytes.pointee.buffer)
    unsafe avio_context_free(&input)
  }

  private static func kind(_ format: UnsafePointer<AVInputFormat>?) -> FileKind? {
    guard let name = unsafe format?.pointee.name else { return nil }
    for number in 0...FileKind.ogg.rawValue {
      let kind = FileKind(rawValue: number)!
      if unsafe strcmp(name, kind.formatName.cString) == 0 { return kind }
    }
    return nil
  }

  /// Finds the first audio stream; the others are not read.
  private static func firstSound(_ context: UnsafeMutablePointer<AVFormatContext>) -> UnsafeMutablePointer<AVStream>? {
    var found: UnsafeMutablePointer<AVStream>?
    for index in 0..<Int(unsafe context.pointee.nb_streams) {
      guard let stream = unsafe context.pointee.streams[index] else { continue }
      if unsafe found == nil, unsafe stream.pointee.codecpar.pointee.codec_type == AVMEDIA_TYPE_AUDIO {
        unsafe found = stream
      } else {
        unsafe stream.pointee.discard = AVDISCARD_ALL
      }
    }
    return unsafe found
  }

  var parameters: UnsafeMutablePointer<AVCodecParameters> { unsafe stream!.pointee.codecpar }
  var timeBase: AVRational { unsafe stream!.pointee.time_base }

  /// The codec's own header; for FLAC its STREAMINFO.
  var extraData: UnsafeRawBufferPointer {
    unsafe UnsafeRawBufferPointer(start: parameters.pointee.extradata, count: Int(parameters.pointee.extradata_size))
  }

  /// Reads the next audio packet into `packet`, which is empty.
  /// - Returns: false at the end.
  mutating func read(into packet: UnsafeMutablePointer<AVPacket>) -> Bool {
    var errorCount = 0
    while errorCount < Self.errorLimit {
      let result = unsafe av_read_frame(context, packet)
      if result >= 0 {
        if unsafe packet.pointee.stream_index == stream!.pointee.index, unsafe packet.pointee.size > 0 { return true }
        unsafe av_packet_unref(packet)
      } else if result == ffmpeg_end_of_file() || result == ffmpeg_input_output_error() {
        return false
      } else {
        errorCount += 1
      }
    }
    return false
  }
}

/// The bytes of the file for libavformat, which keeps a pointer to them. Leading ID3 tags are hidden, because a picture
/// in them would be read with every pass.
struct SentBytes: ~Copyable {
  /// More consecutive tags than any program writes.
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

  /// Seeks as lseek does, or answers libavformat's query for the size.
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

  /// Where the sound begins (ID3v2.4, 3.1: a tag's size has 7 bits in each byte; bit 4 of the flags says that a footer
  /// of 10 bytes follows).
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

/// The file that is sent instead of the microphone, as received from its ``FileReader``.
struct FileStream: ~Copyable {
  enum State: Equatable {
    /// No file: the microphone is sent.
    case none
    /// The process has not found out the file's kind yet.
    case opening
    case ready(FileKind)
    case ended(FileProblem)
  }

  /// Messages per poll: with packets of 2.5 ms, the shortest of Opus, that covers eight polling intervals.
  private static var messagesPerLook: Int { 64 }

  let path: FixedText<64>?
  private var link: FileDescriptor?
  private var ring: StreamRing
  private var message: FixedBuffer
  private(set) var state: State

  /// Starts the process that reads the file; called before the program enters its sandbox.
  /// - Parameter path: nil if the microphone is sent.
  init(_ path: FixedText<64>?, in memory: inout BootMemory) throws(Refusal) {
    self.path = path
    state = path == nil ? .none : .opening
    if let path { link = .some(try Self.startReader(path)) }
    guard let ring = StreamRing(in: &memory, headerByteCount: FileMessage.headerByteCount),
      let message = FixedBuffer(byteCount: FileMessage.largestByteCount, in: &memory)
    else { throw Refusal("there is not enough memory") }
    self.ring = ring
    self.message = message
  }

  private static func startReader(_ path: FixedText<64>) throws(Refusal) -> FileDescriptor {
    var ends: (Int32, Int32) = (-1, -1)
    guard unsafe linux_packet_pair(&ends.0, &ends.1) == 0 else { throw Refusal("the system has no more descriptors") }
    let own = FileDescriptor(owning: ends.0)
    let others = FileDescriptor(owning: ends.1)
    let process = linux_divide()
    if process == 0 { FileReader.run(path, others) }
    guard process > 0 else { throw Refusal("cannot start a process to read \(path) (errno \(lastSystemError))") }
    return own
  }

  /// The descriptor that becomes readable when there is something to take; -1 if there is none. While there are no
  /// listeners nothing is taken, and the file pauses.
  func descriptor(hasListener: Bool) -> Int32 {
    switch state {
    case .opening: break
    case .ready: guard hasListener else { return -1 }
    case .none, .ended: return -1
    }
    switch link {
    case .some(let link): return link.number
    case nil: return -1
    }
  }

  /// Takes the messages that have arrived.
  mutating func follow(hasListener: Bool) {
    for _ in 0..<Self.messagesPerLook {
      let number = descriptor(hasListener: hasListener)
      guard number >= 0 else { return }
      var room = message.mutableBytes
      let count = unsafe room.withUnsafeMutableBytes {
        unsafe recv(number, $0.baseAddress, $0.count, Int32(MSG_DONTWAIT))
      }
      if count > 0 {
        take(byteCount: count)
      } else if count == 0 || (lastSystemError != EAGAIN && lastSystemError != EINTR) {
        end(.fallen)
      } else {
        return
      }
    }
  }

  /// Validates a message, because the process may have been taken over by a damaged file.
  private mutating func take(byteCount: Int) {
    let kind = FileMessage(rawValue: message.bytes.byte(at: 0))
    let second = byteCount > 1 ? message.bytes.byte(at: 1) : .max
    switch (kind, state) {
    case (.beginning, .opening):
      guard let kind = FileKind(rawValue: second), Self.begin(&ring, message, 2..<byteCount) else { break }
      return state = .ready(kind)
    case (.packets, .ready): return Self.append(message, 1..<byteCount, to: &ring)
    case (.problem, _):
      guard let problem = FileProblem(rawValue: second) else { break }
      return end(problem)
    default: break
    }
    end(.fallen)
  }

  private static func begin(_ ring: inout StreamRing, _ message: borrowing FixedBuffer, _ header: Range<Int>) -> Bool {
    ring.appendHeader(message.bytes.extracting(header))
  }

  private static func append(_ message: borrowing FixedBuffer, _ packets: Range<Int>, to ring: inout StreamRing) {
    ring.markEntry()
    ring.append(message.bytes.extracting(packets))
  }

  /// Ends the stream of every listener.
  private mutating func end(_ problem: FileProblem) {
    link = nil
    ring.restart()
    state = .ended(problem)
  }

  /// Adds a listener.
  /// - Returns: nil if the file is not of that kind, or cannot be sent.
  func join(_ kind: FileKind) -> StreamCursor? { state == .ready(kind) ? ring.join() : nil }
  func place(of cursor: StreamCursor) -> StreamPlace { ring.place(of: cursor) }

  func read(_ cursor: inout StreamCursor, into buffer: inout MutableRawSpan) -> StreamReading {
    ring.read(&cursor, into: &buffer)
  }
}

/// The containers whose packets are sent unchanged.
enum FileKind: UInt8 {
  /// Layer III of MPEG-1 and MPEG-2, frame after frame.
  case mp3
  /// AAC, each frame with a header of its own (ADTS).
  case aac
  case flac
  /// Opus, Vorbis or FLAC in Ogg.
  case ogg

  var path: MonitorPath {
    switch self {
    case .mp3: .fileMP3
    case .aac: .fileAAC
    case .flac: .fileFLAC
    case .ogg: .fileOgg
    }
  }

  var mediaType: StaticString {
    switch self {
    case .mp3: "audio/mpeg"
    case .aac: "audio/aac"
    case .flac: "audio/flac"
    case .ogg: "audio/ogg"
    }
  }

  /// FFmpeg's name of the format.
  var formatName: StaticString {
    switch self {
    case .mp3: "mp3"
    case .aac: "aac"
    case .flac: "flac"
    case .ogg: "ogg"
    }
  }
}

/// Why a file is not sent, or no longer.
enum FileProblem: UInt8, Error {
  case notThere
  case unknownKind
  case noSound
  case changed
  case longPacket
  case notConfined
  case fallen

  var words: StaticString {
    switch self {
    case .notThere: "it cannot be opened: is it there, and may the program's user read it?"
    case .unknownKind: "it is neither MP3 nor AAC (ADTS), FLAC or Ogg"
    case .noSound: "it has no sound that can be sent as it is"
    case .changed: "it has become another file: restart fieldcorder-monitor"
    case .longPacket: "it has a packet of more than 65536 bytes"
    case .notConfined: "the system refuses the sandbox in which it is read"
    case .fallen: "it ended the process that reads it: it is damaged"
    }
  }
}

/// The messages of the process that reads the file, sent as packets: a byte for the kind, then the payload.
enum FileMessage: UInt8 {
  /// A ``FileKind``, and the header of every listener's stream.
  case beginning
  /// Whole packets, or pages of Ogg.
  case packets
  /// A ``FileProblem``; no message follows it.
  case problem

  /// The longest packet that is sent: four of them fit into the permitted lag of a listener. FLAC of two channels of 24
  /// bits has at most 28 kB in 4,608 samples, the longest that encoders make.
  static var packetByteCount: Int { 65_536 }
  /// The longest header: that of Vorbis, whose codebooks take some kilobytes.
  static var headerByteCount: Int { 65_536 }
  /// Bytes of the longest message: the capacity of ``OggSink`` plus the kind.
  static var largestByteCount: Int { 131_073 }
}
