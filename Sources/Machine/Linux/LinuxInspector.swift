import Base

/// Linux's report on this machine, and the controls of its camera and microphone.
package struct LinuxInspector: InspectorDriver, ~Copyable {
  private let system: SystemInspector
  private var switches = SysfsPower()

  init(dataFolder: FixedText<128>, fallbackFolder: FixedText<64>? = nil, updates: UpdateFolders? = nil) {
    system = SystemInspector(dataFolder: dataFolder, fallbackFolder: fallbackFolder, updates: updates)
  }

  package mutating func drivers(_ names: DeviceNames) throws(DeviceFailure) -> DeviceDrivers { system.drivers(names) }

  package mutating func card(isFallback: Bool) throws(DeviceFailure) -> CardReport {
    try system.card(isFallback: isFallback)
  }

  package mutating func process() throws(DeviceFailure) -> ProcessReport { try system.process() }

  package mutating func update(_ order: UpdateOrder) throws(DeviceFailure) -> UpdateReport {
    try system.update(order)
  }

  /// Opens the camera a second time: a control can be set while it streams and while it is closed.
  package mutating func controls(
    of camera: FixedText<64>, _ change: ControlChange
  ) throws(DeviceFailure) -> ControlList {
    do throws(VideoError) {
      return try DeviceArena.serve { () throws(VideoError) in
        guard let device = VideoDevice(path: camera, isEmulated: false) else { throw VideoError("cannot be opened") }
        return try device.controls.change(change)
      }
    } catch {
      throw error.failure(of: camera)
    }
  }

  /// A gain can be set while the card records and while it is closed.
  package mutating func gains(of card: FixedText<64>, _ change: ControlChange) throws(DeviceFailure) -> ControlList {
    do throws(ALSAError) {
      return try DeviceArena.serve { () throws(ALSAError) in try CardMixer(of: card).change(change) }
    } catch {
      throw ALSACapture.remedies.failureToOpen(card, error)
    }
  }
}

extension LinuxInspector {
  package mutating func power(_ wishes: PowerWishes) throws(DeviceFailure) -> PowerReport { switches.set(wishes) }

  package mutating func switchOff() throws(DeviceFailure) { try system.switchOff() }

  package mutating func sleep(_ order: SleepOrder) throws(DeviceFailure) { try system.sleep(order) }
}

extension FixedText<32> {
  /// The name of a driver's control as v4l2-ctl writes it: lower-case letters and digits, with `_` for anything between
  /// them.
  /// - Parameter name: ends at a 0 or at the last byte.
  init(asWord name: UnsafeRawBufferPointer) {
    self.init()
    var isApart = false
    for index in name.indices {
      let byte = unsafe name[index]
      if byte == 0 { break }
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
        UInt8(ascii: "A")...UInt8(ascii: "Z"):
        if isApart, !isEmpty { append("_") }
        isApart = false
        append(byte: byte < UInt8(ascii: "a") && byte > UInt8(ascii: "9") ? byte | 0x20 : byte)
      default: isApart = true
      }
    }
  }
}
