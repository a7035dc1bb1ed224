import Base
import Configuration
import Console
import Machine
import Record

/// The condition of a device, for `devices`.
private struct DeviceCondition {
  enum State {
    case works
    /// The device is opened when it is needed.
    case closed
    case missing
    /// The device is not wanted.
    case off
  }

  let state: State
  /// The device whose newest failure says why it is missing.
  let device: Device

  init(_ device: Device, isWanted: Bool = true, isMissing: Bool, isClosed: Bool = false) {
    self.device = device
    state = !isWanted ? .off : isMissing ? .missing : isClosed ? .closed : .works
  }

  /// Why the device is missing; nil if it is not, or the reason is unknown.
  func failure(_ console: borrowing ConsoleSession) -> DeviceFailure? {
    state == .missing ? console.newestFailure(of: device) : nil
  }

  /// The name in text and machine-readable output.
  var name: StaticString {
    switch state {
    case .works: "works"
    case .closed: "closed"
    case .missing: "missing"
    case .off: "off"
    }
  }
}

/// The content of `devices`.
struct DeviceReport {
  fileprivate let conditions: InlineArray<11, DeviceCondition>
  fileprivate let names: DeviceNames
  fileprivate let drivers: DeviceDrivers

  func report(_ form: StatusForm, _ console: inout ConsoleSession) {
    console.beginReport(form)
    console.beginRows("devices", "device        state   name                 bus      address      driver")
    for number in conditions.indices {
      let (condition, driver) = (conditions[number], drivers[number])
      console.beginRow()
      console.cell("device", .word(condition.device == .storage ? "card" : condition.device.name), columns: 14)
      console.cell("state", .word(condition.name), columns: 8)
      console.cell("name", text: names[number].bytes, columns: 21)
      console.cell("bus", text: driver.bus.bytes, columns: 9)
      console.cell("address", text: driver.address.bytes, columns: 13)
      console.cell("driver", text: driver.driver.bytes)
      if let failure = condition.failure(console) {
        console.member("problem", .word(failure.problem))
        console.member("remedy", .word(failure.remedy))
      }
      console.endRow()
    }
    console.endRows()
    if form == .lines { tellFailures(&console) }
    console.endReport()
  }

  /// Says why each missing device is missing, and what to do.
  private func tellFailures(_ console: inout ConsoleSession) {
    for number in conditions.indices {
      if let failure = conditions[number].failure(console) { console.reply(failure.line) }
    }
  }
}

extension Services {
  func devices(_ drivers: DeviceDrivers) -> DeviceReport {
    var names = deviceNames
    if !recording.hasFallenBack { names[ListedDevice.card.rawValue] = "" }
    var conditions = InlineArray<11, DeviceCondition>(repeating: DeviceCondition(.storage, isMissing: false))
    for number in conditions.indices {
      if let device = ListedDevice(rawValue: number) { conditions[number] = condition(of: device) }
    }
    return DeviceReport(conditions: conditions, names: names, drivers: drivers)
  }

  /// The names of the devices in the configuration.
  var deviceNames: DeviceNames {
    let settings = context.settings
    var names = DeviceNames(repeating: "")
    names[ListedDevice.camera.rawValue] = settings.video.deviceName
    names[ListedDevice.microphone.rawValue] = settings.audio.deviceName
    names[ListedDevice.speaker.rawValue] = settings.speaker.deviceName ?? ""
    names[ListedDevice.buttons.rawValue] = settings.buttons.chipName
    names[ListedDevice.leds.rawValue] = settings.leds.chipName
    names[ListedDevice.accelerometer.rawValue] = settings.accelerometer.busName ?? ""
    if recording.codec != .mjpeg { names[ListedDevice.encoder.rawValue] = settings.video.encoderDeviceName }
    switch settings.view.display {
    case .node(let name): names[ListedDevice.display.rawValue] = name
    case .automatic where liveView.isWanted: names[ListedDevice.display.rawValue] = "/dev/dri/card0"
    case .automatic, .none: break
    }
    names[ListedDevice.receiver.rawValue] = settings.receiver.deviceName ?? ""
    names[ListedDevice.card.rawValue] = recording.hasFallenBack ? settings.storage.fallbackFolder ?? "." : "."
    return names
  }

  private func condition(of device: ListedDevice) -> DeviceCondition {
    let settings = context.settings
    let capture = recording.capture.isDelivering
    switch device {
    case .camera:
      let camera = recording.capture.camera
      return DeviceCondition(
        .camera, isWanted: settings.record.content.hasCamera,
        isMissing: camera.isLost || camera == .closed && (capture || hasFailedToOpen(.camera)),
        isClosed: camera != .running)
    case .microphone:
      let microphone = recording.capture.microphone
      return DeviceCondition(
        .microphone, isMissing: microphone.isLost || microphone == .closed && (capture || hasFailedToOpen(.microphone)),
        isClosed: microphone != .running)
    case .speaker:
      return DeviceCondition(.speaker, isWanted: settings.speaker.deviceName != nil, isMissing: playback.lacksSpeaker)
    case .buttons: return DeviceCondition(.buttons, isMissing: panel.isLost)
    case .leds: return DeviceCondition(.leds, isMissing: console.newestFailure(of: .leds) != nil)
    case .accelerometer:
      return DeviceCondition(
        .accelerometer, isWanted: settings.accelerometer.busName != nil,
        isMissing: orientation.isMissing || orientation.isLost)
    case .encoder:
      let isMissing = recording.codecStatus.failure != nil || console.newestFailure(of: .encoder) != nil
      return DeviceCondition(.encoder, isWanted: isMissing || recording.codec != .mjpeg, isMissing: isMissing)
    case .display: return DeviceCondition(.view, isWanted: liveView.isWanted, isMissing: false)
    case .card: return DeviceCondition(.storage, isMissing: recording.hasFallenBack)
    case .thermometer:
      return DeviceCondition(
        .thermometer, isWanted: heat.isLost || heat.report.milliCelsius != nil, isMissing: heat.isLost)
    case .receiver:
      return DeviceCondition(.receiver, isWanted: position.report != nil, isMissing: position.isLost)
    }
  }

  /// Whether the recorder has nothing to record from because of this device.
  private func hasFailedToOpen(_ device: Device) -> Bool {
    recording.recorder.state == .failed && console.newestFailure(of: device) != nil
  }
}
