import Port
import CLinux
import Decoding
import Values
import Text

/// `fieldcorder-decode` as a process of its own: orders and messages are packets of a socket, the sound lies in sealed
/// memory.
///
/// The process ends with the thread that started it, at the latest.
public struct DecoderProcess: Decoder, ~Copyable {
  /// A process that takes no order for so long is held for frozen. One that does as it should has read all orders but
  /// the last few, and the socket has room for hundreds.
  private static var sendingPatienceNanoseconds: UInt64 { 500_000_000 }

  /// Whether the process reads packets on its decoding thread, and its answers are waited for.
  public let isInStep: Bool
  private let program: FixedText<256>
  private let dataFolder: FileDescriptor
  private let format: AudioFormat
  private let ring: SealedMemory?
  private var process: ChildProcess?

  /// Opens the data folder and maps the ring; no process is started yet.
  /// - Parameters:
  ///   - program: nil: `fieldcorder-decode` beside the program that runs.
  ///   - dataFolder: what paths are relative to.
  ///   - ringByteCount: a whole number of frames of `format`; 0 for a decoder that only probes.
  ///   - format: what the ring is to hold.
  /// - Throws: when there is no such folder, or no memory for the ring.
  public init(
    program: FixedText<256>? = nil, dataFolder: borrowing FixedText<128>, ringByteCount: Int, format: AudioFormat,
    isInStep: Bool
  ) throws(DeviceFailure) {
    precondition(ringByteCount % format.bytesPerFrame == 0, "a ring that is no whole number of frames")
    guard let folder = FileDescriptor(path: dataFolder, flags: O_RDONLY | O_DIRECTORY) else {
      throw storageFailure(dataFolder, "cannot be opened")
    }
    let ring = ringByteCount > 0 ? try SealedMemory(byteCount: ringByteCount) : nil
    self.program = program ?? programBesideOurs(named: "fieldcorder-decode")
    self.dataFolder = folder
    self.ring = ring
    self.format = format
    self.isInStep = isInStep
  }

  /// The PCM ring, mapped for the life of the recorder; no bytes for a decoder that only probes.
  public var ringMemory: UnsafeRawBufferPointer {
    // Sound: it is never unmapped.
    switch ring {
    case .some(let ring): unsafe ring.region
    case nil: unsafe UnsafeRawBufferPointer(start: nil, count: 0)
    }
  }

  /// Whether there is a process that takes orders, as far as is known: its end is told by ``receive(waitNanoseconds:)``.
  public var isRunning: Bool { processNumber != nil }

  /// The number of the process that runs; nil when none does.
  public var processNumber: Int32? {
    switch process {
    case .some(let process): process.processNumber
    case nil: nil
    }
  }

  /// Starts a process; one that runs is ended first. It has nothing of this one but its socket and the ring.
  public mutating func start() throws(DeviceFailure) {
    stop()
    var words = ProgramWords()
    words.append("fieldcorder-decode" as FixedText<24>)
    let invocation = DecoderInvocation(
      socket: ChildProcess.firstInherited, ring: ringNumber == nil ? nil : ChildProcess.secondInherited,
      ringByteCount: unsafe ringMemory.count, format: format,
      isInStep: isInStep)
    invocation.forEachWord { words.append($0) }
    process = ChildProcess(program, &words, inherits: ringNumber ?? -1)
    guard isRunning else { throw processStartingFailure(.decoder, "fieldcorder-decode", lastSystemError) }
  }

  /// Kills the process, and waits until it is gone.
  public mutating func stop() { process = nil }

  /// Sends an order that needs no file. A process that takes none for half a second is ended.
  public mutating func send(_ order: DecoderOrder) throws(DeviceFailure) {
    precondition(!order.needsFile, "an order that lacks its file")
    try send(order, with: -1)
  }

  /// Opens an ordinary file for reading, without waiting, and sends it with an order.
  public mutating func send(_ order: DecoderOrder, withFileAt path: borrowing FixedText<256>) throws(DeviceFailure) {
    precondition(order.needsFile, "a file with an order that needs none")
    try checkKind(path)
    guard let file = FileDescriptor(path: path, flags: O_RDONLY | O_NONBLOCK | O_NOCTTY, in: dataFolder.number) else {
      throw storageFailure(path, "cannot be opened")
    }
    try send(order, with: file.number)
  }

  /// The oldest message that has not been taken.
  public mutating func receive(waitNanoseconds: UInt64) throws(DeviceFailure) -> DecoderMessage? {
    var memory = InlineArray<512, UInt8>(repeating: 0)
    var span = memory.mutableSpan
    var room = unsafe span.mutableBytes
    switch process?.link.receive(into: &room, waitNanoseconds: waitNanoseconds) {
    case .nothing: return nil
    case .packet(let byteCount):
      guard byteCount <= room.byteCount, let message = DecoderMessage(decoding: room.bytes.extracting(first: byteCount))
      else { throw misbehaviour("said what is no message") }
      return message
    case .end, nil: throw ending()
    }
  }

  private mutating func send(_ order: DecoderOrder, with descriptor: Int32) throws(DeviceFailure) {
    var memory = InlineArray<32, UInt8>(repeating: 0)
    var span = memory.mutableSpan
    var room = unsafe span.mutableBytes
    let byteCount = order.encode(into: &room)
    let bytes = room.bytes.extracting(first: byteCount)
    switch process?.link.send(bytes, with: descriptor, waitNanoseconds: Self.sendingPatienceNanoseconds) {
    case .sent: return
    case .noRoom: throw misbehaviour("takes no more orders")
    case .end, nil: throw ending()
    }
  }

  /// Looked at before it is opened: opening a device can do something to it.
  private func checkKind(_ path: borrowing FixedText<256>) throws(DeviceFailure) {
    var status = stat()
    let found = unsafe path.withCString { unsafe fstatat(dataFolder.number, $0, &status, 0) }
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
    return decoderFailure(problem, "it is started again")
  }

  /// Reaps a process whose socket is closed.
  private mutating func ending() -> DeviceFailure {
    let ending = process?.end()
    process = nil
    guard let ending else { return decoderFailure("does not run", "start it", kind: .absent) }
    return decoderFailure(ending)
  }
}
