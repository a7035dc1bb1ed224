import Base
import Catalog
import Configuration
import Console
import Machine
import Record

/// Stills, from the order to the report of the result.
struct StillService: ~Copyable {
  let camera: PlannedCamera
  private(set) var reports: QueueConsumer<StillReport>
  private(set) var orderCount: UInt32 = 0
  /// The button's newest order, until it is reported or has timed out. The next one may be ordered before that.
  private(set) var fingerOrder: (number: UInt32, since: Instant)?

  /// Whether the button waits for a still.
  var isAwaited: Bool { fingerOrder != nil }

  /// Orders a still of the next picture. The console is answered once it is on the card or has failed.
  mutating func order(
    _ crop: StillOrder.Crop?, _ orientation: Orientation, for origin: Origin, _ capture: inout CaptureUnit,
    _ console: inout ConsoleSession, _ dates: BootDates, at now: Instant
  ) {
    if let refusal = refusal(capture) { return console.refuse(refusal, for: origin) }
    orderCount &+= 1
    // A camera that rests is opened for it.
    let since = capture.hasRestingCamera ? now + Limits.cameraWakingNanoseconds : now
    switch origin {
    case .button: fingerOrder = (orderCount, since)
    case .console: console.pending = .still(number: orderCount, since: since)
    }
    capture.video.stills.order(
      StillOrder(number: orderCount, crop: crop, orientation: orientation, unixOffsetNanoseconds: dates.offset))
  }

  /// Orders a still that nobody waits for: the take's ledger tells of it.
  /// - Returns: whether there will be one.
  func orderForTake(_ orientation: Orientation, _ capture: inout CaptureUnit, _ dates: BootDates) -> Bool {
    guard capture.camera == .running, capture.video.stills.takesOrders else { return false }
    capture.video.stills.order(
      StillOrder(number: 0, crop: nil, orientation: orientation, unixOffsetNanoseconds: dates.offset))
    return true
  }

  /// At each tick: reports the finished stills.
  /// - Returns: a notice for the library; call again until nil.
  mutating func step(_ capture: inout StillCapture, _ console: inout ConsoleSession, at now: Instant) -> Effect? {
    while let report = reports.pop() {
      if let effect = tell(report, &console) { return effect }
    }
    if let receipt = capture.nextFailure() {
      console.refuse(Self.line(of: receipt.outcome), for: end(receipt.number, console.pending))
    }
    if let order = fingerOrder {
      checkWait(for: order.number, since: order.since, &capture, &console, at: now)
    }
    return nil
  }

  /// At each tick while an order is open: reports that it has waited too long for the camera or the card.
  mutating func checkWait(
    for number: UInt32, since start: Instant, _ capture: inout StillCapture, _ console: inout ConsoleSession,
    at now: Instant
  ) {
    let waited = now.distance(since: start)
    if capture.awaitedNumber == number {
      guard waited >= Limits.stillPictureMilliseconds * 1_000_000 else { return }
      capture.withdraw()
      let origin = end(number, console.pending)
      console.refuse("the camera sent no frame: no still was saved" as FixedText<64>, for: origin)
    } else if waited >= Limits.stillAnswerMilliseconds * 1_000_000 {
      let origin = end(number, console.pending)
      console.refuse("the card does not answer: an event follows when the still is saved" as FixedText<80>, for: origin)
    }
  }

  private func refusal(_ capture: borrowing CaptureUnit) -> FixedText<128>? {
    guard camera.format != nil else { return camera.absence(to: "take a still with") }
    if !capture.hasRestingCamera, let refusal = camera.refusal(in: capture.camera) { return refusal }
    return capture.video.stills.takesOrders ? nil : "the previous still is not done yet"
  }

  private mutating func tell(_ report: StillReport, _ console: inout ConsoleSession) -> Effect? {
    let origin = end(report.number, console.pending)
    switch report.outcome {
    case .failed(let failure):
      console.refuse(failure.line, for: origin)
      return nil
    case .saved(let summary):
      switch origin {
      case .button where report.number == 0: break
      case .button: console.announce(summary.line)
      case .console: console.answer(summary.line)
      }
      return .tellLibrary(.complete(path: "\(summary.path)"))
    }
  }

  /// Ends the wait for an order.
  /// - Returns: where to report the result: an order that the console no longer waits for is announced.
  private mutating func end(_ number: UInt32, _ pending: PendingCommand?) -> Origin {
    if fingerOrder?.number == number { fingerOrder = nil }
    if case .still(number, _) = pending { return .console }
    return .button
  }

  private static func line(of outcome: StillReceipt.Outcome) -> FixedText<128> {
    switch outcome {
    case .cardIsBehind: "the card has not saved the previous stills: this one is lost"
    case .tooLarge: "the still is too large: lower [photo] quality, or make the viewfinder smaller"
    case .unusable, .coded: "the camera sent no complete frame: no still was saved"
    }
  }
}

extension Limits {
  /// The most stills on their way to the card. During a stall of ten seconds, long presses of 0.8 s order one each;
  /// their JPEGs fit ``MemoryPlan`` if they are of average size.
  package static var stills: Int { 16 }

  /// How long to wait for a still's picture: it comes within two periods of the slowest camera, which runs at 1 Hz.
  package static var stillPictureMilliseconds: UInt64 { 2500 }

  /// How long a still may take to reach the card: a stall of 10 s, and the rings' margin of one second.
  package static var stillAnswerMilliseconds: UInt64 { 11_000 }
}

/// The pictures of a take at an interval. Between two that are far apart the camera is closed.
struct Lapse {
  /// When the next still is due; nil while no take has any.
  private var due: Instant?
  /// Since when the camera is wanted; nil while it may rest.
  private var wanted: Instant?

  /// - Parameter interval: from one still to the next, in nanoseconds; nil while no take has any.
  /// - Returns: whether a still is due.
  mutating func isStillDue(every interval: UInt64?, _ camera: DeviceState, at now: Instant) -> Bool {
    guard let interval else {
      due = nil
      return false
    }
    let next = due ?? now
    // A camera that is late has its still later, and those that it missed are left out.
    let isDue = now >= next && (camera == .running || now >= next + Limits.stillLateNanoseconds)
    due = isDue ? next + (now.distance(since: next) / interval + 1) * interval : next
    return isDue
  }

  /// Closes the camera, or has it opened.
  /// - Parameter rest: for how long no picture is wanted, in nanoseconds; nil until the next still.
  /// - Returns: whether the camera has not come back in time, and is lost.
  mutating func rest(_ rest: UInt64?, _ capture: inout CaptureUnit, at now: Instant) -> Bool {
    let isNear = (rest ?? due?.distance(since: now) ?? 0) <= Limits.cameraWakingNanoseconds
    guard isNear || capture.hasRestingCamera && capture.camera.isLost else {
      wanted = nil
      if capture.audioFormat != nil { capture.restCamera() }
      return false
    }
    let start = wanted ?? now
    wanted = start
    capture.wakeCamera()
    return now >= start + Limits.cameraWakingNanoseconds + Limits.stillLateNanoseconds && capture.missCamera()
  }
}

extension RecordingService {
  private var openForm: TakeForm? { isTakeOpen ? take?.form : nil }

  /// From one still of the open take to the next, in nanoseconds; nil if it has none.
  fileprivate var stillInterval: UInt64? {
    guard let form = openForm, form.content == .stills, let lapse = form.lapse else { return nil }
    return UInt64(lapse.intervalSeconds * 1e9)
  }

  /// For how long the open take wants no picture, in nanoseconds; nil for one of stills.
  fileprivate func rest(at now: Instant) -> UInt64? {
    guard let take, let form = openForm, let lapse = form.lapse, lapse.intervalSeconds > Limits.cameraRestSeconds else {
      return 0
    }
    guard form.content == .video else { return nil }
    let seconds = Double(take.fileFrames(at: capture.position(at: now))) / Double(capture.timelineRateHz)
    let next = ((seconds / lapse.intervalSeconds).rounded(.down) + 1) * lapse.intervalSeconds
    guard seconds >= next - lapse.intervalSeconds + Limits.filmPictureSeconds else { return 0 }
    // The next file of the take begins with a picture.
    let end = take.split.seconds > 0 ? min(next, Double(take.split.seconds)) : next
    return UInt64(max(end - seconds, 0) * 1e9)
  }
}

extension Services {
  /// At each exchange: orders the take's next still, and lets the camera rest while nobody needs its pictures.
  mutating func stepLapse(at now: Instant) {
    let isDue = lapse.isStillDue(every: recording.stillInterval, recording.capture.camera, at: now)
    if isDue, !stills.orderForTake(orientation.current, &recording.capture, clock.dates) {
      recording.ledger.note("no still", at: recording.capture.position(at: now))
    }
    var isWanted = liveView.isFollowed || trigger.settings.source.hasMotion || recording.capture.video.stills.isBusy
    if case .preview = console.pending { isWanted = true }
    guard lapse.rest(isWanted ? 0 : recording.rest(at: now), &recording.capture, at: now) else { return }
    recording.ledger.note("camera lost", at: recording.capture.position(at: now))
    if let refusal = stills.camera.refusal(in: recording.capture.camera) { console.announce(refusal, as: .fault) }
  }
}

extension Limits {
  /// The camera is closed between pictures that are further apart: of 30 s it is open for 5 before a picture and up to 3
  /// after it, so a quarter of the time or less.
  static var cameraRestSeconds: Double { 30 }

  /// How long before a picture its camera is opened: up to a second until it is asked for, two until it delivers, and two
  /// for its exposure.
  static var cameraWakingNanoseconds: UInt64 { 5_000_000_000 }

  /// How late a still, or a film's picture, may be.
  static var stillLateNanoseconds: UInt64 { 5_000_000_000 }

  /// How long a film's picture may take: two seconds at most to the next keyframe, and one until that arrives.
  static var filmPictureSeconds: Double { 3 }
}
