import Base
import Configuration
import Console
import Media
import Record
import Wire

/// Which part of the camera's picture is used: the zoom, by its button and `zoom`, and the viewfinder.
struct FramingService {
  let camera: PlannedCamera
  var settings: ViewSettings {
    didSet { motion = ViewfinderMotion(milliseconds: settings.motionMilliseconds, easing: settings.motionEasing) }
  }
  private(set) var viewfinder = Viewfinder()
  private var motion: ViewfinderMotion

  init(camera: PlannedCamera, settings: ViewSettings) {
    self.camera = camera
    self.settings = settings
    motion = ViewfinderMotion(milliseconds: settings.motionMilliseconds, easing: settings.motionEasing)
  }

  /// Whether the viewfinder is moving to a new place.
  func isMoving(at now: Instant) -> Bool { motion.isMoving(at: now) }

  /// At each tick: reports the end of a glide.
  func step(_ zoom: inout Zoom, _ console: inout ConsoleSession, at now: Instant) {
    if let factor = zoom.settle(at: now) { announce(factor, &console) }
  }

  /// Handles a gesture of the zoom button.
  func serve(_ gesture: Gesture, _ zoom: inout Zoom, _ console: inout ConsoleSession, at now: Instant) {
    guard camera.format != nil else { return }
    guard zoom.maximum > 1 else {
      if case .pressed = gesture { console.announce(Self.noRange) }
      return
    }
    switch gesture {
    case .pressed: break
    case .short: zoom.step(at: now)
    case .long:
      let direction = zoom.direction
      zoom.hold(at: now)
      if zoom.direction != direction { announceDirection(of: zoom, &console) }
    case .released:
      if let factor = zoom.release(at: now) { announce(factor, &console) }
    case .double:
      zoom.reverse()
      announceDirection(of: zoom, &console)
    }
  }

  /// Runs `zoom`.
  func run(_ order: ZoomOrder, _ zoom: inout Zoom, _ console: inout ConsoleSession, at now: Instant) {
    guard camera.format != nil else { return console.refuse(camera.absence(to: "zoom")) }
    switch order {
    case .show: return console.answer("zoom \(zoom.factor(at: now), decimals: 2)")
    case .glide(let factor, let rate):
      guard admit(factor, zoom, &console) else { return }
      zoom.glide(to: factor, powersOfTwoPerSecond: rate, at: now)
    case .jump(let factor):
      guard admit(factor, zoom, &console) else { return }
      zoom.jump(to: factor, at: now)
    }
    console.complete()
  }

  /// Says where a zoom factor outside the range ends: at the nearest end of the range, as cameras that crop do.
  /// - Returns: false if there is no range, which was refused.
  private func admit(_ factor: Double, _ zoom: Zoom, _ console: inout ConsoleSession) -> Bool {
    guard factor < 1 || factor > zoom.maximum else { return true }
    guard zoom.maximum > 1 else {
      console.refuse(Self.noRange)
      return false
    }
    console.reply(
      """
      zoom \(factor < 1 ? 1 : zoom.maximum, decimals: 2), the nearest within 1.00…\(zoom.maximum, decimals: 2)
      """ as FixedText<128>)
    return true
  }

  /// Runs `viewfinder`.
  mutating func run(
    _ order: ViewfinderOrder, _ orientation: Orientation, _ console: inout ConsoleSession, at now: Instant
  ) {
    guard let view = view(orientation) else { return console.refuse(camera.absence(to: "frame with")) }
    let before = viewfinder.rectangle(in: view)
    switch order {
    case .show: break
    case .place(let x, let y, let width, let height):
      viewfinder.place(x: x, y: y, width: width, height: height, in: view)
    case .move(let x, let y): viewfinder.move(x: x, y: y, in: view)
    }
    let place = viewfinder.rectangle(in: view)
    if place != before { motion.begin(from: before.fraction(of: view), orientation, at: now) }
    console.answer("viewfinder \(place.x) \(place.y) \(place.width) \(place.height) of \(view.width) x \(view.height)")
  }

  /// The part of the picture that a still of the viewfinder shows; nil, the whole picture, if the camera has never
  /// delivered anything.
  func crop(_ orientation: Orientation) -> StillOrder.Crop? {
    view(orientation).map { StillOrder.Crop(viewfinder.rectangle(in: $0), of: $0) }
  }

  /// Adds the framing to the status of the live views.
  func describe(in status: inout ViewStatus, _ orientation: Orientation, at now: Instant) {
    status.orientation = orientation.rawValue
    guard let view = view(orientation) else { return }
    let place = viewfinder.rectangle(in: view).fraction(of: view)
    status.viewfinder = motion.shown(onTheWayTo: place, orientation, at: now)
  }

  /// The view of the camera's pictures in the present orientation; nil if the camera has never delivered anything.
  private func view(_ orientation: Orientation) -> PictureView? {
    camera.format.map { settings.view(of: $0, orientation) }
  }

  private static var noRange: FixedText<256> { "set [zoom] maximum above 1 to zoom" }

  private func announceDirection(of zoom: Zoom, _ console: inout ConsoleSession) {
    console.announce(zoom.direction == .closer ? "zoom button zooms in" : "zoom button zooms out")
  }

  private func announce(_ factor: Double, _ console: inout ConsoleSession) {
    console.announce("zoom \(factor, decimals: 1)" as FixedText<32>)
  }
}

extension ViewSettings {
  /// The view of a camera's pictures: their size if none is configured, with the sides exchanged in portrait.
  func view(of video: VideoFormat, _ orientation: Orientation) -> PictureView {
    let size = PixelSize(
      width: Int(width == 0 ? video.widthPixels : width), height: Int(height == 0 ? video.heightPixels : height)
    ).upright(orientation)
    return PictureView(x: Int(x), y: Int(y), width: size.width, height: size.height)
  }
}

extension PixelRectangle {
  /// The viewfinder's place in the view, which it never leaves.
  fileprivate func fraction(of view: PictureView) -> ViewFraction {
    ViewFraction(
      x: Float(x - view.x) / Float(view.width), y: Float(y - view.y) / Float(view.height),
      width: Float(width) / Float(view.width), height: Float(height) / Float(view.height))
  }
}

/// The camera that memory and encoder were planned for at boot, and the messages for when it delivers nothing.
struct PlannedCamera {
  /// Its format at boot; nil if there was none.
  let format: VideoFormat?
  let settings: RecordSettings

  /// Why a feature needs a camera that is missing, and what to do about it.
  func absence(to purpose: StaticString) -> FixedText<128> {
    let remedy: StaticString =
      settings.content == .audio ? "set [record] what = video" : "plug one in and restart the recorder"
    return "there is no camera to \(purpose): \(remedy)"
  }

  /// Why an existing camera delivers nothing now; nil while it does.
  func refusal(in state: DeviceState) -> FixedText<128>? {
    guard state != .running else { return nil }
    return settings.arming == .atPress
      ? "the camera is closed: begin a take first, or set [record] arm = boot"
      : "the camera no longer sends frames: plug it in"
  }
}

/// Where the display shows the viewfinder while it moves to a new place.
struct ViewfinderMotion {
  private enum State {
    case resting
    case moving(from: ViewFraction, Orientation, start: Instant)
  }

  private let durationNanoseconds: UInt64
  private let easing: Easing
  private var state = State.resting

  /// - Parameter milliseconds: how long a movement takes; 0 for none.
  init(milliseconds: UInt32, easing: Easing) {
    durationNanoseconds = UInt64(milliseconds) * 1_000_000
    self.easing = easing
  }

  /// Begins a movement from a place, which the viewfinder may not have reached yet.
  mutating func begin(from place: ViewFraction, _ orientation: Orientation, at now: Instant) {
    guard durationNanoseconds > 0 else { return }
    state = .moving(from: shown(onTheWayTo: place, orientation, at: now), orientation, start: now)
  }

  func isMoving(at now: Instant) -> Bool {
    if case .moving(_, _, let start) = state { now.distance(since: start) < durationNanoseconds } else { false }
  }

  /// Where the viewfinder is shown. After a rotation during the movement the places cannot be compared: it jumps.
  func shown(onTheWayTo place: ViewFraction, _ orientation: Orientation, at now: Instant) -> ViewFraction {
    guard case .moving(let origin, orientation, let start) = state else { return place }
    let progress = Double(now.distance(since: start)) / Double(durationNanoseconds)
    guard progress < 1 else { return place }
    return origin.moved(Float(easing.value(at: progress)), towards: place)
  }
}

extension ViewFraction {
  /// - Parameter part: the fraction of the way to `place`; above 1 it overshoots.
  fileprivate func moved(_ part: Float, towards place: ViewFraction) -> ViewFraction {
    func between(_ start: Float, _ end: Float) -> Float { start + (end - start) * part }
    return ViewFraction(
      x: between(x, place.x), y: between(y, place.y), width: between(width, place.width),
      height: between(height, place.height))
  }
}
