import Base
import Configuration
import Console
import Machine
import Media
import Record

/// Shows who the device is, and replaces its identity when a person insists.
struct IdentityService: ~Copyable {
  private enum State {
    case settled
    /// `identity reset` was typed; until then another one means it.
    case asked(until: Instant)
    /// The storage worker writes the new one.
    case replacing(IdentityRecord)
    /// The next boot has it.
    case replaced(IdentityRecord)
  }

  private let origin: IdentityOrigin
  private var state = State.settled

  init(_ origin: IdentityOrigin) { self.origin = origin }

  /// - Parameters:
  ///   - isRecording: whether a take is open, which is this device's.
  ///   - takesOrders: whether the storage worker's queue has space.
  /// - Returns: the order to replace the identity; nil if there is none.
  mutating func run(
    _ order: IdentityOrder, isRecording: Bool, takesOrders: Bool, _ clock: borrowing Clock,
    _ localTime: LocalTime, _ console: inout ConsoleSession
  ) -> TakeOrder? {
    switch order {
    case .show(.lines): show(localTime, &console)
    case .show(.json): showJSON(&console)
    case .reset: return reset(isRecording: isRecording, takesOrders: takesOrders, clock, &console)
    }
    return nil
  }

  private func show(_ localTime: LocalTime, _ console: inout ConsoleSession) {
    console.reply("identity \(origin.record.identity.text)" as FixedText<64>)
    if let made = origin.record.madeUnixSeconds {
      console.reply("made \(localTime.civilTime(unixSeconds: made).iso8601)" as FixedText<64>)
    }
    if let copy = origin.copyFolder { console.reply("copy in \(copy)" as FixedText<128>) }
    if !origin.serialNumber.isEmpty { console.reply("serial number \(origin.serialNumber)" as FixedText<96>) }
    if case .replaced(let record) = state { console.reply(Self.promise(record)) }
    console.complete()
  }

  private func showJSON(_ console: inout ConsoleSession) {
    var writer = ListingWriter(.json)
    writer.cell("uuid", text: origin.record.identity.text.bytes)
    if let made = origin.record.madeUnixSeconds {
      writer.cell("made", text: CivilTime(unixSeconds: made).iso8601.bytes)
    } else {
      writer.cell("made", .none, console)
    }
    writer.cell("copy_folder", text: (origin.copyFolder ?? "").bytes)
    writer.cell("serial_number", text: origin.serialNumber.bytes)
    if case .replaced(let record) = state {
      writer.cell("next_uuid", text: record.identity.text.bytes)
    } else {
      writer.cell("next_uuid", .none, console)
    }
    writer.end(&console)
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
    case .asked(let end) where clock.now < end && takesOrders:
      let record = IdentityRecord(
        identity: origin.next, madeUnixSeconds: clock.source > .unset ? clock.unixSeconds : nil,
        replaced: origin.record.identity)
      state = .replacing(record)
      console.pending = .identity
      return .resetIdentity(record)
    case .settled, .asked:
      state = .asked(until: clock.now + Limits.resetAgainSeconds * 1_000_000_000)
      console.refuse(
        """
        later takes will count as another device's: identity reset again within \(Limits.resetAgainSeconds) s to give \
        it a new UUID
        """)
    }
    return nil
  }

  /// The storage worker has answered.
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

  private static func promise(_ record: IdentityRecord) -> FixedText<128> {
    "from the next start the device is \(record.identity.text)"
  }
}

/// Where the device's identity comes from.
struct IdentityOrigin {
  let record: IdentityRecord
  /// For a reset.
  let next: DeviceIdentity
  /// Where its copy is; nil for nowhere.
  let copyFolder: DeviceName?
  /// Of the board, as its firmware says; empty if it has none.
  let serialNumber: FixedText<64>
}
