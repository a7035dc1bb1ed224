import Base
import CLinux

/// Switches parts of the machine off through sysfs, and back to how they were. It changes nothing that it could not
/// change back.
package struct SysfsPower: ~Copyable {
  /// What a file held before it was changed.
  private struct KeptValue: BitwiseCopyable {
    let part: PowerPart
    let path: FixedText<128>
    let value: FixedText<32>
  }

  /// Where sysfs is mounted.
  private let root: FixedText<64>
  /// The device of the kernel's radio switches. Unlike their files in sysfs, it takes no capability.
  private let radios: FixedText<64>
  /// In the order of the changes. A Raspberry Pi has a governor, two connectors, two LEDs with two files each, a radio
  /// and about ten USB devices.
  private var kept = InlineArray<32, KeptValue?>(repeating: nil)
  private var keptCount = 0

  package init(root: FixedText<64> = "/sys", radios: FixedText<64> = "/dev/rfkill") {
    self.root = root
    self.radios = radios
  }

  /// As ``InspectorDriver/power(_:)``.
  @export(interface)
  package mutating func set(_ wishes: PowerWishes) -> PowerReport {
    var report = PowerReport(repeating: PartPower())
    for index in PowerPart.all.indices {
      let part = PowerPart.all[index]
      report[index].failure = wishes.includes(part) ? change(part, wishes) : restore(part)
      report[index].state = state(of: part)
    }
    return report
  }

  private mutating func change(_ part: PowerPart, _ wishes: PowerWishes) -> DeviceFailure? {
    guard var nodes = PowerNodes(of: part, below: root) else { return .power(part, "is not there", kind: .absent) }
    var isThere = false
    var failure: DeviceFailure?
    while let node = nodes.next() {
      isThere = true
      let problem = change(part, at: node, wishes)
      failure = failure ?? problem
    }
    return isThere ? failure : .power(part, "is not there", kind: .absent)
  }

  private mutating func change(_ part: PowerPart, at node: FixedText<128>, _ wishes: PowerWishes) -> DeviceFailure? {
    switch part {
    case .processor: return set("\(node)/scaling_governor", of: part, to: "\(wishes.governor?.name ?? "")")
    case .hdmi:
      // Without a display it uses no power already. `detect` gives the connector back to its driver.
      guard isOn(part, at: node) else { return nil }
      return set("\(node)/status", of: part, to: "off", back: "detect")
    case .boardLEDs:
      return set("\(node)/trigger", of: part, to: "none") ?? set("\(node)/brightness", of: part, to: "0")
    case .wifi: return set("\(node)/soft", of: part, to: "1")
    case .usb: return set("\(node)/power/control", of: part, to: "auto")
    }
  }

  /// - Parameter back: what restores the file; nil for its present value.
  private mutating func set(
    _ path: FixedText<128>, of part: PowerPart, to value: FixedText<32>, back: FixedText<32>? = nil
  ) -> DeviceFailure? {
    let old = Self.value(of: path)
    guard old != value else { return nil }
    guard !old.isEmpty else { return .power(part, "cannot be read", kind: .failed) }
    let isKept = keeps(path)
    guard isKept || keptCount < kept.count else { return .power(part, "has too many devices", kind: .full) }
    let errorNumber = write(value, to: path, of: part)
    guard errorNumber == 0 else { return .power(part, errorNumber: errorNumber) }
    guard !isKept else { return nil }
    kept[keptCount] = KeptValue(part: part, path: path, value: back ?? old)
    keptCount += 1
    return nil
  }

  private func keeps(_ path: FixedText<128>) -> Bool {
    for index in 0..<keptCount {
      if let kept = kept[index], kept.path == path { return true }
    }
    return false
  }

  /// Undoes the changes of a part, the newest first. A device that is gone needs none.
  private mutating func restore(_ part: PowerPart) -> DeviceFailure? {
    var failure: DeviceFailure?
    for index in (0..<keptCount).reversed() {
      guard let old = kept[index], old.part == part else { continue }
      kept[index] = nil
      let errorNumber = write(old.value, to: old.path, of: part)
      if errorNumber != 0, errorNumber != ENOENT, errorNumber != ENODEV {
        failure = .power(part, errorNumber: errorNumber)
      }
    }
    closeGaps()
    return failure
  }

  private mutating func closeGaps() {
    var count = 0
    for index in 0..<keptCount where kept[index] != nil {
      kept[count] = kept[index]
      count += 1
    }
    keptCount = count
  }

  /// - Returns: `errno`; 0 if it was written.
  private func write(_ value: FixedText<32>, to path: FixedText<128>, of part: PowerPart) -> Int32 {
    if part == .wifi, let device = FileDescriptor(path: radios, flags: O_WRONLY) {
      return write(Self.radioEvent(path, isBlocked: value == "1").span, to: device)
    }
    guard let file = FileDescriptor(path: path, flags: O_WRONLY | O_TRUNC) else { return lastSystemError }
    return write(value.bytes, to: file)
  }

  private func write(_ bytes: Span<UInt8>, to file: borrowing FileDescriptor) -> Int32 {
    let number = file.number
    // Safe: the kernel reads only the bytes.
    let count = unsafe bytes.withUnsafeBufferPointer { buffer in
      retryingWhenInterrupted { unsafe CLinux.write(number, buffer.baseAddress, buffer.count) }
    }
    return count == bytes.count ? 0 : count < 0 ? lastSystemError : EIO
  }

  /// `struct rfkill_event` (linux/rfkill.h): the switch's number in four bytes, its type, the operation, and the two
  /// states. 2 changes one switch.
  /// - Parameter path: `…/rfkill3/soft`.
  private static func radioEvent(_ path: FixedText<128>, isBlocked: Bool) -> InlineArray<8, UInt8> {
    var event = InlineArray<8, UInt8>(repeating: 0)
    let node = path.parentFolder
    event[0] = node.lastPart.removingPrefix("rfkill")?.parseInteger(as: UInt8.self) ?? 0
    event[5] = 2
    event[6] = isBlocked ? 1 : 0
    return event
  }

  private func state(of part: PowerPart) -> PowerState {
    guard var nodes = PowerNodes(of: part, below: root) else { return .absent }
    var state = PowerState.absent
    while let node = nodes.next() {
      if part == .processor {
        return .governor(FixedText(Self.value(of: "\(node)/scaling_governor").bytes))
      }
      if isOn(part, at: node) { return .on }
      state = .off
    }
    return state
  }

  private func isOn(_ part: PowerPart, at node: FixedText<128>) -> Bool {
    switch part {
    case .processor: true
    case .hdmi: Self.value(of: "\(node)/status") == "connected"
    case .boardLEDs: Self.value(of: "\(node)/trigger") != "none" || Self.value(of: "\(node)/brightness") != "0"
    case .wifi: Self.value(of: "\(node)/soft") == "0"
    case .usb: Self.value(of: "\(node)/power/runtime_status") != "suspended"
    }
  }

  /// The value of a file; in a list such as `none [mmc0] timer`, the chosen word. Empty if it cannot be read.
  private static func value(of path: FixedText<128>) -> FixedText<32> {
    let text = beginning(of: path)
    let bytes = text.bytes
    var (start, end) = (0, bytes.count)
    for index in bytes.indices {
      if bytes[index] == UInt8(ascii: "[") { start = index + 1 }
      if bytes[index] == UInt8(ascii: "]") || bytes[index] == UInt8(ascii: "\n") {
        end = index
        break
      }
    }
    return FixedText(bytes.extracting(start..<end))
  }
}

/// The folders of a part's devices in sysfs.
private struct PowerNodes: ~Copyable {
  private let part: PowerPart
  private let folder: FixedText<128>
  private var entries: FolderEntries

  /// - Returns: nil if the kernel has no devices of this class.
  init?(of part: PowerPart, below root: FixedText<64>) {
    self.part = part
    folder = "\(root)/\(part.sysfsFolder)"
    guard let descriptor = FileDescriptor(path: folder, flags: O_RDONLY | O_DIRECTORY) else { return nil }
    entries = FolderEntries(descriptor)
  }

  mutating func next() -> FixedText<128>? {
    while let entry = try? entries.next(in: folder) {
      let node: FixedText<128> = "\(folder)/\(entry.name)"
      // Room for the longest file's name below it.
      if node.byteCount <= 100, includes(entry.name.bytes, node) { return node }
    }
    return nil
  }

  private func includes(_ name: Span<UInt8>, _ node: FixedText<128>) -> Bool {
    switch part {
    case .processor: name.removingPrefix("policy") != nil
    case .hdmi: name.contains("-HDMI-")
    // `led0` and `led1` are their names in older kernels.
    case .boardLEDs: name.equals("ACT") || name.equals("PWR") || name.equals("led0") || name.equals("led1")
    case .wifi: firstLine(of: "\(node)/type").map { $0 == "wlan" } == true
    // The others are the devices' interfaces.
    case .usb: !name.contains(":")
    }
  }
}

extension PowerPart {
  fileprivate var sysfsFolder: StaticString {
    switch self {
    case .processor: "devices/system/cpu/cpufreq"
    case .hdmi: "class/drm"
    case .boardLEDs: "class/leds"
    case .wifi: "class/rfkill"
    case .usb: "bus/usb/devices"
    }
  }
}

extension DeviceFailure {
  fileprivate static func power(_ part: PowerPart, _ problem: StaticString, kind: Kind) -> DeviceFailure {
    DeviceFailure(
      device: .power, kind: kind, subject: "\(part.name)", problem: problem,
      remedy: "set it to unchanged under [power]")
  }

  fileprivate static func power(_ part: PowerPart, errorNumber: Int32) -> DeviceFailure {
    var failure = power(part, "cannot be changed", kind: Kind(systemErrorNumber: errorNumber))
    failure.systemErrorNumber = errorNumber
    switch failure.kind {
    case .noPermission: failure.remedy = "enable fieldcorder-power.service, or set it to unchanged under [power]"
    case .unsupported: failure.remedy = "the kernel does not offer that: choose another value under [power]"
    default: break
    }
    return failure
  }
}
