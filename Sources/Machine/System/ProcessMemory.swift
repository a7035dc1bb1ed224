import Base
import CLinux

/// Locks each page in memory from its first use (`mlockall`), and preloads what a take executes: a page of code that
/// had to come from a stalled card would hold up the loop.
///
/// Other memory needs no card: the first use of a page takes microseconds.
package func lockAllMemory() throws(DeviceFailure) {
  prepareRegions()
  let everything = Int32(MCL_CURRENT | MCL_FUTURE)
  var refused = mlockall(everything | lockOnFault)
  // Before Linux 4.4.
  if refused != 0, lastSystemError == EINVAL { refused = mlockall(everything) }
  guard refused == 0 else { throw lockingFailure(lastSystemError) }
  touchStack(pageCount: preFaultedStackPageCount)
}

/// Loads what takes use and frees what only boot has used; does nothing if the kernel does not list the regions.
private func prepareRegions() {
  var program = FixedText<512>()
  forEachLine(of: "/proc/self/maps") { line in
    // The program is mapped below its libraries.
    if program.isEmpty { program = FixedText(MappedRegion.path(of: line)) }
    MappedRegion(line, program: program.bytes)?.prepare()
    return true
  }
}

/// `MCL_ONFAULT` of mlockall(2), which glibc declares only for GNU sources.
private let lockOnFault: Int32 = 4

/// Pages of stack that the loop may use without a page fault.
private let preFaultedStackPageCount = 32

/// The smallest page size on Linux: larger pages are touched more than once.
private let pageByteCount = 4096

/// A region of the process's address space: a line of `/proc/self/maps` (proc_pid_maps(5)).
@safe private struct MappedRegion: BitwiseCopyable {
  private enum Use: BitwiseCopyable {
    /// Used by takes: the program itself, and the code of the libraries for sound and storage. Whatever the encoder
    /// needs from others, it has used before a take can begin.
    case takes
    /// The code of other libraries.
    case otherCode
    /// The first thread's stack.
    case stack
    case other
  }

  // Safe: mapped for the life of the process; only stack below every call is changed.
  private let start: UnsafeMutableRawPointer
  private let byteCount: Int
  private let use: Use

  /// - Parameter program: the program's path.
  /// - Returns: nil for a line in another format.
  init?(_ line: Span<UInt8>, program: Span<UInt8>) {
    guard let dash = line.firstIndex(of: "-"), let space = line.firstIndex(of: " "), dash < space,
      line.count > space + 4,
      let first = line.extracting(first: dash).parseHexadecimal(),
      let end = line.extracting(dash + 1..<space).parseHexadecimal(), end > first,
      let start = unsafe UnsafeMutableRawPointer(bitPattern: first)
    else { return nil }
    unsafe self.start = start
    byteCount = Int(end - first)
    let path = Self.path(of: line)
    let isReadable = line[space + 1] == UInt8(ascii: "r")
    let isCode = line[space + 3] == UInt8(ascii: "x")
    if path.equals("[stack]") {
      use = .stack
    } else if isReadable, path.count > 0, path.equals(program) || isCode && Self.isLibraryOfTakes(path) {
      use = .takes
    } else {
      use = isCode && path.contains(".so") ? .otherCode : .other
    }
  }

  /// The path at the end of the line; empty for memory without a file.
  @_lifetime(copy line)
  static func path(of line: Span<UInt8>) -> Span<UInt8> {
    line.extracting(droppingFirst: line.firstIndex(of: "/") ?? line.firstIndex(of: "[") ?? line.count)
  }

  private static func isLibraryOfTakes(_ path: Span<UInt8>) -> Bool {
    path.contains("/libc.so") || path.contains("/libasound.so") || path.contains("/libsodium.so")
  }

  /// Loads the region, or frees stack and code that only boot needed. Freed code is read again from its file when
  /// called.
  func prepare() {
    switch use {
    case .takes:
      for offset in stride(from: 0, to: byteCount, by: pageByteCount) { unsafe linux_touch(start + offset) }
    case .otherCode: _ = unsafe madvise(start, byteCount, Int32(MADV_DONTNEED))
    case .stack: releaseUnusedStack()
    case .other: break
    }
  }

  private func releaseUnusedStack() {
    var here: UInt8 = 0
    // Safe: far enough below the present call's variables that no call in progress reaches there.
    unsafe withUnsafeMutablePointer(to: &here) { here in
      let unused = unsafe UnsafeRawPointer(here) - UnsafeRawPointer(start) - 16 * pageByteCount
      guard unused > 0, unused < byteCount else { return }
      _ = unsafe madvise(start, unused / pageByteCount * pageByteCount, Int32(MADV_DONTNEED))
    }
  }
}

extension Span where Element == UInt8 {
  fileprivate func parseHexadecimal() -> UInt? {
    guard count > 0, count <= 16 else { return nil }
    var value: UInt = 0
    for index in indices {
      guard let digit = self[index].hexadecimalDigit else { return nil }
      value = value << 4 | UInt(digit)
    }
    return value
  }
}

func lockingFailure(_ systemErrorNumber: Int32) -> DeviceFailure {
  DeviceFailure(
    device: .memory, kind: systemErrorNumber == EPERM || systemErrorNumber == ENOMEM ? .noPermission : .failed,
    subject: "", problem: "cannot be locked", remedy: "set LimitMEMLOCK=infinity in the service, or run as root",
    systemErrorNumber: systemErrorNumber)
}

/// Touches a page of stack at each level, so that no later call causes a page fault.
@inline(never)
private func touchStack(pageCount: Int) {
  guard pageCount > 0 else { return }
  var page = InlineArray<512, UInt64>(repeating: 0)
  var span = page.mutableSpan
  // Safe: the bytes are the page's own; the call keeps the optimiser from removing the page.
  unsafe span.withUnsafeMutableBytes { unsafe explicit_bzero($0.baseAddress!, $0.count) }
  touchStack(pageCount: pageCount - 1)
}

/// Maps memory for boot: zeroed, page-aligned, resident, never unmapped and, if the system allows it, never paged out.
/// - Returns: nil if less is free (`MemAvailable`): the kernel itself promises memory that it does not have.
@export(interface)
package func lockedPages(byteCount: Int) -> UnsafeMutableRawPointer? {
  do throws(DeviceFailure) { try requireAvailableMemory(byteCount) } catch { return nil }
  let flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE
  let address = unsafe mmap(nil, byteCount, PROT_READ | PROT_WRITE, flags, -1, 0)
  guard unsafe linux_is_map_failed(address) == 0 else { return nil }
  _ = unsafe mlock(address, byteCount)
  return unsafe address
}

/// The same for memory that no take waits for: each page becomes resident at first use, and stays so.
/// - Returns: nil if less is free, as if all of it were used.
@export(interface)
package func pagesAtFirstUse(byteCount: Int) -> UnsafeMutableRawPointer? {
  do throws(DeviceFailure) { try requireAvailableMemory(byteCount) } catch { return nil }
  let address = unsafe mmap(nil, byteCount, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
  return unsafe linux_is_map_failed(address) == 0 ? address : nil
}

/// Lends memory for the duration of `body`.
/// - Returns: nil if the system refuses it, or `body` returns nil.
package func withPassingMemory<Result>(byteCount: Int, _ body: (inout BootMemory) -> Result?) -> Result? {
  let address = unsafe mmap(nil, byteCount, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
  guard unsafe linux_is_map_failed(address) == 0 else { return nil }
  var memory = unsafe BootMemory(region: UnsafeMutableRawBufferPointer(start: address, count: byteCount))
  defer { _ = unsafe munmap(address, byteCount) }
  return body(&memory)
}

/// - Throws: if the machine has less than `byteCount` bytes free.
func requireAvailableMemory(_ byteCount: Int) throws(DeviceFailure) {
  guard let available = availableMemoryByteCount(), byteCount > available else { return }
  throw .memoryRefused(byteCount: byteCount, systemErrorNumber: ENOMEM)
}

/// `MemAvailable` in `/proc/meminfo`: memory available without swapping; nil if the kernel does not report it.
package func availableMemoryByteCount() -> Int? {
  let path: FixedText<64> = "/proc/meminfo"
  guard let file = FileDescriptor(path: path, flags: O_RDONLY) else { return nil }
  var bytes = InlineArray<1024, UInt8>(repeating: 0)
  var span = bytes.mutableSpan
  let count = unsafe span.withUnsafeMutableBytes { buffer in
    retryingWhenInterrupted { unsafe read(file.number, buffer.baseAddress!, buffer.count) }
  }
  guard count > 0 else { return nil }
  return kibibytes(after: "MemAvailable:", in: bytes.span.extracting(first: count)).map { $0 * 1024 }
}

/// The number after `label` in a line such as `MemAvailable:    3906252 kB`.
func kibibytes(after label: StaticString, in text: Span<UInt8>) -> Int? {
  let length = label.utf8CodeUnitCount
  for start in 0..<max(0, text.count - length) where text.extracting(start..<start + length).equals(label) {
    var first = start + length
    while first < text.count, text[first] == UInt8(ascii: " ") { first += 1 }
    var end = first
    while end < text.count, text[end] != UInt8(ascii: " ") { end += 1 }
    return text.extracting(first..<end).parseInteger().flatMap { Int(exactly: $0) }
  }
  return nil
}
