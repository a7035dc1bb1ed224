import Base
import CLinux

/// Linux's report on its devices, its file systems and this process, from sysfs and procfs.
package struct SystemInspector: ~Copyable {
  private let dataFolder: FixedText<128>
  private let fallbackFolder: FixedText<64>?
  let updates: UpdateFolders?

  /// - Parameters:
  ///   - dataFolder: the folder of takes.
  ///   - fallbackFolder: the folder used if that fails; nil if there is none.
  ///   - updates: nil if the machine does not run the card's image.
  package init(dataFolder: FixedText<128>, fallbackFolder: FixedText<64>?, updates: UpdateFolders? = nil) {
    self.dataFolder = dataFolder
    self.fallbackFolder = fallbackFolder
    self.updates = updates
  }

  /// As ``Inspector/drivers(_:)``.
  @export(interface)
  package func drivers(_ names: DeviceNames) -> DeviceDrivers {
    var drivers = DeviceDrivers(repeating: DeviceDriver())
    for index in names.indices {
      let name = names[index]
      guard !name.isEmpty, let device = ListedDevice(rawValue: index) else { continue }
      switch device {
      // An ALSA name can stand for any card: the open device shows which one it is.
      case .microphone: drivers[index] = openSoundDevice(endingIn: UInt8(ascii: "c"))
      case .speaker: drivers[index] = openSoundDevice(endingIn: UInt8(ascii: "p"))
      case .card:
        drivers[index] = Self.driver(of: FixedText(name == "." ? dataFolder.bytes : name.bytes), isFolder: true)
      default: drivers[index] = Self.driver(of: FixedText(name.bytes))
      }
    }
    return drivers
  }

  /// As ``Inspector/card(isFallback:)``.
  @export(interface)
  package func card(isFallback: Bool) throws(DeviceFailure) -> CardReport {
    var folder = dataFolder
    if isFallback, let fallbackFolder { folder = FixedText(fallbackFolder.bytes) }
    var status = linux_file_system()
    guard unsafe folder.withCString({ unsafe linux_file_system($0, &status) }) == 0 else {
      throw storageFailure(folder, "does not report its free space")
    }
    return CardReport(
      fileSystem: Self.name(ofFileSystem: status.kind), byteCount: status.byte_count,
      freeByteCount: status.free_byte_count, isReadOnly: status.is_read_only != 0)
  }

  /// As ``Inspector/process()``.
  @export(interface)
  package func process() throws(DeviceFailure) -> ProcessReport {
    var report = ProcessReport()
    let folder: FixedText<128> = "/proc/self/task"
    guard let descriptor = FileDescriptor(path: folder, flags: O_RDONLY | O_DIRECTORY) else {
      throw storageFailure(folder, "cannot be listed")
    }
    var entries = FolderEntries(descriptor)
    while !report.isFull, let entry = try entries.next(in: folder) {
      guard let number = entry.name.bytes.parseInteger(as: Int32.self),
        var task = TaskReport(in: "\(folder)/\(number)", number: number)
      else { continue }
      if number == getpid() { task.name = "loop" }
      report.append(task)
    }
    for index in 0..<report.taskCount { Self.appendChildren(of: report[index]?.number ?? 0, to: &report) }
    let memory = beginning(of: "/proc/self/status")
    report.residentByteCount = 1024 * UInt64(kibibytes(after: "VmRSS:\t", in: memory.bytes) ?? 0)
    report.lockedByteCount = 1024 * UInt64(kibibytes(after: "VmLck:\t", in: memory.bytes) ?? 0)
    return report
  }

  /// The processes that a thread has started and that are still running.
  private static func appendChildren(of thread: Int32, to report: inout ProcessReport) {
    let children = beginning(of: "/proc/self/task/\(thread)/children")
    var rest = children.bytes
    while !rest.isEmpty {
      let word = rest.firstWord
      if let number = word.parseInteger(as: Int32.self), var task = TaskReport(in: "/proc/\(number)", number: number) {
        task.isProcess = true
        report.append(task)
      }
      rest = rest.extracting(droppingFirst: min(word.count + 1, rest.count))
    }
  }

  /// The file system's mount name, by the kernel's number for it (statfs(2)).
  private static func name(ofFileSystem kind: UInt64) -> FixedText<32> {
    switch kind {
    case 0xEF53: "ext4"
    case 0x4D44: "vfat"
    case 0x2011_BAB0: "exfat"
    case 0xF2F5_2010: "f2fs"
    case 0x9123_683E: "btrfs"
    case 0x5846_5342: "xfs"
    case 0x0102_1994: "tmpfs"
    case 0x794C_7630: "overlay"
    case 0x6969: "nfs"
    default: "0x\(hexadecimal: kind, width: 4)"
    }
  }

  /// The sound device that this process has open, by the end of its name: `c` for capture, `p` for playback.
  private func openSoundDevice(endingIn letter: UInt8) -> DeviceDriver {
    let folder: FixedText<128> = "/proc/self/fd"
    guard let descriptor = FileDescriptor(path: folder, flags: O_RDONLY | O_DIRECTORY) else { return DeviceDriver() }
    var entries = FolderEntries(descriptor)
    while let entry = try? entries.next(in: folder) {
      let target = Self.target(of: "/proc/self/fd/\(entry.name)")
      guard target.bytes.removingPrefix("/dev/snd/pcm") != nil, target.bytes[target.byteCount - 1] == letter else {
        continue
      }
      return Self.driver(of: target)
    }
    return DeviceDriver()
  }

  /// The nearest ancestor of a sysfs node that has a driver: `/sys/dev/char/81:0` leads to
  /// `/sys/devices/…/1-1.2:1.0/video4linux/video0`, of which `1-1.2:1.0` has one.
  private static func driver(of path: FixedText<256>, isFolder: Bool = false) -> DeviceDriver {
    var name = InlineArray<64, CChar>(repeating: 0)
    var span = name.mutableSpan
    // Safe: the function writes at most 64 bytes, including a terminating 0.
    let isFound = unsafe span.withUnsafeMutableBufferPointer { text in
      unsafe path.withCString { unsafe linux_sysfs_name($0, isFolder ? 1 : 0, text.baseAddress!) } == 0
    }
    guard isFound else { return DeviceDriver() }
    let number = unsafe name.span.withUnsafeBufferPointer { unsafe FixedText<64>(cString: $0.baseAddress) }
    let link = target(of: "/sys/dev/\(number)")
    guard let place = link.bytes.removingPrefix("../../") else { return DeviceDriver() }
    var device: FixedText<256> = "/sys/"
    device.append(bytes: place)
    while !device.isEmpty {
      let driver = target(of: "\(device)/driver")
      if !driver.isEmpty {
        return DeviceDriver(
          bus: FixedText(target(of: "\(device)/subsystem").lastPart), address: FixedText(device.lastPart),
          driver: FixedText(driver.lastPart))
      }
      device = device.parentFolder
    }
    return DeviceDriver()
  }

  /// The target of a symbolic link; empty if it is not a link.
  private static func target(of path: FixedText<256>) -> FixedText<256> {
    var target = FixedText<256>()
    var buffer = InlineArray<256, UInt8>(repeating: 0)
    var span = buffer.mutableSpan
    // Safe: the kernel fills at most the buffer's own bytes.
    let count = unsafe span.withUnsafeMutableBytes { bytes in
      unsafe path.withCString {
        unsafe readlink($0, bytes.baseAddress!.assumingMemoryBound(to: CChar.self), bytes.count)
      }
    }
    for index in 0..<max(count, 0) { target.append(byte: buffer[index]) }
    return target
  }
}

/// The beginning of a procfs file; empty if it cannot be read.
func beginning(of path: FixedText<128>) -> FixedText<3000> {
  var text = FixedText<3000>()
  guard let file = FileDescriptor(path: path, flags: O_RDONLY) else { return text }
  var buffer = InlineArray<1024, UInt8>(repeating: 0)
  for _ in 0..<3 {
    var span = buffer.mutableSpan
    // Safe: the kernel fills at most the buffer's own bytes.
    let count = unsafe span.withUnsafeMutableBytes { bytes in
      retryingWhenInterrupted { unsafe CLinux.read(file.number, bytes.baseAddress!, bytes.count) }
    }
    guard count > 0 else { break }
    for index in 0..<count { text.append(byte: buffer[index]) }
  }
  return text
}

extension TaskReport {
  /// - Parameter folder: its folder in procfs.
  /// - Returns: nil if the task has ended.
  fileprivate init?(in folder: FixedText<128>, number: Int32) {
    self.init()
    let stat = beginning(of: "\(folder)/stat")
    // The name is in parentheses, and may contain some.
    var close = stat.byteCount
    while close > 0, stat.bytes[close - 1] != UInt8(ascii: ")") { close -= 1 }
    var open = 0
    while open < close, stat.bytes[open] != UInt8(ascii: "(") { open += 1 }
    guard open + 1 < close, close + 1 < stat.byteCount else { return nil }
    self.number = number
    name = FixedText(stat.bytes.extracting(open + 1..<close - 1))
    // Starts at the third field of proc_pid_stat(5).
    var rest = stat.bytes.extracting(droppingFirst: close + 1)
    state = rest[0]
    var ticks: UInt64 = 0
    var niceness: Int32 = 0
    for field in 3...41 {
      let word = rest.firstWord
      switch field {
      case 14, 15: ticks &+= word.parseInteger() ?? 0
      case 19: niceness = word.parseInteger(as: Int32.self) ?? 0
      case 40: priority = word.parseInteger(as: Int32.self) ?? 0
      case 41: policy = word.parseInteger(as: UInt8.self).flatMap { Policy(rawValue: $0) }
      default: break
      }
      rest = rest.extracting(droppingFirst: min(word.count + 1, rest.count))
    }
    if policy != .fifo, policy != .roundRobin { priority = niceness }
    processorMilliseconds = ticks &* 1000 / UInt64(max(linux_ticks_per_second(), 1))
    // Nanoseconds run, nanoseconds waited, and time slices (Documentation/scheduler/sched-stats.rst).
    let turns = beginning(of: "\(folder)/schedstat")
    let first = turns.bytes.firstWord.count
    guard first > 0, first < turns.byteCount else { return }
    waitedMicroseconds = turns.bytes.extracting(droppingFirst: first + 1).firstWord.parseInteger().map { $0 / 1000 }
  }
}
