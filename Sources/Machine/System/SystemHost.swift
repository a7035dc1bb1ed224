import Base
import CLinux
import Media

/// The operating system's files and processes.
package struct SystemHost: HostDriver {
  private let settings: HostSettings

  package init(_ settings: HostSettings) { self.settings = settings }

  /// Creates the data folder if it is missing, and locks it.
  @export(interface)
  package func openStorage() throws(DeviceFailure) -> HostStorage {
    var storage = try FolderStorage(folder: settings.dataFolder, fallbackFolder: settings.fallbackFolder)
    try storage.lock(settings.dataFolder)
    return storage
  }

  /// Does not lock the folder: that waits until it is used.
  package func checkFallback() throws(DeviceFailure) {
    guard let folder = settings.fallbackFolder else { return }
    _ = try FolderStorage(folder: FixedText<128>(folder.bytes))
  }

  /// Creates the folder if it is missing, and locks one that is shared.
  package func openIdentityCopy() throws(DeviceFailure) -> IdentityFolder<HostStorage>? {
    guard let folder = settings.identityFolder else { return nil }
    var storage = try FolderStorage(folder: folder)
    var isInUse = false
    if settings.sharesIdentityFolder {
      do throws(DeviceFailure) { try storage.lock(folder) } catch { isInUse = true }
    }
    return IdentityFolder(storage, path: folder, isInUse: isInUse)
  }

  /// Does not lock the folder: ``openStorage()`` has done so.
  package func openFolder(for use: FolderUse) throws(DeviceFailure) -> HostStorage {
    try FolderStorage(folder: settings.dataFolder, for: use)
  }

  /// `fieldcorder-decode` from the folder of this program.
  @export(interface)
  package func openDecoder(_ setup: DecoderSetup) throws(DeviceFailure) -> Decoder {
    try DecoderProcess(
      dataFolder: settings.dataFolder, ringByteCount: setup.ringByteCount, format: setup.format,
      isInStep: settings.decodesInStep, isProber: setup.isProber, identity: setup.identity,
      streamService: setup.isProber ? nil : settings.streamService)
  }

  package func openVideoEncoder(_ request: VideoEncoderRequest) throws(DeviceFailure) -> VideoEncoder {
    guard settings.mayHaveEncoder else { throw .noVideoEncoder(request) }
    return try V4L2Encoder(request)
  }

  /// `fieldcorder-view` from the folder of this program, if the settings name a display, and the links to
  /// `fieldcorder-monitor` and the fetching service.
  @export(interface)
  package func openView(_ setup: ViewSetup) throws(DeviceFailure) -> View {
    try ViewProcess(
      display: settings.displayName, scaling: settings.displayScaling, mounting: settings.displayMounting,
      font: settings.displayFont, monitorSocket: settings.monitorSocket, streamService: settings.streamService,
      isInStep: settings.decodesInStep, setup: setup)
  }
}

/// The environment's language for messages: from the first of `LC_ALL`, `LC_MESSAGES` and `LANG` that is set and not
/// empty (POSIX, Environment Variables).
package func systemLanguage() -> Language {
  Language(locale: environmentText("LC_ALL") ?? environmentText("LC_MESSAGES") ?? environmentText("LANG") ?? "")
}

/// What the terminal can draw, according to `TERM`, `NO_COLOR` and the character locale.
package func systemTerminalLooks() -> TerminalLooks {
  let name: FixedText<64> = environmentText("TERM") ?? ""
  let locale: FixedText<64> = environmentText("LC_ALL") ?? environmentText("LC_CTYPE") ?? environmentText("LANG") ?? ""
  let refusal: FixedText<64>? = environmentText("NO_COLOR")
  return TerminalLooks(name: name.bytes, locale: locale.bytes, refusesColour: refusal != nil)
}

/// Where programs keep persistent state for the current user (XDG Base Directory Specification 0.8); nil if the
/// environment names no such place.
package func userStateFolder() -> FixedText<128>? {
  var folder = environmentFolder("XDG_STATE_HOME")
  if folder == nil { folder = environmentFolder("HOME").map { "\($0)/.local/state" } }
  guard let folder else { return nil }
  let path: FixedText<128> = "\(folder)/fieldcorder"
  return path.isTruncated ? nil : path
}

/// Nil for a variable that is not set, is not an absolute path, or is too long.
func environmentFolder(_ name: StaticString) -> FixedText<128>? {
  guard let text: FixedText<128> = environmentText(name), text.bytes[0] == UInt8(ascii: "/") else { return nil }
  return text.isTruncated ? nil : text
}

/// Nil for a variable that is not set or is empty.
private func environmentText<let capacity: Int>(_ name: StaticString) -> FixedText<capacity>? {
  // Safe: a literal ends with a 0, and the value is copied before anything else can change it.
  let text = unsafe FixedText<capacity>(
    cString: getenv(UnsafeRawPointer(name.utf8Start).assumingMemoryBound(to: CChar.self)))
  return text.isEmpty ? nil : text
}

/// SIGTERM, SIGINT and SIGHUP (a closed terminal), polled by the loop. They are blocked and stay pending, so that they
/// interrupt no system call and need no handler.
package struct StopSignals: ~Copyable {
  /// Call before the first thread starts: threads inherit the signal mask. SIGPIPE is ignored from here on: a reader
  /// that goes away must not end the program.
  package init() {
    var stops = sigset_t()
    unsafe sigemptyset(&stops)
    unsafe sigaddset(&stops, SIGTERM)
    unsafe sigaddset(&stops, SIGINT)
    // Under `nohup` SIGHUP stays ignored; blocking it would end the program.
    if linux_ignores(SIGHUP) == 0 { unsafe sigaddset(&stops, SIGHUP) }
    unsafe pthread_sigmask(SIG_BLOCK, &stops, nil)
    linux_ignore_broken_pipes()
    linux_ignore_file_limit()
  }

  /// Whether the process was asked to end.
  package var isStopRequested: Bool {
    var pending = sigset_t()
    unsafe sigpending(&pending)
    return unsafe sigismember(&pending, SIGTERM) == 1 || sigismember(&pending, SIGINT) == 1
      || sigismember(&pending, SIGHUP) == 1
  }
}

extension DeviceIdentity {
  /// A new identity from the kernel's random numbers; blocks until they are available if the machine has only just
  /// started.
  package static func random() -> DeviceIdentity {
    DeviceIdentity(randomHigh: randomBits(), randomLow: randomBits())
  }
}

extension KeyBytes {
  /// The seed of a new key, from the same source.
  package static func random() -> KeyBytes {
    let words = InlineArray<4, UInt64> { _ in randomBits() }
    return KeyBytes(InlineArray { index in UInt8(truncatingIfNeeded: words[index / 8] >> UInt64(index % 8 * 8)) })
  }
}

private func randomBits() -> UInt64 {
  var bits: UInt64 = 0
  // Up to 256 bytes come whole or not at all, and EINTR is the only failure (getrandom(2)).
  while unsafe getrandom(&bits, MemoryLayout<UInt64>.size, 0) != MemoryLayout<UInt64>.size {}
  return bits
}

extension TimeZoneTable {
  /// Reads a time zone from the system (tzdata). Called at boot: the memory is kept for the life of the process.
  /// - Parameters:
  ///   - name: such as `Asia/Seoul`; a path inside the folder.
  ///   - folder: the folder of time zones.
  package init(named name: FixedText<40>, in folder: FixedText<64> = "/usr/share/zoneinfo") throws(TimeZoneProblem) {
    let path: FixedText<128> = "\(folder)/\(name)"
    // Something other than a file must not block the open.
    guard let file = FileDescriptor(path: path, flags: O_RDONLY | O_NONBLOCK) else {
      throw lastSystemError == ENOENT || lastSystemError == ENOTDIR ? .absent : .damaged
    }
    guard let memory = unsafe lockedPages(byteCount: TimeZoneLimits.byteCount) else { throw .damaged }
    // Safe: the kernel fills at most the memory's own bytes.
    let count = retryingWhenInterrupted { unsafe read(file.number, memory, TimeZoneLimits.byteCount) }
    guard count > 0, count < TimeZoneLimits.byteCount else { throw .damaged }
    // Safe: the pages are never unmapped, and nobody else has them.
    try unsafe self.init(UnsafeBufferPointer(start: memory.bindMemory(to: UInt8.self, capacity: count), count: count))
  }
}
