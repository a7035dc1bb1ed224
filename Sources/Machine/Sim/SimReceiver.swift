import Base

/// What a simulated receiver does.
package enum SimReceiverKind: UInt8, Sendable {
  case none
  /// It knows where it is.
  case fixed
  /// Its bytes are disturbed.
  case nonsense
  /// Every tenth second it is wrong by a degree and an hour.
  case jumping
  /// It says nothing.
  case silent
}

/// A receiver in Seoul that sends real sentences, 0.3 s after each second of the world's true time.
package struct SimReceiver: ReceiverDriver, ~Copyable {
  private let kind: SimReceiverKind
  private let world: SimWorld
  private var talk = ReceiverTalk(baudRate: 9600)
  /// The newest second that it has told.
  private var told: Int64 = 0
  private var noisePlace: UInt64 = 0

  package init(_ kind: SimReceiverKind, world: SimWorld) {
    self.kind = kind
    self.world = world
  }

  package mutating func read() throws(DeviceFailure) -> ReceiverReport? {
    guard kind != .none else { return nil }
    world.sitOut(.receiver)
    if let failure = world.failure(of: .receiver) { throw failure }
    let second = (SimClock(world: world).trueUnixNanoseconds - 300_000_000) / 1_000_000_000
    let fault = world.fault(of: .receiver)?.kind
    if kind != .silent, second > told, fault != .stalled {
      told = second
      send(second, fault)
    }
    return talk.report(at: world.now)
  }

  private mutating func send(_ second: Int64, _ fault: Fault.Kind?) {
    let isWrong = kind == .jumping && second % 10 == 9 || fault == .jumping && second % 2 == 0
    let weeks1024: Int64 = 1024 * 7 * 86_400
    let time = CivilTime(unixSeconds: fault == .misdated ? second - weeks1024 : isWrong ? second + 3600 : second)
    let clock: FixedText<16> = "\(time.hour, width: 2)\(time.minute, width: 2)\(time.second, width: 2).00"
    var day: FixedText<8> = "\(time.day, width: 2)\(time.month, width: 2)\(time.year % 100, width: 2)"
    if fault == .misdated, second % 2 == 0 { day = "310226" }
    let place: FixedText<40> = "\(isWrong ? 38 : 37)33.9900,N,12658.6800,E"
    var text = FixedText<256>()
    text.append(sentence: "GPRMC,\(clock),A,\(place),0.0,,\(day),,,A")
    text.append(sentence: "GPGGA,\(clock),\(place),1,09,0.9,45.3,M,19.6,M,,")
    text.append(sentence: "GPGSA,A,3,01,02,03,04,05,06,07,08,09,,,,1.7,0.9,1.4")
    guard kind == .nonsense || fault == .nonsense else { return talk.take(text.bytes, at: world.now) }
    var disturbed = FixedText<256>()
    for index in text.bytes.indices {
      noisePlace += 1
      let bits = world.nonsense(noisePlace)
      disturbed.append(byte: bits % 16 == 0 ? UInt8(truncatingIfNeeded: bits >> 8) : text.bytes[index])
    }
    talk.take(disturbed.bytes, at: world.now)
  }
}

extension FixedText<256> {
  fileprivate mutating func append(sentence body: FixedText<80>) {
    var sum: UInt8 = 0
    for index in body.bytes.indices { sum ^= body.bytes[index] }
    append("$\(body)*\(hexadecimal: sum, width: 2)\r\n" as FixedText<96>)
  }
}
