import Base
import Configuration
import Console
import Kit
import Machine
import Record
import Wire

extension RecordingService {
  /// Sets a mark in the open take.
  /// - Parameters:
  ///   - text: empty for none.
  ///   - instant: when the button was pressed or the command given.
  mutating func mark(
    _ text: FixedText<64>, for origin: Origin, _ console: inout ConsoleSession, at instant: Instant
  ) {
    guard isTakeOpen, let take else {
      return console.refuse("no take is being recorded" as FixedText<64>, for: origin)
    }
    let position = capture.position(at: instant)
    let separator: StaticString = text.isEmpty ? "" : ": "
    guard ledger.note("mark\(separator)\(text.printable)", at: position) else {
      return console.refuse("the card does not answer: this mark is not kept" as FixedText<64>, for: origin)
    }
    let seconds = Double(position.distance(since: take.startPosition)) / Double(capture.timelineRateHz)
    let line: FixedText<128> = "mark \(seconds, decimals: 1) s into the take\(separator)\(text.printable)"
    switch origin {
    case .button: console.announce(line)
    case .console:
      console.reply(line)
      console.complete()
    }
  }

  /// After each step of the devices: notes their losses, notes which was lost or is back, and reports a return.
  /// - Parameters:
  ///   - microphone: the state before the step.
  ///   - camera: the state before the step.
  ///   - isCut: whether the file may end now.
  mutating func noteDevices(
    _ microphone: DeviceState, _ camera: DeviceState, _ console: inout ConsoleSession, at now: Instant, isCut: Bool
  ) {
    let position = capture.position(at: now)
    ledger.note(
      lostFrameCount: captureLosses.frameCount, soundEnd: capture.audio.end, lostPictureCount: losses.pictures,
      pictureEnd: position, at: now, isCut: isCut)
    announceLostSound(&console, at: now)
    if microphone == .running, capture.microphone.isLost {
      ledger.note("microphone lost: silence from here on", at: capture.audio.end)
    }
    if microphone.isLost, capture.microphone == .running {
      ledger.note("microphone works again", at: position)
      console.announce("microphone works again")
    }
    if camera == .running, capture.camera.isLost { ledger.note("camera lost", at: position) }
    if camera.isLost, capture.camera == .running {
      ledger.note("camera works again", at: position)
      announceCamera(&console)
    }
  }
}

extension RecordingService {
  /// Reports sound that a take has lost. What was lost before it is counted in `status` alone.
  /// - Parameter now: nil at the end of the take.
  mutating func announceLostSound(_ console: inout ConsoleSession, at now: Instant?) {
    soundLosses.count(upTo: captureLosses.frameCount, at: capture.audio.end)
    guard let (count, position) = soundLosses.takeEnded(at: isTakeOpen ? now : nil),
      isTakeOpen, let take, position >= take.startPosition
    else { return }
    let rate = Double(capture.timelineRateHz)
    let (seconds, offset) = (Double(count) / rate, Double(position - take.startPosition) / rate)
    console.announce(
      "microphone: \(seconds, decimals: 3) s of sound are lost, from \(offset, decimals: 1) s into the take"
        as FixedText<96>, as: .fault)
  }

  /// At each exchange, before the camera is read: leaves pictures out while the machine is hot.
  mutating func follow(_ heat: HeatReport, at now: Instant) {
    if self.heat.level == .hot, heat.level != .hot, isTakeOpen {
      noteLeftOut(at: capture.position(at: now))
    }
    self.heat = heat
    capture.leavesOutPictures = heat.level == .hot
  }

  /// At the start of a take: enters the temperature, and what is left out because of it, which may have begun before
  /// the pre-roll.
  mutating func enterHeat(at position: TimelinePosition) {
    notedLeftOutCount = captureLosses.leftOutCount
    if let milliCelsius = heat.milliCelsius {
      ledger.note("temperature: \(Double(milliCelsius) / 1000, decimals: 1) °C", at: position)
    }
    if heat.level == .hot { ledger.note("at the press: every second picture is left out", at: position) }
    guard let flags = heat.throttling else { return }
    for index in 0..<UInt8(ThrottlingReason.count) {
      guard let reason = ThrottlingReason(rawValue: index), flags.contains(reason) else { continue }
      ledger.note("at the press: firmware: \(reason.name)", at: position)
    }
  }

  /// At each exchange: finishes the open take when the battery is nearly empty, and enters the battery now and then.
  mutating func follow(
    _ battery: BatteryReport, _ machine: inout Hardware, _ console: inout ConsoleSession, at now: Instant
  ) {
    self.battery = battery
    guard isTakeOpen, takesOrders else { return }
    let position = capture.position(at: now)
    if battery.endsTakes {
      console.announce("battery nearly empty: the take is finished now", as: .fault)
      ledger.note("ended by battery", at: position.earlier(by: 1))
      press(&machine, &console, at: now)
    } else if position >= nextBatteryNote {
      enterBattery(at: position)
    }
  }

  /// At the start and the end of a take, and every ten minutes: enters the battery.
  mutating func enterBattery(at position: TimelinePosition) {
    nextBatteryNote = position + UInt64(capture.timelineRateHz) * Limits.batteryNoteSeconds
    guard battery.reading != nil else { return }
    ledger.note("battery: \(battery.text)", at: position)
  }

  /// At the start of each file of a take: enters which timecode the sample has.
  mutating func enterTimecode(at position: TimelinePosition) {
    guard let timecode else { return }
    ledger.note("\(TimecodePlace.key)\(timecode.place(at: position).text)", at: position)
  }

  /// At the start of a take: enters where the recorder is.
  mutating func enterPlace(at position: TimelinePosition) {
    if !deployment.isEmpty { ledger.note("deployment: \(deployment)", at: position) }
    let place = placeText
    if !place.isEmpty { ledger.note("position: \(place)", at: position) }
    if let altitudeDecimetres {
      ledger.note("altitude: \(Double(altitudeDecimetres) / 10, decimals: 1) m", at: position)
    }
  }

  /// Where the recorder is, by a receiver or as configured; empty if that is not known.
  var placeText: FixedText<32> {
    if let fix { return fix.text }
    guard let latitude = settings.schedule.latitude, let longitude = settings.schedule.longitude else { return "" }
    return "\(latitude, decimals: 5) \(longitude, decimals: 5)"
  }

  /// During a take: enters how many pictures were left out since the last such entry.
  mutating func noteLeftOut(at position: TimelinePosition) {
    let count = captureLosses.leftOutCount - notedLeftOutCount
    notedLeftOutCount = captureLosses.leftOutCount
    if count > 0 { ledger.note("pictures left out for heat: \(count)", at: position) }
  }
}

extension Limits {
  /// The interval of the battery's entries in a take's ledger: six lines an hour.
  static var batteryNoteSeconds: UInt64 { 600 }
}
