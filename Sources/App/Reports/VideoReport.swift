import Base
import Configuration
import Console
import Machine
import Record

/// The content of `video`.
struct VideoReport {
  /// Nil while the camera has no format.
  let format: VideoFormat?
  let wantedFramesPerSecond: UInt32
  let picturesPerSecond: Double
  let controls: ControlList

  func report(_ form: StatusForm, _ console: inout ConsoleSession) {
    console.beginReport(form)
    console.fact("format", "format", .name(format?.pixelFormat.name))
    console.fact("width", "width_pixels", .count(format?.widthPixels))
    console.fact("height", "height_pixels", .count(format?.heightPixels))
    console.fact("wanted a second", "wanted_frames_per_second", .count(wantedFramesPerSecond))
    console.fact("agreed", "agreed_frames_per_second", .decimal(format?.frameRate.framesPerSecond, decimals: 2))
    console.fact("measured", "frames_per_second", .decimal(picturesPerSecond, decimals: 2))
    console.beginRows("controls", "control                          value   default    least     most     step")
    for index in 0..<controls.count {
      guard let control = controls[index] else { continue }
      console.beginRow()
      console.cell("name", text: control.name.bytes, columns: 30)
      console.cell("value", .number(control.value), columns: 8)
      console.cell("default", .number(control.usual), columns: 10)
      console.cell("min", .number(control.least), columns: 9)
      console.cell("max", .number(control.most), columns: 9)
      console.cell("step", .count(control.step), columns: 9)
      console.member("lock", .name(Self.word(control.lock)))
      console.endRow()
    }
    console.endRows()
    if controls.leftOutCount > 0 { console.fact("left out", "more_controls", .count(controls.leftOutCount)) }
    console.endReport()
  }

  private static func word(_ lock: DeviceControl.Lock) -> StaticString {
    switch lock {
    case .none: "none"
    case .inactive: "inactive"
    case .readOnly: "read-only"
    }
  }
}

extension Services {
  /// `video CONTROL N`: sets the control if the driver's own range allows the value.
  mutating func set(_ name: FixedText<32>, to value: Int64, in list: ControlList) {
    guard let control = list.control(named: name) else {
      return console.refuse("the camera has no control \(name): video lists them")
    }
    guard control.lock != .readOnly else { return console.refuse("control \(name) cannot be set") }
    guard control.accepts(value) else {
      return console.refuse(
        "control \(name) takes \(control.least)…\(control.most) in steps of \(control.step), not \(value)")
    }
    ask(.setting(name, identifier: control.identifier, to: value))
  }

  /// Reports the value that the driver has set.
  mutating func tellSet(_ name: FixedText<32>, to value: Int64, _ list: ControlList) {
    guard let control = list.control(named: name) else {
      return console.refuse("the camera has no control \(name): video lists them")
    }
    guard control.value == value else {
      return console.answer("control \(name) is \(control.value), not \(value): the camera chose that")
    }
    if control.lock == .inactive { return console.answer("control \(name) is \(value), without an effect for now") }
    console.answer("control \(name) is \(value)")
  }

  mutating func tellReset(_ list: ControlList) {
    guard list.refusedCount == 0 else {
      return console.refuse(
        "the camera refuses the default of \(count: list.refusedCount, "control"): video lists them")
    }
    console.answer("every control has its default")
  }
}
