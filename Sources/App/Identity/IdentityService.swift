import Base
import Configuration
import Console
import Machine
import Media
import Record

/// Shows the device's identity, and replaces it if a person insists.
struct IdentityService: ~Copyable {
  private enum State {
    case settled
    /// `identity reset` was typed; a second one before this instant carries it out.
    case asked(until: Instant)
    /// The storage worker is writing the new identity.
    case replacing(IdentityRecord)
    /// The new identity takes effect at the next boot.
    case replaced(IdentityRecord)
  }

  private let origin: IdentityOrigin
  private var state = State.settled

  init(_ origin: IdentityOrigin) { self.origin = origin }

  /// - Parameters:
  ///   - isRecording: whether a take is open, which carries this identity.
  ///   - takesOrders: whether the storage worker's queue has space.
  /// - Returns: the order to replace the identity; nil if there is none.
  mutating func run(
    _ order: IdentityOrder, isRecording: Bool, takesOrders: Bool, _ clock: borrowing Clock,
    _ localTime: LocalTime, _ console: inout ConsoleSession
  ) -> TakeOrder? {
    switch order {
    case .show(let form): report(form, localTime, &console)
    case .reset: return reset(isRecording: isRecording, takesOrders: takesOrders, clock, &console)
    }
    return nil
  }

  private func report(_ form: StatusForm, _ localTime: LocalTime, _ console: inout ConsoleSession) {
    let (record, serialNumber) = (origin.record, origin.serialNumber)
    var next: IdentityRecord?
    if case .replaced(let record) = state { next = record }
    let made = record.madeUnixSeconds
    console.beginReport(form)
    console.line("identity \(record.identity.text)")
    console.member("uuid", text: record.identity.text.bytes)
    if let made { console.line("made \(localTime.civilTime(unixSeconds: made).iso8601)") }
    console.member("made", text: (made.map { CivilTime(unixSeconds: $0).iso8601 } ?? "").bytes, emptyIsNull: true)
    if let copy = origin.copyFolder { console.line("copy in \(copy)") }
    console.member("copy_folder", text: (origin.copyFolder ?? "").bytes)
    if !serialNumber.isEmpty { console.line("serial number \(serialNumber)") }
    console.member("serial_number", text: serialNumber.bytes)
    if let next { console.line(Self.promise(next)) }
    console.member("next_uuid", text: (next?.identity.text ?? "").bytes, emptyIsNull: true)
    console.endReport()
  }

  private mutating func reset(
    isRecording: Bool, takesOrders: Bool, _ clock: borrowing Clock, _ console: inout ConsoleSession
  ) -> TakeOrder? {
    guard !isRecording else {
      console.refuse("a take is being recorded: stop it first")
      return nil
    }
    switch state {
    case .replacing, .replaced:
      console.refuse("the identity has already been reset: restart the recorder before another reset")
    case .asked(let end) where console.isOpen(questionUntil: end) && takesOrders:
      let record = IdentityRecord(
        identity: origin.next, madeUnixSeconds: clock.source > .unset ? clock.unixSeconds : nil,
        replaced: origin.record.identity)
      state = .replacing(record)
      console.pending = .identity
      return .resetIdentity(record)
    case .settled, .asked:
      state = .asked(until: console.now + Limits.resetAgainSeconds * 1_000_000_000)
      console.ask(
        "give the device a new UUID, so that later takes count as another device's", for: Limits.resetAgainSeconds)
    }
    return nil
  }

  /// Reports the storage worker's answer.
  /// - Parameter failure: nil if the identity was replaced.
  mutating func serve(_ failure: DeviceFailure?, copyFailure: DeviceFailure?, _ console: inout ConsoleSession) {
    guard case .replacing(let record) = state else { return }
    if let copyFailure { console.announce(copyFailure) }
    guard let failure else {
      state = .replaced(record)
      guard case .identity = console.pending else { return console.announce(Self.promise(record)) }
      console.reply(Self.promise(record))
      return console.complete()
    }
    state = .settled
    if case .identity = console.pending { console.refuse(failure.line) } else { console.announce(failure) }
  }

  /// While the reset is pending: ctrl-C stops waiting for the card.
  func checkInterrupt(_ console: inout ConsoleSession) {
    if console.takeInterrupt() { console.refuse("the card has not answered yet: an event will show the result") }
  }

  private static func promise(_ record: IdentityRecord) -> FixedText<256> {
    "from the next start the device is \(record.identity.text)"
  }
}

/// The device's identity, and where it is kept.
struct IdentityOrigin {
  let record: IdentityRecord
  /// The identity that a reset would set.
  let next: DeviceIdentity
  /// The folder of its copy; nil if there is no copy.
  let copyFolder: FixedText<128>?
  /// The machine's serial number, as its firmware reports it; empty if it has none.
  let serialNumber: FixedText<64>
}

extension Limits {
  /// A repeated `identity reset` or `delete` takes effect within this time: long enough to read one line and to type
  /// the command again, and too short for an unrelated later one.
  static var resetAgainSeconds: UInt64 { 10 }
}
