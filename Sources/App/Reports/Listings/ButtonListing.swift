import Base
import Configuration
import Console
import Machine
import Record

extension Services {
  /// `buttons`.
  mutating func listButtons(_ form: StatusForm, at now: Instant) {
    var writer = ListingWriter(form)
    writer.beginRows("buttons", "button      level       line  presses  bounces   s ago  held ms", &console)
    for index in 0..<UInt8(Button.count) {
      guard let button = Button(rawValue: index) else { continue }
      let contact = panel.recognizers[Int(index)]
      writer.beginRow()
      writer.cell("name", .name(button.name), columns: 12, console)
      writer.cell("level", .word(level(of: button)), columns: 10, console)
      writer.cell("line", context.settings.line(of: button).map { .count($0) } ?? .none, columns: 6, console)
      writer.cell("presses", .count(contact.pressCount), columns: 9, console)
      writer.cell("bounces", .count(contact.bounceCount), columns: 9, console)
      let ago = contact.pressedAt.map { Double(now.distance(since: $0)) / 1e9 }
      writer.cell("pressed_seconds_ago", ago.map { .decimal($0, decimals: 1) } ?? .none, columns: 8, console)
      let held = contact.heldNanoseconds.map { $0 / 1_000_000 }
      writer.cell("held_ms", held.map { .count($0) } ?? .none, columns: 9, console)
      writer.endRow(&console)
    }
    writer.endRows()
    writer.end(&console)
  }

  private func level(of button: Button) -> StaticString {
    if panel.isLost { return "missing" }
    return panel.pressed.contains(button) ? "down" : "up"
  }
}

extension Settings {
  /// The line of a button; nil for one that is not wired.
  fileprivate func line(of button: Button) -> UInt16? {
    switch button {
    case .prepare: buttons.prepareOffset
    case .play: buttons.playOffset
    case .stop: buttons.stopOffset
    case .record: buttons.recordOffset
    case .zoom: buttons.zoomOffset
    case .rotate: buttons.rotateOffset
    case .power: power.offset
    }
  }
}
