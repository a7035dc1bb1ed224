import Base
import Configuration
import Console
import Machine
import Record

/// The orientation of pictures: from the accelerometer, unless a fixed one was chosen.
struct OrientationService: ~Copyable {
  private let place = StaysInPlace()
  /// The choice in force.
  private(set) var rotation = Rotation.automatic
  private var tracker = OrientationTracker()
  /// Nil without an accelerometer: one that was not found at boot is not looked for again.
  private var watch: PollWatch?
  private let isWanted: Bool
  /// The last reading; nil before the first, and while there is no accelerometer.
  private(set) var reading: Acceleration?
  /// The last reading in the chip's units.
  private(set) var raw = InlineArray<3, Int32>(repeating: 0)
  private(set) var readCount = 0
  private(set) var failureCount = 0
  /// Readings in the last second.
  private(set) var readingsPerSecond = 0
  private var countedReadings = 0
  private var nextCount: Instant = 0
  private var next: Instant = 0
  private var periodNanoseconds: UInt64

  init(settings: AccelerometerSettings) {
    isWanted = settings.busName != nil
    periodNanoseconds = UInt64(settings.pollMilliseconds) * 1_000_000
  }

  /// Applies a new interval, from the next reading on.
  mutating func follow(_ settings: AccelerometerSettings) {
    periodNanoseconds = UInt64(settings.pollMilliseconds) * 1_000_000
  }

  /// Whether there was an accelerometer that can no longer be read.
  var isLost: Bool { watch?.isLost == true }

  /// Whether an accelerometer is configured and was not there at boot.
  var isMissing: Bool { isWanted && watch == nil }

  /// Whether an accelerometer is read.
  var isFollowed: Bool { watch != nil && !isLost }

  /// When the accelerometer must be read next; nil if there is none, or if it is read together with the sound.
  var nextReading: Instant? {
    watch == nil || isLost || periodNanoseconds >= Limits.restMilliseconds * 1_000_000 ? nil : next
  }

  /// The orientation of pictures now.
  var current: Orientation {
    switch rotation {
    case .automatic: tracker.orientation
    case .fixed(let orientation): orientation
    }
  }

  /// At boot.
  mutating func open(_ accelerometer: inout some AccelerometerDriver & ~Copyable, _ console: inout ConsoleSession) {
    guard isWanted else { return }
    do throws(DeviceFailure) {
      let chip = try accelerometer.open()
      watch = PollWatch(failureLimit: Limits.accelerometerFailures)
      console.announce("accelerometer \(chip)")
    } catch {
      console.announce(error)
    }
  }

  /// At boot: restores the stored choice.
  mutating func restore(_ rotation: Rotation, _ console: inout ConsoleSession) {
    self.rotation = rotation
    if rotation != .automatic { console.announce("rotation \(rotation.name), as it was left" as FixedText<64>) }
  }

  /// At each tick: reads the accelerometer at the configured interval. After a failed reading the orientation stays. A
  /// lost accelerometer is reported, and the device worker reopens it until it works.
  mutating func step(
    _ accelerometer: inout SharedDevice<some AccelerometerDriver & ~Copyable>, _ console: inout ConsoleSession,
    at now: Instant
  ) {
    guard var watch, now >= next else { return }
    defer { self.watch = watch }
    next = now + periodNanoseconds
    do throws(DeviceFailure) {
      guard try watch.isReadable(accelerometer, at: now) else { return }
      let acceleration = try accelerometer.device.read()
      reading = acceleration
      raw = accelerometer.device.raw
      count(at: now)
      _ = tracker.step(acceleration, at: now)
      if watch.noteReading() { console.announce("accelerometer is back" as FixedText<32>) }
    } catch {
      failureCount += 1
      if watch.noteFailure(at: now) { console.announce(error) }
    }
  }

  private mutating func count(at now: Instant) {
    readCount += 1
    guard now >= nextCount else { return }
    nextCount = now + 1_000_000_000
    readingsPerSecond = readCount - countedReadings
    countedReadings = readCount
  }

  /// Handles a gesture of the rotate button.
  /// - Parameter canKeep: whether the choice can be stored for the next boot.
  mutating func serve(_ gesture: Gesture, canKeep: Bool, _ console: inout ConsoleSession) -> Effect? {
    switch gesture {
    case .short: choose(.fixed(otherOrientation), for: .button, canKeep, &console)
    case .long: choose(.automatic, for: .button, canKeep, &console)
    case .pressed, .released, .double: nil
    }
  }

  /// Runs `rotate`.
  mutating func run(_ rotation: Rotation?, canKeep: Bool, _ console: inout ConsoleSession) -> Effect? {
    if let rotation { return choose(rotation, for: .console, canKeep, &console) }
    console.answer("rotation \(self.rotation.name), \(current.name)")
    return nil
  }

  /// Confirms the chosen rotation.
  func confirm(for origin: Origin, _ console: inout ConsoleSession) {
    switch origin {
    case .button: console.announce("rotation \(rotation.name)" as FixedText<64>)
    case .console: console.complete()
    }
  }

  private mutating func choose(
    _ rotation: Rotation, for origin: Origin, _ canKeep: Bool, _ console: inout ConsoleSession
  ) -> Effect? {
    if rotation == self.rotation {
      confirm(for: origin, &console)
    } else if canKeep {
      self.rotation = rotation
      return .keep(rotation, origin)
    } else {
      console.refuse("the card does not answer: the rotation stays as it was" as FixedText<64>, for: origin)
    }
    return nil
  }

  /// The rotate button's next orientation: portrait after landscape and landscape after portrait, in the variant in
  /// which the device is held, if any.
  private var otherOrientation: Orientation {
    let held = tracker.orientation
    let isLandscape = !QuarterTurn(upright: current).swapsSides
    if isLandscape == QuarterTurn(upright: held).swapsSides { return held }
    return isLandscape ? .portrait : .landscapeLeft
  }
}

extension OrientationService {
  /// `accel`.
  func report(_ form: StatusForm, _ console: inout ConsoleSession) {
    guard let reading, !isLost else {
      return console.refuse("no accelerometer can be read: devices shows why")
    }
    let lie = Lie(reading)
    console.beginReport(form)
    console.beginRows("axes", "axis           raw        g")
    let names: InlineArray<3, StaticString> = ["x", "y", "z"]
    let axes: InlineArray<3, Int32> = [reading.xMilliGravity, reading.yMilliGravity, reading.zMilliGravity]
    for axis in names.indices {
      console.beginRow()
      console.cell("name", .name(names[axis]), columns: 8)
      console.cell("raw", .count(raw[axis]), columns: 10)
      console.cell("g", .decimal(Double(axes[axis]) / 1000, decimals: 3), columns: 9)
      console.endRow()
    }
    console.endRows()
    console.fact("length in g", "length_g", .decimal(lie.length / 1000, decimals: 3))
    console.fact("position", "position", .name(lie.position.name))
    console.fact("sure in %", "sure_percent", .count(lie.surePercent))
    console.fact("pictures are", "orientation", .name(current.name))
    console.fact("readings a second", "readings_per_second", .count(readingsPerSecond))
    console.fact("readings", "readings", .count(readCount))
    console.fact("failed", "failures", .count(failureCount))
    if form == .lines { draw(lie.position, on: &console) }
    console.endReport()
  }

  /// Draws the device as a person in front of its display sees it: `=` is the upper edge of its picture, and the ground
  /// is below.
  private func draw(_ position: Position, on console: inout ConsoleSession) {
    let drawing: StaticString =
      switch position {
      case .landscapeLeft: "+========+\n|        |\n|        |\n+--------+\n"
      case .landscapeRight: "+--------+\n|        |\n|        |\n+========+\n"
      case .portrait: "+----+\n|    #\n|    #\n+----+\n"
      case .portraitUpsideDown: "+----+\n#    |\n#    |\n+----+\n"
      case .faceUp: "  ______\n /      /\n/______/ ^\n"
      case .faceDown: "  ______\n /xxxxxx/\n/xxxxxx/ v\n"
      }
    var row: FixedText<256> = "  "
    for index in 0..<drawing.utf8CodeUnitCount {
      let byte = drawing.utf8Bytes[index]
      guard byte == UInt8(ascii: "\n") else {
        row.append(byte: byte)
        continue
      }
      console.quote(row)
      row = "  "
    }
  }
}

/// The attitude of the device by one reading.
private struct Lie {
  /// The nearest position.
  let position: Position
  /// How much of the reading is along that position: 100 if it is exact, 71 halfway to the next position, and less
  /// between three.
  let surePercent: Int
  /// The length of the vector, in thousandths of standard gravity.
  let length: Double

  init(_ reading: Acceleration) {
    let (x, y, z) = (Double(reading.xMilliGravity), Double(reading.yMilliGravity), Double(reading.zMilliGravity))
    length = (x * x + y * y + z * z).squareRoot()
    var nearest = Position.faceUp
    var most = -Double.infinity
    for number in 0..<UInt8(Position.count) {
      guard let position = Position(rawValue: number) else { continue }
      let up = position.acceleration
      let along = x * Double(up.xMilliGravity) + y * Double(up.yMilliGravity) + z * Double(up.zMilliGravity)
      guard along > most else { continue }
      most = along
      nearest = position
    }
    position = nearest
    // The vector of a position has a length of 1000.
    surePercent = length > 0 ? Int((most / 10 / length).rounded()) : 0
  }
}

extension Limits {
  /// Failed readings in a row before the accelerometer counts as lost: half a second at the usual interval of 100 ms,
  /// in which no orientation is confirmed either. On a stuck bus each reading takes its 10 ms, two ticks.
  static var accelerometerFailures: Int { 5 }
}
