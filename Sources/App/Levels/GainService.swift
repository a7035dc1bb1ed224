import Base
import Console
import Machine

/// Sets the microphone's gain each time its card is opened: a card that was unplugged has lost it.
struct GainService {
  /// The gain that the configuration or the console asked for.
  struct Request: BitwiseCopyable {
    /// Nil for the control that is most likely meant.
    var name: FixedText<32>?
    var hundredths: Int64
  }

  private enum State {
    /// The card is closed.
    case closed
    /// The reply with this ticket lists the card's gains.
    case listing(ticket: UInt32)
    case setting(FixedText<32>, ticket: UInt32)
    case settled
  }

  private var request: Request?
  private var state = State.closed

  /// - Parameter decibels: nil leaves the card's gain as it is.
  init(decibels: Double?) {
    request = decibels.map { Request(hundredths: Int64(($0 * 100).rounded())) }
  }

  /// Remembers a gain that was set at the console, to set it again.
  mutating func keep(_ name: FixedText<32>, hundredths: Int64) { request = Request(name: name, hundredths: hundredths) }

  /// At each exchange.
  /// - Parameter card: the microphone's configured name.
  mutating func step(
    isMicrophoneOpen: Bool, _ card: FixedText<64>, _ system: inout SystemJob, _ console: inout ConsoleSession
  ) {
    switch state {
    case .closed:
      guard isMicrophoneOpen else { return }
      if request == nil {
        state = .settled
      } else if let ticket = system.send(.gains(of: card, .none), &console) {
        state = .listing(ticket: ticket)
      }
    case .listing, .setting: break
    case .settled: if !isMicrophoneOpen { state = .closed }
    }
  }

  /// Takes a reply of the system if it is meant for this service.
  mutating func serve(
    _ reply: DeviceResult<InspectorReply>, _ ticket: UInt32, _ card: FixedText<64>,
    _ system: inout SystemJob, _ console: inout ConsoleSession
  ) {
    switch (state, reply) {
    case (.listing(ticket), .done(.controls(let list))): set(list, card, &system, &console)
    case (.setting(let name, ticket), .done(.controls(let list))):
      state = .settled
      guard let gain = list.control(named: name) else { return }
      console.announce("gain \(name) is \(gain.value.decibels, decimals: 2) dB" as FixedText<64>)
    case (.listing(ticket), .failed(let failure)), (.setting(_, ticket), .failed(let failure)):
      state = .settled
      console.announce(failure)
    default: break
    }
  }

  private mutating func set(
    _ list: ControlList, _ card: FixedText<64>, _ system: inout SystemJob, _ console: inout ConsoleSession
  ) {
    state = .settled
    guard let request else { return }
    guard let gain = list.gain(named: request.name) else {
      return console.announce("the microphone's card has no adjustable gain" as FixedText<64>, as: .warning)
    }
    guard gain.least <= request.hundredths, request.hundredths <= gain.most else {
      return console.announce(gain.refusal(of: request.hundredths), as: .warning)
    }
    // If the system has too much to do, start all over again.
    state = .closed
    if let ticket = system.send(.gains(of: card, .set(gain.identifier, to: request.hundredths)), &console) {
      state = .setting(gain.name, ticket: ticket)
    }
  }
}

extension Services {
  /// `gain DB` and `gain NAME DB`: sets the gain if it is within the driver's own range.
  mutating func setGain(_ name: FixedText<32>?, to hundredths: Int64, in list: ControlList) {
    guard list.count > 0 else { return console.refuse(ControlList.noGain) }
    guard let gain = list.gain(named: name) else {
      return console.refuse("there is no gain \(name ?? ""): gain lists them")
    }
    guard gain.least <= hundredths, hundredths <= gain.most else {
      return console.refuse(gain.refusal(of: hundredths))
    }
    ask(.settingGain(gain.name, identifier: gain.identifier, hundredths: hundredths))
  }

  /// Reports the gain that the card has set.
  mutating func tellGain(_ name: FixedText<32>, to hundredths: Int64, _ list: ControlList) {
    guard let gain = list.control(named: name) else {
      return console.refuse("there is no gain \(name): gain lists them")
    }
    self.gain.keep(name, hundredths: hundredths)
    guard gain.value == hundredths else {
      return console.answer(
        """
        gain \(name) is \(gain.value.decibels, decimals: 2) dB, not \(hundredths.decibels, decimals: 2): the nearest \
        that the card has
        """ as FixedText<256>)
    }
    console.answer("gain \(name) is \(gain.value.decibels, decimals: 2) dB")
  }
}

extension ControlList {
  /// Answers `gain` with the driver's values.
  func reportGains(_ form: StatusForm, _ console: inout ConsoleSession) {
    guard count > 0 || form == .json else { return console.refuse(Self.noGain) }
    console.beginReport(form)
    console.beginRows("gains", "gain                                 dB     least      most")
    for index in 0..<count {
      guard let gain = self[index] else { continue }
      console.beginRow()
      console.cell("name", text: gain.name.bytes, columns: 30)
      console.cell("db", .decimal(gain.value.decibels, decimals: 2), columns: 9)
      console.cell("min_db", .decimal(gain.least.decibels, decimals: 2), columns: 10)
      console.cell("max_db", .decimal(gain.most.decibels, decimals: 2), columns: 10)
      console.endRow()
    }
    console.endRows()
    console.endReport()
  }

  fileprivate static var noGain: FixedText<256> { "the microphone has no adjustable gain" }

  /// The gain with this name; for nil the one called `capture` or `mic`, or else the first.
  func gain(named name: FixedText<32>?) -> DeviceControl? {
    if let name { return control(named: name) }
    return control(named: "capture") ?? control(named: "mic") ?? self[0]
  }
}

extension DeviceControl {
  /// Why a gain cannot be set to this many hundredths of a decibel.
  func refusal(of hundredths: Int64) -> FixedText<256> {
    """
    gain \(name) takes \(least.decibels, decimals: 2)…\(most.decibels, decimals: 2) dB, not \
    \(hundredths.decibels, decimals: 2)
    """
  }
}

extension Int64 {
  /// The value in decibels, from hundredths of a decibel.
  var decibels: Double { Double(self) / 100 }
}
