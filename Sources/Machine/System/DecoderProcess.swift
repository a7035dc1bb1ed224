import Base
import CLinux
import Wire

/// `fieldcorder-decode` as a separate process: orders and messages are packets on a socket, the sound is in sealed
/// memory.
///
/// The process ends no later than the thread that started it.
package struct DecoderProcess: DecoderDriver, ~Copyable {
  /// A process that accepts no order for this long counts as frozen: a working one has read all but the last few
  /// orders, and the socket holds hundreds.
  private static var sendingTimeoutNanoseconds: UInt64 { 500_000_000 }

  /// Whether the process reads packets on its decoding thread, and the caller blocks for answers.
  package let isInStep: Bool
  private var dataFolder: DataFolder
  private let format: AudioFormat
  private let ring: SealedMemory?
  private let isProber: Bool
  private let identity: DeviceIdentity
  private var sidecar: Sidecar
  /// The fetching service's socket; nil if there is none.
  private let streamService: FixedText<64>?
  /// The stream that the decoder reads or has read.
  private var stream: StreamFetch?

  /// Opens the data folder and maps the ring; no process is started yet.
  /// - Parameters:
  ///   - program: nil for `fieldcorder-decode` from the folder of the running program.
  ///   - dataFolder: the folder that paths are relative to.
  ///   - ringByteCount: a whole number of frames of `format`; 0 for a decoder that only probes.
  ///   - format: the format of the sound in the ring.
  ///   - isProber: whether it only probes: the ring is then an ``Decoding/ExtractMemory``.
  ///   - identity: the recorder's, sent to stream servers.
  ///   - streamService: the path of the fetching service's socket; nil if there is none.
  /// - Throws: if there is no such folder, or no memory for the ring.
  package init(
    program: FixedText<256>? = nil, dataFolder: borrowing FixedText<128>, ringByteCount: Int, format: AudioFormat,
    isInStep: Bool, isProber: Bool = false, identity: DeviceIdentity = DeviceIdentity(high: 0, low: 0),
    streamService: FixedText<64>? = nil
  ) throws(DeviceFailure) {
    precondition(ringByteCount % format.bytesPerFrame == 0, "a ring that is no whole number of frames")
    let folder = try DataFolder(dataFolder)
    let ring = ringByteCount > 0 ? try SealedMemory(byteCount: ringByteCount) : nil
    sidecar = Sidecar("fieldcorder-decode", .decoder, path: program)
    self.dataFolder = folder
    self.ring = ring
    self.format = format
    self.isInStep = isInStep
    self.isProber = isProber
    self.identity = identity
    self.streamService = streamService
  }

  /// The PCM ring, mapped for the life of the recorder; no bytes for a decoder that only probes.
  package var ringMemory: UnsafeRawBufferPointer {
    // Safe: it is never unmapped.
    switch ring {
    case .some(let ring): unsafe ring.region
    case nil: unsafe UnsafeRawBufferPointer(start: nil, count: 0)
    }
  }

  /// Whether a process runs, as far as known: ``receive(waitNanoseconds:)`` reports its end.
  package var isRunning: Bool { processNumber != nil }

  /// The number of the running process; nil if there is none.
  package var processNumber: Int32? { sidecar.processNumber }

  /// Starts a process, after ending one that is running. It inherits its socket and the ring, and nothing else.
  @export(interface)
  package mutating func start() throws(DeviceFailure) {
    var words = ProgramWords()
    words.append("fieldcorder-decode" as FixedText<24>)
    let invocation = DecoderInvocation(
      socket: ChildProcess.firstInherited, ring: ringNumber == nil ? nil : ChildProcess.secondInherited,
      ringByteCount: unsafe ringMemory.count, format: format, isInStep: isInStep, isProber: isProber)
    invocation.forEachWord { words.append($0) }
    _ = try sidecar.start(&words, inherits: ringNumber ?? -1)
  }

  /// Kills the process and waits until it has ended.
  package mutating func stop() {
    cutStream()
    sidecar.stop()
  }

  /// Sends an order that needs no file. Ends a process that accepts none for half a second.
  package mutating func send(_ order: DecoderOrder) throws(DeviceFailure) {
    precondition(!order.needsFile, "an order that lacks its file")
    if order == .close { cutStream() }
    try send(order, with: -1)
  }

  /// Opens an ordinary file for reading, without blocking, and sends it with an order.
  @export(interface)
  package mutating func send(_ order: DecoderOrder, withFileAt path: borrowing FixedText<256>) throws(DeviceFailure) {
    precondition(order.needsFile, "a file with an order that needs none")
    if case .open = order { cutStream() }
    if path.isStreamAddress { return try sendStream(order, from: path) }
    dataFolder.follow()
    try checkKind(path)
    let flags = O_RDONLY | O_NONBLOCK | O_NOCTTY
    guard let file = FileDescriptor(path: path, flags: flags, in: dataFolder.root.number) else {
      throw storageFailure(path, "cannot be opened")
    }
    try send(order, with: file.number)
  }

  private mutating func sendStream(_ order: DecoderOrder, from address: borrowing FixedText<256>) throws(DeviceFailure)
  {
    var fetch = try StreamFetch(address, identity, service: streamService)
    try send(order, with: fetch.outputNumber)
    fetch.passOn()
    stream = consume fetch
  }

  /// Whether the last order that opened something sent a stream.
  package var hasStream: Bool { stream != nil }

  /// The fetching service's next report on the stream that was sent last; nil if there is nothing new.
  package mutating func nextFetchEvent() -> FetchEvent? { stream?.nextEvent() }

  /// Tells the fetching service when a position of the stream is heard. A service that is too busy misses it.
  package mutating func tell(_ heard: HeardPosition) { stream?.tell(heard) }

  /// Closes the stream's connection at once: the decoder reaches its end.
  package mutating func cutStream() { stream = nil }

  /// Wakes a thread when there may be a message, or a report on the stream.
  package func add(to sources: inout WakeSources) {
    sidecar.add(to: &sources)
    switch stream {
    case .some(let stream): stream.add(to: &sources)
    case nil: break
    }
  }

  /// The oldest message not yet taken.
  @export(interface)
  package mutating func receive(waitNanoseconds: UInt64) throws(DeviceFailure) -> DecoderMessage? {
    var memory = InlineArray<512, UInt8>(repeating: 0)
    var span = memory.mutableSpan
    var buffer = unsafe span.mutableBytes
    switch sidecar.receive(into: &buffer, waitNanoseconds: waitNanoseconds) {
    case .nothing: return nil
    case .packet(let byteCount):
      guard byteCount <= buffer.byteCount,
        let message = DecoderMessage(decoding: buffer.bytes.extracting(first: byteCount))
      else { throw misbehaviour("sent an invalid message") }
      return message
    case .end, nil: throw ending()
    }
  }

  /// Sends an order with an open file, or with -1 for no file.
  @export(interface)
  mutating func send(_ order: DecoderOrder, with descriptor: Int32) throws(DeviceFailure) {
    var memory = InlineArray<32, UInt8>(repeating: 0)
    var span = memory.mutableSpan
    var buffer = unsafe span.mutableBytes
    let byteCount = order.encode(into: &buffer)
    let bytes = buffer.bytes.extracting(first: byteCount)
    switch sidecar.send(bytes, with: descriptor, waitNanoseconds: Self.sendingTimeoutNanoseconds) {
    case .sent: return
    case .full: throw misbehaviour("accepts no more requests")
    case .end, nil: throw ending()
    }
  }

  /// Checked before opening: opening a device can have side effects.
  private func checkKind(_ path: borrowing FixedText<256>) throws(DeviceFailure) {
    var status = stat()
    let found = unsafe path.withCString { unsafe fstatat(dataFolder.root.number, $0, &status, 0) }
    guard found == 0 else { throw storageFailure(path, "cannot be opened") }
    guard linux_mode_is_file(status.st_mode) == 0 else { return }
    var failure = storageFailure(path, "is a folder or a device", systemErrorNumber: EINVAL)
    failure.remedy = "name a file"
    throw failure
  }

  private var ringNumber: Int32? {
    switch ring {
    case .some(let ring): ring.descriptor.number
    case nil: nil
    }
  }

  private mutating func misbehaviour(_ problem: StaticString) -> DeviceFailure {
    stop()
    return decoderFailure(problem, "it is restarted")
  }

  /// Reaps a process whose socket is closed.
  private mutating func ending() -> DeviceFailure {
    guard let ending = sidecar.end() else { return decoderFailure("is not running", "start it", kind: .absent) }
    return decoderFailure(ending)
  }
}

func decoderFailure(
  _ problem: StaticString, _ remedy: StaticString, kind: DeviceFailure.Kind = .failed,
  subject: FixedText<64> = "fieldcorder-decode", systemErrorNumber: Int32 = 0
) -> DeviceFailure {
  DeviceFailure(
    device: .decoder, kind: kind, subject: subject, problem: problem, remedy: remedy,
    systemErrorNumber: systemErrorNumber)
}

/// For a process that ended, which it never does unless told to.
func decoderFailure(_ ending: ProcessEnding) -> DeviceFailure {
  let remedy: StaticString =
    switch ending {
    case .exit(126), .exit(127): "install the packages that the README lists"
    default: "it is restarted"
    }
  return decoderFailure(ending.problem, remedy, subject: "fieldcorder-decode (\(ending.name))")
}
