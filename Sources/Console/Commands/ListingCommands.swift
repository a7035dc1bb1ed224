import Base

/// A command that lists a part of the device, for people or as JSON.
package enum Listing: UInt8, Sendable {
  case devices
  case buttons
  case rings
  case disk
  case threads
  case accel
  case memory
  case power
  case gps
}

/// What `video` does.
package enum VideoOrder: Equatable, Sendable {
  /// Lists the format and the camera's controls.
  case show(StatusForm)
  /// Sets a control.
  case set(FixedText<32>, to: Int64)
  /// Sets every control to its default.
  case reset
}

/// What `gain` does.
package enum GainOrder: Equatable, Sendable {
  /// Lists the gains of the microphone's card.
  case show(StatusForm)
  /// Sets a gain, in hundredths of a decibel; without a name the control that is most likely meant.
  case set(FixedText<32>?, hundredths: Int64)
}

extension CommandTable {
  static func visitListings(_ visit: CommandVisitor) {
    visit(
      "devices", .device, "[json]", "list what was found, and what is missing",
      "Each device with its state, name, bus, address and driver; below one that is missing, why, and what to do.",
      Examples("devices json"),
      { words throws(CommandError) in .listing(.devices, try Command.form(&words, of: "devices")) })
    visit(
      "video", .device, "[json|reset|CONTROL N]", "list and set the camera's controls",
      """
      Format, size and rate, then each control with its value, default, range and step. CONTROL N sets one, and reset all \
      to their defaults.
      """,
      Examples("video brightness 10"), Command.parseVideo)
    visit(
      "gain", .device, "[json|DB|NAME DB]", "list and set the microphone's gain",
      """
      Each gain of its sound card with its range, in decibels. DB alone sets capture or mic, or else the first; the \
      card uses the nearest value it has.
      """,
      Examples("gain -3.5", "gain mic_boost 20"), Command.parseGain)
    visit(
      "buttons", .device, "[json]", "list the buttons",
      "Each with its level, line, presses, bounces that were filtered out, the newest press and how long it was held.",
      Examples("buttons json"),
      { words throws(CommandError) in .listing(.buttons, try Command.form(&words, of: "buttons")) })
    visit(
      "rings", .device, "[json]", "show how full rings and queues are",
      "How much each holds, has held at most and can hold, also in seconds, and what was lost.",
      Examples("rings json"), { words throws(CommandError) in .listing(.rings, try Command.form(&words, of: "rings")) })
    visit(
      "disk", .device, "[json]", "show the card's state",
      "The file system, its size and free space, the space used by takes, stills and the bin, how much was written how fast, how long flushes take, and how often it stalled.",
      Examples("disk json"), { words throws(CommandError) in .listing(.disk, try Command.form(&words, of: "disk")) })
    visit(
      "threads", .device, "[json]", "list threads and helper processes",
      "Each with its state, scheduling policy, priority, processor time, and how long it has waited for a processor.",
      Examples("threads json"),
      { words throws(CommandError) in .listing(.threads, try Command.form(&words, of: "threads")) })
    visit(
      "accel", .device, "[json]", "show how the device is held",
      "The newest reading, raw and in g, the position and how sure it is, and how often it is read and fails.",
      Examples("accel json"), { words throws(CommandError) in .listing(.accel, try Command.form(&words, of: "accel")) })
    visit(
      "memory", .device, "[json]", "show what memory is used for",
      "How much each part got at the start, how much of it is locked and resident, and heap calls since then.",
      Examples("memory json"),
      { words throws(CommandError) in .listing(.memory, try Command.form(&words, of: "memory")) })
    visit(
      "power", .device, "[json]", "show what can be switched off",
      "Processor, HDMI, board LEDs, Wi-Fi and USB: the setting of each, whether it is on, and since when; below that, what could not be switched, and what to do.",
      Examples("power json"), { words throws(CommandError) in .listing(.power, try Command.form(&words, of: "power")) })
    visit(
      "gps", .device, "[json]", "show the position and the satellites' time",
      "What the receiver says: its state, position, altitude and accuracy, how far the clock is behind, and how many sentences were whole, wrong or not believed.",
      Examples("gps json"), { words throws(CommandError) in .listing(.gps, try Command.form(&words, of: "gps")) })
  }
}

extension Command {
  /// `json`, or otherwise lines for people.
  static func form(_ arguments: inout Arguments, of name: StaticString) throws(CommandError) -> StatusForm {
    guard let word = arguments.next() else { return .lines }
    guard word.equals("json") else { throw wrong(word, name, "json or nothing") }
    return .json
  }

  private static let gains = -200.0...200.0

  static func parseGain(_ arguments: inout Arguments) throws(CommandError) -> Command {
    guard let word = arguments.next() else { return .gain(.show(.lines)) }
    if word.equals("json") { return .gain(.show(.json)) }
    if let decibels = word.parseDecimal() { return .gain(.set(nil, hundredths: try hundredths(decibels, word))) }
    let name: FixedText<32> = try text(word, "gain", "the name of a gain")
    let number = arguments.next()
    return .gain(.set(name, hundredths: try hundredths(number?.parseDecimal(), number)))
  }

  private static func hundredths(_ decibels: Double?, _ word: Span<UInt8>?) throws(CommandError) -> Int64 {
    guard let decibels, gains.contains(decibels) else { throw wrong(word, "gain", "-200…200 decibels") }
    return Int64((decibels * 100).rounded())
  }

  static func parseVideo(_ arguments: inout Arguments) throws(CommandError) -> Command {
    guard let word = arguments.next() else { return .video(.show(.lines)) }
    if word.equals("json") { return .video(.show(.json)) }
    if word.equals("reset") { return .video(.reset) }
    let name: FixedText<32> = try text(word, "video", "a control")
    let number = arguments.next()
    guard let value = number?.parseInteger(as: Int64.self) else {
      throw wrong(number, "video", "a control and a whole number, json or reset")
    }
    return .video(.set(name, to: value))
  }
}
