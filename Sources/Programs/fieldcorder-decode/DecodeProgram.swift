import Base
import CFFmpeg
import CLinux
import CSandbox
import Machine
import Wire

enum DecodeProgram {
  static let software: StaticString = "fieldcorder-decode 0.1.0"
  /// The largest single allocation that a file may cause.
  private static let largestAllocation = 128 << 20

  static func run(_ words: inout ArgumentList) -> Int32 {
    var first = words
    switch first.next() as FixedText<24>? {
    case .some(let word) where word == "--help": StandardStreams.say(usage)
    case .some(let word) where word == "--version": StandardStreams.say(software)
    default:
      guard let invocation = DecoderInvocation(nextWord: { words.next() }) else {
        StandardStreams.complain("fieldcorder-decode: is started by fieldcorder with valid arguments; see --help")
        return ExitStatus.refused
      }
      return serve(invocation)
    }
    return ExitStatus.done
  }

  private static func serve(_ invocation: DecoderInvocation) -> Int32 {
    guard Sandbox.enter(invocation) else { return ExitStatus.failed }
    ffmpeg_silence()
    av_max_alloc(largestAllocation)
    // Detects the processor's features while system files can still be opened.
    _ = av_get_cpu_flags()
    ffmpeg_load_tables()
    TagCharset.loadTables()
    let socket = OrderSocket(descriptor: invocation.socket)
    guard let ringNumber = invocation.ring, !invocation.isProber else {
      let output = invocation.ring.map { ExtractOutput(descriptor: $0, byteCount: invocation.ringByteCount) } ?? nil
      guard Sandbox.shut() else { return ExitStatus.failed }
      ProbeSession(socket: socket, output: output).run()
      return ExitStatus.done
    }
    guard let ring = PCMRing(descriptor: ringNumber, byteCount: invocation.ringByteCount, format: invocation.format)
    else { return ExitStatus.failed }
    do throws(DeviceFailure) {
      let thread = invocation.isInStep ? nil : unsafe try ReadingThread.start(socket: invocation.socket)
      var session = unsafe DecodeSession(socket: socket, ring: ring, thread: thread, format: invocation.format)
      guard Sandbox.shut() else { return ExitStatus.failed }
      session.run()
      return ExitStatus.done
    } catch {
      return ExitStatus.failed
    }
  }

  private static let usage: StaticString = """
    fieldcorder-decode 0.1.0: decodes sound for fieldcorder, which starts it

    usage: fieldcorder-decode --socket FD [--ring FD] --ring-bytes N --rate HZ --channels N --format s16|s24|float
                              [--in-step] [--probe]
      --socket FD        where requests come from
      --ring FD          the memory for decoded sound, or for what is extracted from files
      --ring-bytes N     how large it is
      --rate, --channels, --format   what the sound card takes
      --in-step          read files on the decoding thread
      --probe            only report the format and tags of files
      --help, --version  print this, or the version
    """
}

/// The entry point for C's start-up code: the package manager links this name as `main`.
@_cdecl("fieldcorder_decode_main")
public func main(count: Int32, words: UnsafePointer<UnsafePointer<CChar>?>) -> Int32 {
  var words = unsafe ArgumentList(count: count, words: words)
  return DecodeProgram.run(&words)
}

/// The socket to the recorder: receives orders, with a file if they need one, and sends messages.
struct OrderSocket: ~Copyable {
  struct Received: ~Copyable {
    let order: DecoderOrder
    let file: FileDescriptor?
  }

  let descriptor: Int32

  /// Waits for an order, or for the end of the connection.
  /// - Returns: whether either has come.
  func waits(milliseconds: Int32) -> Bool {
    var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return unsafe poll(&waiting, 1, milliseconds) > 0
  }

  /// Waits for the next order.
  /// - Returns: nil if the recorder is gone or sent something invalid.
  func receive() -> Received? {
    var bytes = InlineArray<64, UInt8>(repeating: 0)
    var number: Int32 = -1
    var span = bytes.mutableSpan
    let count = unsafe span.withUnsafeMutableBufferPointer { buffer in
      retryingWhenInterrupted {
        unsafe linux_receive_packet(descriptor, buffer.baseAddress, buffer.count, 0, &number)
      }
    }
    let file: FileDescriptor? = number >= 0 ? FileDescriptor(owning: number) : nil
    guard count > 0, count <= bytes.count,
      let order = unsafe DecoderOrder(decoding: bytes.span.extracting(first: count).bytes)
    else { return nil }
    return Received(order: order, file: file)
  }

  /// Waits until the socket has space.
  func send(_ message: DecoderMessage) {
    var bytes = InlineArray<512, UInt8>(repeating: 0)
    var span = bytes.mutableSpan
    var buffer = unsafe span.mutableBytes
    let count = message.encode(into: &buffer)
    unsafe buffer.bytes.withUnsafeBytes { bytes in
      _ = retryingWhenInterrupted { unsafe CLinux.send(descriptor, bytes.baseAddress, count, 0) }
    }
  }
}

/// Memory at fixed addresses, for pointers held by C or by another thread.
enum Heap {
  /// Unwraps the result of an allocation; ends the process if it failed.
  static func required<Pointer>(_ pointer: Pointer?) -> Pointer {
    guard let pointer else { exhausted() }
    return pointer
  }

  /// The process has reached its memory limit and exits. To the recorder that is a crash like any other: it refuses the
  /// file and starts another process.
  static func exhausted() -> Never { _exit(ExitStatus.failed) }

  static func place<Value: ~Copyable>(_ value: consuming Value) -> UnsafeMutablePointer<Value> {
    let memory = unsafe required(av_malloc(MemoryLayout<Value>.stride))
    let pointer = unsafe memory.bindMemory(to: Value.self, capacity: 1)
    unsafe pointer.initialize(to: value)
    return unsafe pointer
  }

  static func remove<Value: ~Copyable>(_ pointer: UnsafeMutablePointer<Value>) {
    unsafe pointer.deinitialize(count: 1)
    unsafe av_free(pointer)
  }

  /// Zeroed bytes.
  static func bytes(_ count: Int) -> UnsafeMutablePointer<UInt8> {
    let memory = unsafe required(av_mallocz(max(1, count)))
    return unsafe memory.bindMemory(to: UInt8.self, capacity: count)
  }

  static func removeBytes(_ pointer: UnsafeMutablePointer<UInt8>) { unsafe av_free(pointer) }

  /// A zeroed array.
  static func array<Element: ~Copyable>(_ type: Element.Type, count: Int) -> UnsafeMutablePointer<Element> {
    let block = unsafe Heap.bytes(count * MemoryLayout<Element>.stride)
    return unsafe UnsafeMutableRawPointer(block).bindMemory(to: type, capacity: max(1, count))
  }

  static func packet() -> UnsafeMutablePointer<AVPacket> { unsafe required(av_packet_alloc()) }

  static func removePacket(_ packet: UnsafeMutablePointer<AVPacket>) {
    var packet: UnsafeMutablePointer<AVPacket>? = unsafe packet
    unsafe av_packet_free(&packet)
  }
}

/// The process's sandbox: first it drops what it inherited, then, once it has all it needs, access to the system.
enum Sandbox {
  /// On top of the 190 MB of address space that the libraries take. Ordinary files take 2 MB, the index of six hours of
  /// AAC in one file takes 60 MB, that of a day 200 MB.
  private static let memoryByteCount = 256 << 20
  /// Its own two, the standard streams, and the files it receives.
  private static let descriptorCount: UInt32 = 64
  /// An order takes a fraction of this, and the recorder times out long before.
  private static let secondsPerOrder: UInt32 = 10

  /// Must be called first, before any thread starts: closes all descriptors but the invocation's, drops all rights, and
  /// sets limits.
  /// - Returns: false if the system refuses one of these or the recorder is gone: the process must then exit.
  static func enter(_ invocation: DecoderInvocation) -> Bool {
    guard sandbox_close_all_but(invocation.socket, invocation.ring ?? -1) == 0 else { return false }
    guard sandbox_limit(memoryByteCount, descriptorCount) == 0 else { return false }
    // Changing the user resets this, so it comes after.
    guard sandbox_drop_rights() == 0, sandbox_die_with_parent(invocation.socket) == 0 else { return false }
    return renewTime()
  }

  /// Must be called once all threads run and all shared memory is mapped, before the first order: from here on the
  /// process cannot open, start, signal or connect to anything.
  /// - Returns: false if the system refuses: the process must then exit. A system without such filters, like an
  ///   emulator, is left with what ``enter(_:)`` did.
  static func shut() -> Bool { sandbox_shut() >= 0 }

  /// Must be called before each order, or at least once a second while orders come.
  /// - Returns: false if the system refuses.
  @discardableResult
  static func renewTime() -> Bool { sandbox_renew_time(secondsPerOrder) == 0 }
}
