import Base
import Console
import Record

extension Services {
  /// `accel`.
  mutating func listAcceleration(_ form: StatusForm) {
    guard let reading = orientation.reading, !orientation.isLost else {
      return console.refuse("no accelerometer can be read: devices shows why")
    }
    let lie = Lie(reading)
    var writer = ListingWriter(form)
    writer.beginRows("axes", "axis           raw        g", &console)
    let names: InlineArray<3, StaticString> = ["x", "y", "z"]
    let axes: InlineArray<3, Int32> = [reading.xMilliGravity, reading.yMilliGravity, reading.zMilliGravity]
    for axis in names.indices {
      writer.beginRow()
      writer.cell("name", .name(names[axis]), columns: 8, console)
      writer.cell("raw", .count(orientation.raw[axis]), columns: 10, console)
      writer.cell("g", .decimal(Double(axes[axis]) / 1000, decimals: 3), columns: 9, console)
      writer.endRow(&console)
    }
    writer.endRows()
    writer.fact("length in g", "length_g", .decimal(lie.length / 1000, decimals: 3), &console)
    writer.fact("position", "position", .name(lie.position.name), &console)
    writer.fact("sure in %", "sure_percent", .count(lie.surePercent), &console)
    writer.fact("pictures are", "orientation", .name(orientation.current.name), &console)
    writer.fact("readings a second", "readings_per_second", .count(orientation.readingsPerSecond), &console)
    writer.fact("readings", "readings", .count(orientation.readCount), &console)
    writer.fact("failed", "failures", .count(orientation.failureCount), &console)
    if form == .lines { draw(lie.position) }
    writer.end(&console)
  }

  /// The device as a person in front of its display sees it: `=` is the upper edge of its picture, and the ground is below.
  private mutating func draw(_ position: Position) {
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

/// How the device lies by one reading.
private struct Lie {
  /// The nearest.
  let position: Position
  /// How much of the reading is along that position: 100 when it is exactly that, 71 halfway to the next, and less when it
  /// is between three.
  let surePercent: Int
  /// In thousandths of standard gravity.
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
    // Up has a length of 1000.
    surePercent = length > 0 ? Int((most / 10 / length).rounded()) : 0
  }
}
