import Base
import CLinux

/// A program in our program's folder, and its running process, if any.
struct Sidecar: ~Copyable {
  private let name: StaticString
  private let device: Device
  private let path: FixedText<256>
  private var process: ChildProcess?

  /// Starts no process yet.
  /// - Parameters:
  ///   - device: the device that the failure names if the program cannot be started.
  ///   - path: nil for `name` in the folder of the running program.
  init(_ name: StaticString, _ device: Device, path: FixedText<256>?) {
    self.name = name
    self.device = device
    self.path = path ?? programBesideOurs(named: name)
  }

  /// The number of the running process; nil if there is none.
  var processNumber: Int32? {
    switch process {
    case .some(let process): process.processNumber
    case nil: nil
    }
  }

  /// Starts a process, after killing one that is running.
  /// - Parameters:
  ///   - words: its command line, the program's name first.
  ///   - memory: a descriptor that it inherits besides its socket; -1 if there is none.
  /// - Returns: the process's number.
  mutating func start(_ words: inout ProgramWords, inherits memory: Int32) throws(DeviceFailure) -> Int32 {
    stop()
    process = ChildProcess(path, &words, inherits: memory)
    guard let processNumber else { throw startingFailure(lastSystemError) }
    return processNumber
  }

  /// Kills the process and waits until it has ended.
  mutating func stop() { process = nil }

  /// As ``PacketLink/add(to:)``, if a process runs.
  func add(to sources: inout WakeSources) {
    switch process {
    case .some(let process): process.link.add(to: &sources)
    case nil: break
    }
  }

  /// As ``PacketLink/send(_:with:waitNanoseconds:)``; nil if no process runs.
  mutating func send(_ bytes: RawSpan, with descriptor: Int32, waitNanoseconds: UInt64) -> PacketLink.Sending? {
    process?.link.send(bytes, with: descriptor, waitNanoseconds: waitNanoseconds)
  }

  /// As ``PacketLink/receive(into:waitNanoseconds:)``; nil if no process runs.
  mutating func receive(into buffer: inout MutableRawSpan, waitNanoseconds: UInt64) -> PacketLink.Reception? {
    process?.link.receive(into: &buffer, waitNanoseconds: waitNanoseconds)
  }

  /// Reaps a process whose socket is closed.
  /// - Returns: how it ended; nil if none was running.
  mutating func end() -> ProcessEnding? {
    defer { process = nil }
    return process?.end()
  }

  private func startingFailure(_ systemErrorNumber: Int32) -> DeviceFailure {
    let remedy: StaticString =
      switch systemErrorNumber {
      case ENOENT, EACCES: "install it beside fieldcorder"
      case EMFILE, ENFILE: "raise LimitNOFILE in the service"
      default: "raise TasksMax and LimitNPROC in the service"
      }
    return DeviceFailure(
      device: device, kind: DeviceFailure.Kind(systemErrorNumber: systemErrorNumber), subject: "\(name)",
      problem: "cannot be started", remedy: remedy, systemErrorNumber: systemErrorNumber)
  }
}

/// The words of a command line in the form that `execve` takes: a null-terminated array of pointers to bytes held in
/// place.
struct ProgramWords: ~Copyable {
  /// More than the longest command line, a decoder's, with its terminating null pointer.
  private static var capacity: Int { 20 }

  private var bytes = InlineArray<512, UInt8>(repeating: 0)
  private var byteCount = 0
  private var starts = InlineArray<20, Int>(repeating: 0)
  private var count = 0

  /// Appends a word; the program's own name comes first. At most 19 words, with 512 bytes in total.
  @inline(never)
  mutating func append<let size: Int>(_ word: borrowing FixedText<size>) {
    precondition(count < Self.capacity - 1, "a command line of too many words")
    starts[count] = byteCount
    count += 1
    for index in word.bytes.indices {
      bytes[byteCount] = word.bytes[index]
      byteCount += 1
    }
    bytes[byteCount] = 0
    byteCount += 1
  }

  /// Lends the words with a terminating null pointer.
  mutating func withPointers<Result>(_ body: (UnsafePointer<UnsafeMutablePointer<CChar>?>) -> Result) -> Result {
    let (starts, count) = (starts, count)
    var span = bytes.mutableSpan
    // Safe: all pointers point into `bytes`, which stays in place until the call returns.
    return unsafe span.withUnsafeMutableBytes { memory in
      let first = unsafe memory.baseAddress!.assumingMemoryBound(to: CChar.self)
      var pointers = unsafe InlineArray<20, UnsafeMutablePointer<CChar>?>(repeating: nil)
      for index in 0..<count { unsafe pointers[index] = first + starts[index] }
      return unsafe pointers.span.withUnsafeBufferPointer { unsafe body($0.baseAddress!) }
    }
  }
}

/// The path of a program in the folder of the running one (`/proc/self/exe`).
private func programBesideOurs(named name: StaticString) -> FixedText<256> {
  var bytes = InlineArray<256, UInt8>(repeating: 0)
  var span = bytes.mutableSpan
  let itself: FixedText<16> = "/proc/self/exe"
  let count = unsafe span.withUnsafeMutableBytes { buffer in
    unsafe buffer.withMemoryRebound(to: CChar.self) { buffer in
      unsafe itself.withCString { unsafe readlink($0, buffer.baseAddress!, buffer.count) }
    }
  }
  let path = FixedText<256>(bytes.span.extracting(first: max(0, count)))
  return "\(path.parentFolder)/\(name)"
}
