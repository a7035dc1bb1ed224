import Base
import CLinux

/// The console's byte stream: standard input and output, or a serial device that may disappear and come back.
@usableFromInline package struct TerminalLine: ConsoleLineDriver, ~Copyable {
  /// The interval at which opening an absent serial device is retried.
  private static let reopenIntervalNanoseconds: UInt64 = 1_000_000_000
  /// A pipe that is ready for writing takes this much without blocking (`PIPE_BUF`, pipe(7)).
  private static let largestWriteByteCount = 4096

  /// Nil for standard input and output.
  private let device: SerialDevice?
  /// The serial device, or our own second descriptor for the terminal's output.
  private var opened: FileDescriptor?
  /// Nil while there is nothing to read from or write to.
  private var inputNumber: Int32?
  private var outputNumber: Int32?
  private var standardMode: TerminalMode?
  private var nextOpen: Instant = 0
  /// True for a serial device, and if standard input and output are both a terminal.
  package let isTerminal: Bool

  /// Standard input and output. A terminal is in raw mode until ``restore()`` or the end of the value's lifetime;
  /// Ctrl-C is a byte like any other, as on a serial device.
  package init() {
    self.init(input: STDIN_FILENO, output: STDOUT_FILENO)
  }

  /// - Parameters: descriptors that the caller closes.
  init(input: Int32, output: Int32) {
    device = nil
    isTerminal = isatty(input) == 1 && isatty(output) == 1
    standardMode = isTerminal ? TerminalMode(rawOn: input) : nil
    // O_NONBLOCK would apply to the open terminal that other programs share: open our own.
    let again: FixedText<32> = "/proc/self/fd/\(output)"
    opened = isTerminal ? FileDescriptor(path: again, flags: O_WRONLY | O_NOCTTY | O_NONBLOCK) : nil
    inputNumber = input
    outputNumber = opened?.number ?? output
  }

  /// A serial device, opened by ``open()`` and, after a failure, by reading, once a second.
  package init(device: SerialDevice) {
    self.device = device
    isTerminal = true
    opened = nil
    inputNumber = nil
    outputNumber = nil
    standardMode = nil
  }

  deinit { standardMode?.restore() }

  /// Opens the serial device; standard input and output are already open.
  package mutating func open() throws(DeviceFailure) {
    guard let device else { return }
    nextOpen = Instant.now + Self.reopenIntervalNanoseconds
    let line = try device.open()
    inputNumber = line.number
    outputNumber = line.number
    opened = consume line
  }

  /// Asks the system each time: the window may have changed.
  package var terminalSize: TerminalSize {
    var size = winsize()
    guard device == nil, let output = outputNumber, unsafe linux_terminal_size(output, &size) == 0,
      size.ws_col > 0, size.ws_row > 0
    else { return .usual }
    return TerminalSize(
      columns: size.ws_col, rows: size.ws_row, widthPixels: size.ws_xpixel, heightPixels: size.ws_ypixel)
  }

  /// For a serial device only; asks the system each time.
  package var unsentByteCount: Int? {
    guard device != nil, let output = outputNumber else { return nil }
    let byteCount = linux_unsent_bytes(output)
    return byteCount < 0 ? nil : Int(byteCount)
  }

  /// False while a serial device is lost.
  package var isThere: Bool { device == nil || inputNumber != nil }

  package var hasInput: Bool { inputNumber.map { isReady($0, for: POLLIN) } ?? false }

  package func add(to sources: inout WakeSources) { sources.add(inputNumber) }

  /// Restores a terminal's original mode.
  package mutating func restore() {
    standardMode?.restore()
    standardMode = nil
  }

  /// Polls before reading, so that other programs sharing standard input are unaffected. Drops Ctrl-D on a serial line.
  package mutating func read(into buffer: inout MutableRawSpan) -> Int? {
    guard let input = inputNumber else { return reopenWhenDue() }
    guard buffer.byteCount > 0, isReady(input, for: POLLIN) else { return 0 }
    let count = unsafe buffer.withUnsafeMutableBytes { buffer in
      retryingWhenInterrupted { unsafe CLinux.read(input, buffer.baseAddress!, buffer.count) }
    }
    if count > 0 { return device == nil ? count : Self.removeEndOfInput(from: &buffer, count: count) }
    if count < 0, lastSystemError == EAGAIN { return 0 }
    inputNumber = nil
    return device == nil ? nil : loseDevice()
  }

  /// Ctrl-D on a serial line: line noise can produce it, and nobody there can end the input.
  private static let endOfInput: UInt8 = 0x04

  /// - Returns: how many of the `count` bytes remain.
  private static func removeEndOfInput(from buffer: inout MutableRawSpan, count: Int) -> Int {
    var kept = 0
    for index in 0..<count {
      // Safe: any byte is a valid UInt8.
      let byte = unsafe buffer.unsafeLoad(fromByteOffset: index, as: UInt8.self)
      guard byte != endOfInput else { continue }
      buffer.storeBytes(of: byte, toByteOffset: kept, as: UInt8.self)
      kept += 1
    }
    return kept
  }

  /// Writes at most 4096 bytes per call, which a pipe takes without blocking. Standard output to a file blocks on its
  /// disk.
  package mutating func write(_ bytes: RawSpan) -> Int {
    guard let output = outputNumber, bytes.byteCount > 0 else { return bytes.byteCount }
    guard isReady(output, for: POLLOUT) else { return 0 }
    let count = unsafe bytes.withUnsafeBytes { bytes in
      retryingWhenInterrupted { unsafe writeWithoutWaiting(output, bytes) }
    }
    if count >= 0 { return count }
    if lastSystemError == EAGAIN { return 0 }
    outputNumber = nil
    if device != nil { _ = loseDevice() }
    return bytes.byteCount
  }

  private func writeWithoutWaiting(_ output: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
    let byteCount = min(bytes.count, Self.largestWriteByteCount)
    let sent = unsafe send(output, bytes.baseAddress!, byteCount, Int32(MSG_DONTWAIT | MSG_NOSIGNAL))
    guard sent < 0, lastSystemError == ENOTSOCK else { return sent }
    return unsafe CLinux.write(output, bytes.baseAddress!, byteCount)
  }

  /// - Returns: 0 for a serial device; nil for standard input, which does not come back.
  private mutating func reopenWhenDue() -> Int? {
    guard device != nil else { return nil }
    if Instant.now >= nextOpen { try? open() }
    return 0
  }

  private mutating func loseDevice() -> Int {
    inputNumber = nil
    outputNumber = nil
    opened = nil
    nextOpen = Instant.now + Self.reopenIntervalNanoseconds
    return 0
  }
}

/// Whether reading or writing would return at once, even with an error.
private func isReady(_ number: Int32, for event: Int32) -> Bool {
  var watched = pollfd(fd: number, events: Int16(event), revents: 0)
  return unsafe poll(&watched, 1, 0) > 0
}

/// A terminal in raw mode, with its original mode.
struct TerminalMode {
  private let number: Int32
  private var original: termios

  /// Delivers keys one by one without echo; a written `\n` still starts a new line at the left margin. No key sends a
  /// signal: one typed by mistake would end a take, and those that quit or suspend would leave the terminal raw.
  /// - Returns: nil if the terminal refuses.
  init?(rawOn number: Int32) {
    self.number = number
    original = termios()
    guard unsafe tcgetattr(number, &original) == 0 else { return nil }
    var raw = original
    unsafe cfmakeraw(&raw)
    raw.c_oflag |= tcflag_t(OPOST | ONLCR)
    guard unsafe tcsetattr(number, TCSANOW, &raw) == 0 else { return nil }
  }

  func restore() {
    var original = original
    unsafe tcsetattr(number, TCSANOW, &original)
  }
}
