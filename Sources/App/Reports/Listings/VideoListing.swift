import Base
import Configuration
import Console
import Machine
import Record

extension Services {
  /// `video`.
  mutating func listVideo(_ form: StatusForm, _ list: ControlList) {
    let settings = context.settings.video
    let format = recording.capture.otherVideoFormat ?? recording.capture.videoFormat
    var writer = ListingWriter(form)
    writer.fact("format", "format", format.map { .name($0.pixelFormat.name) } ?? .none, &console)
    writer.fact("width", "width_pixels", format.map { .count($0.widthPixels) } ?? .none, &console)
    writer.fact("height", "height_pixels", format.map { .count($0.heightPixels) } ?? .none, &console)
    writer.fact("wanted a second", "wanted_frames_per_second", .count(settings.framesPerSecond), &console)
    let agreed = format?.frameRate.framesPerSecond
    writer.fact("agreed", "agreed_frames_per_second", agreed.map { .decimal($0, decimals: 2) } ?? .none, &console)
    writer.fact("measured", "frames_per_second", .decimal(top.rates.picturesPerSecond, decimals: 2), &console)
    writer.beginRows(
      "controls", "control                          value   default    least     most     step", &console)
    for index in 0..<list.count {
      guard let control = list[index] else { continue }
      writer.beginRow()
      writer.cell("name", text: control.name.bytes, columns: 30)
      writer.cell("value", .number(control.value), columns: 8, console)
      writer.cell("default", .number(control.usual), columns: 10, console)
      writer.cell("min", .number(control.least), columns: 9, console)
      writer.cell("max", .number(control.most), columns: 9, console)
      writer.cell("step", .count(control.step), columns: 9, console)
      if form == .json { writer.cell("lock", .word(Self.word(control.lock)), console) }
      writer.endRow(&console)
    }
    writer.endRows()
    if list.leftOutCount > 0 { writer.fact("left out", "more_controls", .count(list.leftOutCount), &console) }
    writer.end(&console)
  }

  private static func word(_ lock: DeviceControl.Lock) -> StaticString {
    switch lock {
    case .none: "none"
    case .inactive: "inactive"
    case .readOnly: "read-only"
    }
  }

  /// `video CONTROL N`: has it set if the driver's own numbers allow that.
  mutating func set(_ name: FixedText<32>, to value: Int64, in list: ControlList, at now: Instant) {
    guard let control = list.control(named: name) else {
      return console.refuse("the camera has no control \(name): video lists them")
    }
    guard control.lock != .readOnly else { return console.refuse("control \(name) cannot be set") }
    guard control.accepts(value) else {
      return console.refuse(
        "control \(name) takes \(control.least)…\(control.most) in steps of \(control.step), not \(value)")
    }
    ask(.setting(name, identifier: control.identifier, to: value), at: now)
  }

  /// Tells what the driver has made of it.
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
      return console.refuse("the camera refuses the default of \(list.refusedCount) controls: video lists them")
    }
    console.answer("every control has its default")
  }
}
