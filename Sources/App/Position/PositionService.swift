import Base
import Configuration
import Console
import Machine
import Record
import Wire

/// Follows the satellite receiver: where the recorder is, and how far the clock is off.
struct PositionService {
  private let setsClock: Bool
  /// Nil until a receiver has answered.
  private(set) var report: ReceiverReport?
  /// How far the clock is behind the satellites, and how far that may be wrong, in nanoseconds; nil if unknown.
  private(set) var clockLag: (nanoseconds: Int64, error: Int64)?
  private var nextReading: Instant = 0
  /// When it was read last.
  private var lastReading: Instant = 0
  /// Whether it could not be reached at the last reading.
  private(set) var isLost = false
  private var hadFix = false
  /// When the clock may be set again.
  private var nextSetting: Instant = 0
  /// Until when the receiver is read at each exchange, to know its time better.
  private var hurryEnd: Instant = 0
  private let file: KeptText
  /// Where the recorder was last, across restarts, for the sun of the schedule; nil before the first fix.
  private(set) var lastPlace: GeoPoint?

  init(settings: ReceiverSettings, _ file: KeptText, in storage: inout Storage) {
    setsClock = settings.setsClock
    self.file = file
    guard settings.deviceName != nil else { return }
    var place: GeoPoint?
    file.readOrSetAside(from: &storage) { text in
      text.forEachLine { line in place = GeoPoint(line) }
      return text.isEmpty || place != nil
    }
    lastPlace = place
  }

  /// Nil without a fix.
  var fix: GeoPoint? { if case .fixed(let point) = report?.state { point } else { nil } }

  /// Above mean sea level, in tenths of a metre; nil if the fix has none.
  var altitudeDecimetres: Int32? { report?.quality.altitudeDecimetres }

  /// Whether the time may be known soon, and sets a clock of which nothing is known yet.
  var seeksTime: Bool {
    guard setsClock, clockLag == nil, let report else { return false }
    return report.state != .silent
  }

  /// At each exchange.
  /// - Returns: whether there is a new report.
  mutating func step(
    _ receiver: borrowing SharedDevice<some ReceiverDriver & ~Copyable>, _ console: inout ConsoleSession,
    at now: Instant
  ) -> Bool {
    var isNew = false
    switch receiver.takeAnswer()?.result {
    case nil: break
    case .done(nil): nextReading = .max
    case .done(let report?):
      if isLost { console.announce("receiver works again") }
      isLost = false
      self.report = report
      lastReading = now
      isNew = true
      keepPlace()
    case .failed(let failure):
      if !isLost { console.announce(failure) }
      isLost = true
      report = report ?? ReceiverReport()
      forgetFix()
    }
    // The worker may be held up by another device.
    if report != nil, now.distance(since: lastReading) > PositionWatch.freshNanoseconds { forgetFix() }
    tell(&console)
    guard now >= nextReading, !receiver.isLent else { return isNew }
    nextReading = now + (now < hurryEnd ? 1 : Limits.receiverReadingMilliseconds) * 1_000_000
    receiver.lend(.read)
    return isNew
  }

  private mutating func forgetFix() {
    report?.state = .silent
    report?.quality = FixQuality()
    report?.time = nil
    clockLag = nil
  }

  private mutating func keepPlace() {
    guard let fix, lastPlace.map({ fix.isFar(from: $0) }) ?? true, !file.isBeingWritten else { return }
    lastPlace = fix
    file.write("\(fix.text)\n")
  }

  private mutating func tell(_ console: inout ConsoleSession) {
    guard hadFix != (fix != nil) else { return }
    hadFix = !hadFix
    guard let fix else { return console.announce("position lost") }
    console.announce("position found: \(fix.text)" as FixedText<64>)
  }

  /// Compares the clock with the newest time of the satellites. A sentence tells of the second that has begun last.
  /// - Returns: the second to which the clock is to be set now, and how far it may then be off; nil if it is not.
  mutating func compare(_ clock: ClockReading) -> (unixSeconds: Int64, mostNanoseconds: UInt64)? {
    clockLag = nil
    guard let report, let time = report.time else { return nil }
    let since = Int64(clamping: clock.now.distance(since: time.arrival))
    let width = 1_000_000_000 + Int64(clamping: report.lagNanoseconds)
    let lag = time.unixNanoseconds &+ since &- clock.unixNanoseconds &+ width / 2
    clockLag = (lag, width / 2)
    // Whether it is certainly off by more than a second.
    let isOff = lag.magnitude > UInt64(width / 2 + 1_000_000_000)
    guard isOff, setsClock, clock.source != .synchronised, clock.now >= nextSetting else { return nil }
    guard report.lagNanoseconds <= Limits.receiverLagNanoseconds else {
      hurryEnd = max(hurryEnd, clock.now + Limits.receiverHurrySeconds * 1_000_000_000)
      return nil
    }
    hurryEnd = 0
    nextSetting = clock.now + Limits.clockSettingSeconds * 1_000_000_000
    return ((clock.unixNanoseconds &+ lag + 500_000_000) / 1_000_000_000, UInt64(width / 2 + 500_000_000))
  }

  private var stateName: StaticString {
    switch report?.state {
    case nil: "none"
    case _ where isLost: "absent"
    case .silent: "silent"
    case .searching: "searching"
    case .fixed: "fixed"
    }
  }

  /// Answers `gps`.
  func report(_ form: StatusForm, _ console: inout ConsoleSession) {
    console.beginReport(form)
    let report = report ?? ReceiverReport()
    console.fact("receiver", "state", .word(stateName))
    if form == .lines { console.fact("place", "", text: fix?.text ?? "") }
    members(&console)
    let quality = report.quality
    console.fact("altitude, m", "altitude_m", .decimal(quality.altitudeDecimetres.map { Double($0) / 10 }, decimals: 1))
    console.fact("satellites", "satellites", .count(quality.satelliteCount))
    console.fact("HDOP", "hdop", .decimal(quality.dilution.map { Double($0) / 100 }, decimals: 2))
    let (behind, error) = (clockLag?.nanoseconds, clockLag?.error)
    console.fact("clock behind, s", "clock_behind_seconds", .decimal(behind.map { Double($0) / 1e9 }, decimals: 1))
    console.fact("give or take, s", "clock_error_seconds", .decimal(error.map { Double($0) / 1e9 }, decimals: 1))
    console.fact("sentences", "sentences", .count(report.sentenceCount))
    console.fact("errors", "errors", .count(report.errorCount))
    console.fact("jumps", "jumps", .count(report.jumpCount))
    console.fact("refused times", "refused_times", .count(report.refusedTimeCount))
    console.endReport()
  }

  /// For `status`: only with a receiver.
  func reportStatus(_ console: inout ConsoleSession) {
    guard report != nil else { return }
    console.beginObject("gps")
    console.member("state", .word(stateName))
    members(&console)
    console.endObject()
    if let fix { console.line("position     \(fix.text)") }
  }

  private func members(_ console: inout ConsoleSession) {
    console.member("latitude", .decimal(fix.map { Double($0.latitude) / 1e7 }, decimals: 5))
    console.member("longitude", .decimal(fix.map { Double($0.longitude) / 1e7 }, decimals: 5))
  }
}

extension GeoPoint {
  /// - Parameter text: as ``text``.
  fileprivate init?(_ text: Span<UInt8>) {
    let first = text.firstWord
    let second = text.extracting(droppingFirst: min(first.count + 1, text.count))
    guard let latitude = first.parseDecimal(), let longitude = second.parseDecimal(), abs(latitude) <= 90,
      abs(longitude) <= 180
    else { return nil }
    self.init(latitude: Int32(latitude * 1e7), longitude: Int32(longitude * 1e7))
  }

  /// Whether the sun's events differ: by 24 s for a tenth of a degree of longitude.
  func isFar(from other: GeoPoint) -> Bool {
    latitude.distance(to: other.latitude).magnitude >= 1_000_000
      || (Int64(longitude) - Int64(other.longitude)).magnitude >= 1_000_000
  }

  /// `37.56650 126.97800`, in degrees, to a metre.
  var text: FixedText<32> { "\(Double(latitude) / 1e7, decimals: 5) \(Double(longitude) / 1e7, decimals: 5)" }
}

extension Services {
  /// At each exchange: follows the receiver.
  mutating func stepPosition(_ machine: borrowing Hardware, at now: Instant) {
    let isNew = position.step(machine.receiver, &console, at: now)
    (recording.fix, recording.altitudeDecimetres) = (position.fix, position.altitudeDecimetres)
    guard isNew else { return }
    if let place = position.lastPlace { schedule.follow(place) }
    if let time = position.compare(ClockReading(machine.clock)) {
      clock.follow(time.unixSeconds, mostNanoseconds: time.mostNanoseconds, &console)
    }
  }
}

extension Limits {
  /// The interval between readings of the receiver.
  static var receiverReadingMilliseconds: UInt64 { 1000 }

  /// How exactly the arrival of a time must be known for the clock to be set.
  static var receiverLagNanoseconds: UInt64 { 500_000_000 }

  /// How long the receiver is read at each exchange before its time sets the clock: until five times in a row fit again.
  static var receiverHurrySeconds: UInt64 { 10 }

  /// How long after the clock was set, or could not be, it is set again at the earliest.
  static var clockSettingSeconds: UInt64 { 600 }
}
