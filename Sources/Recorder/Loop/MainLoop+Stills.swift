import Port
import Capture
import Configuration
import Console
import Imaging
import Library
import Values
import Rings
import Stills
import Takes
import Text

extension MainLoop where Machine: ~Copyable {
  /// Orders a still of the next picture. The console is answered once it is on the card, or is not going to be.
  mutating func takeStill(_ framing: StillFraming, for asker: Asker) {
    if let refusal = stillRefusal { return refuse(refusal, for: asker) }
    let now = machine.clock.monotonicNanoseconds
    let number = stills.begin(for: asker, atNanoseconds: now)
    capture.video.stills.order(
      StillOrder(
        number: number, crop: framing == .viewfinder ? viewfinderCrop : nil, orientation: panel.orientation,
        unixOffsetNanoseconds: machine.clock.unixNanoseconds &- Int64(bitPattern: now)))
  }

  private var viewfinderCrop: StillOrder.Crop? {
    guard let view = pictureView else { return nil }
    return StillOrder.Crop(viewfinder.rectangle(in: view), of: view)
  }

  private var stillRefusal: FixedText<128>? {
    guard plannedVideo != nil else { return noCamera(to: "take a still with") }
    if let cameraRefusal { return cameraRefusal }
    guard capture.video.stills.takesOrders else { return "the still before is not done yet" }
    return nil
  }

  /// What there is no camera for, and what can be done about it.
  func noCamera(to purpose: StaticString) -> FixedText<128> {
    let remedy: StaticString =
      context.settings.record.content == .audio
      ? "set [record] what = video" : "plug one in and restart the recorder"
    return "there is no camera to \(purpose): \(remedy)"
  }

  /// Why a camera that there is delivers nothing now; nil while it does.
  var cameraRefusal: FixedText<128>? {
    guard capture.camera != .running else { return nil }
    return context.settings.record.arming == .atPress
      ? "the camera is closed: begin a take first, or set [record] arm = boot"
      : "the camera does not deliver pictures any more: plug it in and restart the recorder"
  }

  /// Tells what has become of the stills that were ordered.
  mutating func serveStills(atNanoseconds now: UInt64) {
    while let report = stillReports.pop() { tell(report) }
    if let receipt = capture.video.stills.nextFailure() {
      refuse(Self.line(of: receipt.outcome), for: stills.end(receipt.number))
    }
    if let wait = stills.buttonWait { serve(wait, atNanoseconds: now) }
    if let wait = stills.consoleWait { serve(wait, atNanoseconds: now) }
  }

  /// Tells who has waited too long, for the camera or for the card.
  private mutating func serve(_ wait: StillDesk.Wait, atNanoseconds now: UInt64) {
    let waited = now - min(now, wait.sinceNanoseconds)
    if capture.video.stills.awaitedNumber == wait.number {
      guard waited >= Limits.stillPictureMilliseconds * 1_000_000 else { return }
      capture.video.stills.withdraw()
      refuse("no picture came from the camera: there is no still" as FixedText<64>, for: stills.end(wait.number))
    } else if waited >= Limits.stillAnswerMilliseconds * 1_000_000 {
      refuse(
        "the card does not answer: a line tells when the still is there" as FixedText<80>, for: stills.end(wait.number))
    }
  }

  private mutating func tell(_ report: StillReport) {
    let asker = stills.end(report.number)
    switch report.outcome {
    case .saved(let summary):
      library.tell(.complete(path: "\(summary.path)"))
      guard asker == .console else { return console.announce(summary.line) }
      console.reply(summary.line)
      console.complete()
    case .failed(let failure): refuse(failure.line, for: asker)
    }
  }

  private static func line(of outcome: StillReceipt.Outcome) -> FixedText<128> {
    switch outcome {
    case .cardIsBehind: "the card has not taken the stills before: this one is lost"
    case .tooLarge: "the still takes more room than there is: set [photo] quality lower, or the viewfinder smaller"
    case .unusable, .coded: "the camera delivered no whole picture: there is no still"
    }
  }
}
