import Base
import Configuration
import Console
import Machine
import Record

/// The buttons and the power line, from levels to gestures, and the presses that the console simulates.
struct ControlPanel: ~Copyable {
  private let place = StaysInPlace()
  private(set) var recognizers: InlineArray<7, GestureRecognizer>
  private(set) var pressed = ButtonSet()
  private var watch = PollWatch(failureLimit: Limits.buttonFailures)
  /// Edges that the system has timestamped and that have not been searched for gestures yet.
  private var edges = ButtonEdges()
  /// Until then changed lines are polled at each tick and do not wake the loop: interference on the wires would do so
  /// thousands of times a second.
  private var edgesEnd: Instant = 0
  /// When the console can press each button again.
  private var freeAgain = InlineArray<7, Instant>(repeating: 0)

  init(settings: Settings) {
    let timing = GestureTiming(stableNanoseconds: UInt64(settings.buttons.debounceMilliseconds) * 1_000_000)
    recognizers = InlineArray(repeating: GestureRecognizer(timing: timing))
    recognizers[Int(Button.zoom.rawValue)] = GestureRecognizer(recognisesDouble: true, timing: timing)
  }

  /// The order in which gestures are served: the power line and the record button first.
  static var order: InlineArray<7, Button> { [.power, .record, .prepare, .play, .stop, .zoom, .rotate] }

  /// Reads the levels; after a failed reading the last ones stay. Lost buttons are reported and count as released, and
  /// the device worker reopens them until they work.
  mutating func step(
    _ buttons: inout SharedDevice<some ButtonsDriver & ~Copyable>, _ console: inout ConsoleSession, at now: Instant
  ) {
    do throws(DeviceFailure) {
      guard try watch.isReadable(buttons, at: now) else { return }
      pressed = try buttons.device.read(at: now)
      try takeEdges(of: &buttons.device, at: now)
      guard watch.noteReading() else { return }
      isMissing = false
      console.announce("buttons are back" as FixedText<32>)
    } catch {
      guard watch.noteFailure(at: now) else { return }
      pressed = ButtonSet()
      console.announce(error)
    }
  }

  /// Takes the edges since the last look, even if a line has changed back: no press is missed, however late the loop
  /// is. The levels were read before, so the last edge of a line is newer.
  private mutating func takeEdges(of buttons: inout some ButtonsDriver & ~Copyable, at now: Instant)
    throws(DeviceFailure)
  {
    while !edges.isFull, let edge = try buttons.nextEdge() {
      edges.append(edge, at: now)
      pressed[edge.button] = edge.isDown
      edgesEnd = now + Limits.edgeMilliseconds * 1_000_000
    }
    edges.pass(now)
  }

  /// Whether the buttons must be polled at each tick: during a press, or if they do not report edges.
  func isBusy(_ buttons: borrowing SharedDevice<some ButtonsDriver & ~Copyable>, at now: Instant) -> Bool {
    if isLost { return false }
    guard !buttons.isLent, buttons.device.tellsEdges, now >= edgesEnd, edges.isEmpty, !watch.isFailing
    else { return true }
    // Through a span: indexing the array itself would copy all of it.
    let contacts = recognizers.span
    for index in contacts.indices where !contacts[index].isResting || now < freeAgain[index] { return true }
    return false
  }

  /// Whether a button has changed, for when nothing wakes the loop, as on a virtual clock.
  func seesChange(of buttons: borrowing SharedDevice<some ButtonsDriver & ~Copyable>, at now: Instant) -> Bool {
    guard !isLost, !buttons.isLent else { return false }
    do throws(DeviceFailure) { return try buttons.device.read(at: now) != pressed } catch { return true }
  }

  /// Whether the buttons could not be opened at boot and have not been found since.
  var isMissing = false

  /// Whether the buttons cannot be read.
  var isLost: Bool { isMissing || watch.isLost }

  /// Whether a button is down; the power line does not count.
  var hasButtonDown: Bool {
    for index in Self.order.indices where Self.order[index] != .power && pressed.contains(Self.order[index]) {
      return true
    }
    return false
  }

  /// The gesture of one button, called once per step.
  mutating func gesture(of button: Button, at now: Instant) -> Gesture? {
    let index = Int(button.rawValue)
    while let edge = edges.first(of: button) {
      // Before its edge the line had the other level.
      if let gesture = recognizers[index].step(isDown: !edge.isDown, at: edge.instant) { return gesture }
      edges.removeFirst(of: button)
      if let gesture = recognizers[index].step(isDown: edge.isDown, at: edge.instant) { return gesture }
    }
    return recognizers[index].step(isDown: pressed.contains(button), at: now)
  }

  /// Runs `press`; the console waits while the same button is still down from the last press.
  mutating func press(
    _ button: Button, milliseconds: UInt32, on machine: inout Hardware, _ console: inout ConsoleSession, at now: Instant
  ) {
    guard machine.allowsInjection else { return console.refuse(Self.refusal) }
    guard now >= freeAgain[Int(button.rawValue)], !machine.buttons.isLent else {
      return console.pending = .press(button, milliseconds: milliseconds)
    }
    let end = now + UInt64(milliseconds) * 1_000_000
    machine.buttons.device.inject(button, from: now, to: end)
    freeAgain[Int(button.rawValue)] = end + Limits.fingerMilliseconds * 1_000_000
    console.complete()
  }

  /// Runs `tilt`.
  func tilt(to position: Position, on machine: inout Hardware, _ console: inout ConsoleSession) {
    guard machine.allowsInjection else { return console.refuse(Self.refusal) }
    guard !machine.accelerometer.isLent else {
      return console.refuse("the accelerometer is being opened again: try once more" as FixedText<64>)
    }
    machine.accelerometer.device.inject(position.acceleration)
    console.complete()
  }

  private static var refusal: FixedText<256> {
    "this board has real buttons and an orientation of its own: start with --allow-inject to simulate them"
  }
}

extension ControlPanel {
  /// `buttons`.
  func report(_ form: StatusForm, _ settings: borrowing Settings, _ console: inout ConsoleSession, at now: Instant) {
    console.beginReport(form)
    console.beginRows("buttons", "button      level       line  presses  bounces   s ago  held ms")
    for index in 0..<UInt8(Button.count) {
      guard let button = Button(rawValue: index) else { continue }
      let contact = recognizers[Int(index)]
      console.beginRow()
      console.cell("name", .name(button.name), columns: 12)
      console.cell("level", .word(level(of: button)), columns: 10)
      console.cell("line", .count(settings.line(of: button)), columns: 6)
      console.cell("presses", .count(contact.pressCount), columns: 9)
      console.cell("bounces", .count(contact.bounceCount), columns: 9)
      let ago = contact.pressedAt.map { Double(now.distance(since: $0)) / 1e9 }
      console.cell("pressed_seconds_ago", .decimal(ago, decimals: 1), columns: 8)
      console.cell("held_ms", .count(contact.heldNanoseconds.map { $0 / 1_000_000 }), columns: 9)
      console.endRow()
    }
    console.endRows()
    console.endReport()
  }

  private func level(of button: Button) -> StaticString {
    if isLost { return "missing" }
    return pressed.contains(button) ? "down" : "up"
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

/// Tracks whether a polled device can be read: one failed reading is ignored, several in a row are a loss, and a lost
/// device is reopened at intervals until it works.
struct PollWatch {
  private enum State {
    case working(failureCount: Int)
    case lost(nextOpening: Instant)
    /// The device was lost and has been reopened, but not read since.
    case reopened
  }

  private var state = State.working(failureCount: 0)
  private let failureLimit: Int

  /// - Parameter failureLimit: failed readings in a row that are a loss; 1 or more.
  init(failureLimit: Int) { self.failureLimit = failureLimit }

  /// Whether the last reading failed, and more failures would be a loss.
  var isFailing: Bool { if case .working(let failureCount) = state { failureCount > 0 } else { false } }

  /// Whether the device cannot be read and is being reopened.
  var isLost: Bool { if case .lost = state { true } else { false } }

  /// Whether the device can be read now. A lost device is given to the device worker to be opened.
  /// - Throws: why it could not be opened.
  mutating func isReadable<Device: SlowDevice & ~Copyable>(
    _ device: borrowing SharedDevice<Device>, at now: Instant
  ) throws(DeviceFailure) -> Bool where Device.Order == PolledDeviceOrder {
    guard !device.isLent else { return false }
    if let answer = device.takeAnswer() {
      if case .failed(let failure) = answer.result { throw failure }
      state = .reopened
    }
    guard case .lost(let nextOpening) = state else { return true }
    if now >= nextOpening { device.lend(.open) }
    return false
  }

  /// Notes a successful reading.
  /// - Returns: whether the device had been lost.
  mutating func noteReading() -> Bool {
    defer { state = .working(failureCount: 0) }
    return if case .working = state { false } else { true }
  }

  /// Notes that the device could not be read or opened.
  /// - Returns: whether this failure makes it lost.
  mutating func noteFailure(at now: Instant) -> Bool {
    let retry = now + Limits.deviceRetryMilliseconds * 1_000_000
    guard case .working(let failureCount) = state else {
      state = .lost(nextOpening: retry)
      return false
    }
    let isLoss = failureCount + 1 >= failureLimit
    state = isLoss ? .lost(nextOpening: retry) : .working(failureCount: failureCount + 1)
    return isLoss
  }
}

extension Limits {
  /// The interval between simulated presses of one button, as of a finger: longer than the longest bounce of a
  /// simulated contact and its debouncing.
  package static var fingerMilliseconds: UInt64 { 60 }

  /// How long after a change the lines are polled at each tick: longer than a bounce.
  static var edgeMilliseconds: UInt64 { 50 }

  /// Failed readings in a row after which the buttons are lost: 50 ms at a tick of 5 ms. Interference on the wires
  /// lasts a few milliseconds, and a finger's shortest press 80.
  static var buttonFailures: Int { 10 }
}

/// The edges of buttons on their way to the recognizers, in order of arrival.
struct ButtonEdges: ~Copyable {
  private let place = StaysInPlace()
  /// Enough for the bounces of two contacts; further edges wait in the kernel.
  private var places = InlineArray<32, ButtonEdge>(repeating: ButtonEdge(.record, isDown: false, at: 0))
  private var count = 0
  /// The time of the last edge of any button, or of the last reading.
  private var newest: Instant = 0

  var isEmpty: Bool { count == 0 }
  var isFull: Bool { count == places.count }

  /// - Parameter now: when the levels were read. An edge's timestamp may be a little later, or, if an interrupt was
  ///   served late, earlier than the last reading: it is taken to lie between the two.
  mutating func append(_ edge: ButtonEdge, at now: Instant) {
    newest = min(max(edge.instant, newest), now)
    places[count] = ButtonEdge(edge.button, isDown: edge.isDown, at: newest)
    count += 1
  }

  /// Notes that the levels were read: later edges follow this instant.
  mutating func pass(_ now: Instant) { newest = now }

  func first(of button: Button) -> ButtonEdge? { index(of: button).map { places[$0] } }

  mutating func removeFirst(of button: Button) {
    guard let index = index(of: button) else { return }
    count -= 1
    for place in index..<count { places[place] = places[place + 1] }
  }

  private func index(of button: Button) -> Int? {
    let edges = places.span
    for index in 0..<count where edges[index].button == button { return index }
    return nil
  }
}
