import Base
import CFFmpeg
import CLinux
import CSandbox
import Machine
import Wire

/// The process that reads the file and sends its packets to the program at playback speed. A damaged file can only harm
/// this process, which parses it with libavformat and has no rights.
@safe struct FileReader: ~Copyable {
  /// On top of the loaded libraries: libavformat's state for a file, and one packet.
  private static var memoryByteCount: Int { 64 << 20 }
  private static var descriptorCount: UInt32 { 16 }

  private let link: FileDescriptor
  // Safe: all of them live as long as the process.
  private let bytes: UnsafeMutablePointer<SentBytes>
  private let packet: UnsafeMutablePointer<AVPacket>
  private let sink: UnsafeMutablePointer<OggSink>
  private let message: UnsafeMutableRawBufferPointer
  private var pace = PacketPace(at: .now)
  private var first: FirstPass?

  /// Runs the process to its end.
  /// - Parameter link: to the program, which receives the messages.
  static func run(_ path: FixedText<64>, _ link: consuming FileDescriptor) -> Never {
    let number = link.number
    guard let file = FileDescriptor(path: path, flags: O_RDONLY | O_NONBLOCK) else { end(.notThere, number) }
    guard sandbox_close_all_but(number, file.number) == 0, sandbox_drop_rights() == 0,
      sandbox_die_with_parent(number) == 0, var reader = FileReader(file, link),
      sandbox_limit(memoryByteCount, descriptorCount) == 0, sandbox_shut() >= 0
    else { end(.notConfined, number) }
    do throws(FileProblem) {
      while true { try reader.pass() }
    } catch {
      end(error, number)
    }
  }

  /// Reports the problem and ends the process.
  private static func end(_ problem: FileProblem, _ link: Int32) -> Never {
    var message: InlineArray<2, UInt8> = [FileMessage.problem.rawValue, problem.rawValue]
    _ = unsafe CLinux.send(link, &message, 2, Int32(MSG_NOSIGNAL))
    _exit(ExitStatus.done)
  }

  /// - Returns: nil if the machine has no memory left.
  private init?(_ file: consuming FileDescriptor, _ link: consuming FileDescriptor) {
    var memory = unsafe BootMemory(source: lockedPages)
    guard let bytes = unsafe memory.place(SentBytes(file)), let made = OggSink(in: &memory),
      let sink = unsafe memory.place(made), let message = unsafe memory.cut(byteCount: FileMessage.largestByteCount),
      let packet = unsafe av_packet_alloc()
    else { return nil }
    self.link = link
    unsafe self.bytes = bytes
    unsafe self.sink = sink
    unsafe self.message = message
    unsafe self.packet = packet
  }

  /// Sends the file from its first packet to its last.
  private mutating func pass() throws(FileProblem) {
    var file = unsafe try SentFile(bytes)
    if first == nil {
      first = .some(unsafe try FirstPass(file, sink))
      try begin(file)
    }
    guard isSame(file) else { throw .changed }
    pace.rewind()
    first?.rewind()
    var count = 0
    while unsafe file.read(into: packet) {
      count += 1
      try send(timeBase: file.timeBase)
      unsafe av_packet_unref(packet)
    }
    guard count > 0 else { throw .noSound }
  }

  /// Sends the header with which every listener's stream begins.
  private mutating func begin(_ file: borrowing SentFile) throws(FileProblem) {
    unsafe message[1] = file.kind.rawValue
    var byteCount = 2
    switch file.kind {
    case .mp3, .aac: break
    case .flac:
      let header = try unsafe FLACStreamHeader(file.extraData)
      byteCount += unsafe header.put(into: UnsafeMutableRawBufferPointer(rebasing: message[2...]))
    case .ogg: byteCount += try takePages(at: 2)
    }
    guard byteCount <= FileMessage.headerByteCount else { throw .noSound }
    try send(.beginning, byteCount: byteCount)
  }

  /// Sends the packet when it is due.
  private mutating func send(timeBase: AVRational) throws(FileProblem) {
    let size = Int(unsafe packet.pointee.size)
    guard size <= FileMessage.packetByteCount else { throw .longPacket }
    let time = unsafe packet.pointee.pts
    let due = pace.due(
      time: time == ffmpeg_no_timestamp() ? nil : Self.nanoseconds(time, timeBase),
      duration: Self.nanoseconds(unsafe packet.pointee.duration, timeBase), byteCount: size, at: .now)
    var clock = MonotonicClock()
    clock.sleep(until: due)
    var byteCount = 1
    if isOgg {
      unsafe first?.write(packet)
      byteCount += try takePages(at: 1)
      // No page is complete yet.
      guard byteCount > 1 else { return }
    } else {
      unsafe (message.baseAddress! + 1).copyMemory(from: packet.pointee.data, byteCount: size)
      byteCount += size
    }
    try send(.packets, byteCount: byteCount)
  }

  private func isSame(_ file: borrowing SentFile) -> Bool {
    switch first {
    case .some(let first): first.isOf(file)
    case nil: false
    }
  }

  private var isOgg: Bool {
    switch first {
    case .some(let first): first.kind == .ogg
    case nil: false
    }
  }

  private static func nanoseconds(_ time: Int64, _ timeBase: AVRational) -> Int64 {
    av_rescale_q(time, timeBase, AVRational(num: 1, den: 1_000_000_000))
  }

  /// - Returns: how many bytes of Ogg are in the message from `offset` on.
  private func takePages(at offset: Int) throws(FileProblem) -> Int {
    let pages = unsafe sink.pointee.pages
    defer { unsafe sink.pointee.byteCount = 0 }
    guard unsafe pages.count <= message.count - offset else { throw .longPacket }
    guard let start = pages.baseAddress else { return 0 }
    unsafe (message.baseAddress! + offset).copyMemory(from: start, byteCount: pages.count)
    return pages.count
  }

  /// Blocks while the program does not receive, which it does not while there are no listeners.
  private func send(_ kind: FileMessage, byteCount: Int) throws(FileProblem) {
    unsafe message[0] = kind.rawValue
    let sent = retryingWhenInterrupted {
      unsafe CLinux.send(link.number, message.baseAddress, byteCount, Int32(MSG_NOSIGNAL))
    }
    guard sent == byteCount else { throw .noSound }
  }
}

/// What the first pass through the file found, and the Ogg stream that continues through all passes.
@safe private struct FirstPass: ~Copyable {
  let kind: FileKind
  // Safe: owned by the value until it ends.
  private var parameters: UnsafeMutablePointer<AVCodecParameters>?
  private var ogg: OggFile?
  private let timeBase: AVRational
  /// The time of the next packet, in the time base of the Ogg stream.
  private var end: Int64 = 0
  /// The offset added to the file's times; nil before a pass's first packet.
  private var shift: Int64?

  init(_ file: borrowing SentFile, _ sink: UnsafeMutablePointer<OggSink>) throws(FileProblem) {
    kind = file.kind
    timeBase = file.timeBase
    unsafe parameters = avcodec_parameters_alloc()
    guard let copy = unsafe parameters, unsafe avcodec_parameters_copy(copy, file.parameters) >= 0 else {
      throw .noSound
    }
    guard kind == .ogg else { return }
    guard let made = unsafe OggFile(copy, timeBase: file.timeBase, sink), made.writeHeader() else { throw .noSound }
    ogg = .some(made)
  }

  deinit {
    var parameters = unsafe parameters
    unsafe avcodec_parameters_free(&parameters)
  }

  /// Whether the headers of the first pass still apply.
  func isOf(_ file: borrowing SentFile) -> Bool {
    let (then, now) = unsafe (parameters!.pointee, file.parameters.pointee)
    let count = unsafe then.extradata_size
    guard kind == file.kind, unsafe then.codec_id == now.codec_id, unsafe count == now.extradata_size else {
      return false
    }
    return unsafe count == 0 || memcmp(then.extradata, now.extradata, Int(count)) == 0
  }

  mutating func rewind() { shift = nil }

  /// The times continue where the previous pass ended, and never decrease.
  mutating func write(_ packet: UnsafeMutablePointer<AVPacket>) {
    let time = unsafe packet.pointee.pts == ffmpeg_no_timestamp() ? end : packet.pointee.pts
    if shift == nil { shift = end &- time }
    let shifted = max(end, time &+ (shift ?? 0))
    let duration = max(0, unsafe packet.pointee.duration)
    unsafe packet.pointee.pts = shifted
    unsafe packet.pointee.dts = shifted
    unsafe packet.pointee.duration = duration
    end = shifted &+ duration
    unsafe ogg?.write(packet)
  }
}

/// The header of a FLAC stream (RFC 9639, 8.2): the file's STREAMINFO, without the fields that describe the whole file.
@safe private struct FLACStreamHeader {
  // Safe: used while the file is open.
  private let streamInfo: UnsafeRawBufferPointer

  init(_ extraData: UnsafeRawBufferPointer) throws(FileProblem) {
    guard extraData.count == FLACEncoder.streamInfoByteCount else { throw .noSound }
    unsafe streamInfo = extraData
  }

  /// - Returns: the number of bytes written.
  func put(into room: UnsafeMutableRawBufferPointer) -> Int {
    for index in 0..<8 { unsafe room[index] = FLACEncoder.beginning[index] }
    // The number of samples is the lower four bits of byte 13 and the four bytes after it; the rest is the MD5 sum.
    for index in 0..<13 { unsafe room[8 + index] = streamInfo[index] }
    unsafe room[8 + 13] = streamInfo[13] & 0xF0
    for index in 14..<FLACEncoder.streamInfoByteCount { unsafe room[8 + index] = 0 }
    return 8 + FLACEncoder.streamInfoByteCount
  }
}
