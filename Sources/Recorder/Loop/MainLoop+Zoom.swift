import Port
import Capture
import Configuration
import Console
import Controls
import Imaging
import Text

extension MainLoop where Machine: ~Copyable {
  /// How close the picture is brought at an instant.
  func zoomFactor(atNanoseconds instant: UInt64) -> Double { capture.zoom.motion.factor(atNanoseconds: instant) }

  /// At each tick: tells of a glide that has come to its end.
  mutating func stepZoom(atNanoseconds now: UInt64) {
    if let factor = capture.zoom.motion.settle(atNanoseconds: now) { announceZoom(factor) }
  }

  /// What a finger on the zoom button means.
  mutating func serveZoom(_ gesture: Gesture, atNanoseconds now: UInt64) {
    guard plannedVideo != nil else { return }
    guard canZoom else {
      if case .pressed = gesture { console.announce(Self.noRange) }
      return
    }
    switch gesture {
    case .pressed: break
    case .short: capture.zoom.motion.step(atNanoseconds: now)
    case .long:
      let direction = capture.zoom.motion.direction
      capture.zoom.motion.hold(atNanoseconds: now)
      if capture.zoom.motion.direction != direction { announceZoomDirection() }
    case .released:
      if let factor = capture.zoom.motion.release(atNanoseconds: now) { announceZoom(factor) }
    case .double:
      capture.zoom.motion.reverse()
      announceZoomDirection()
    }
  }

  /// Serves `zoom`.
  mutating func serve(_ order: ZoomOrder, atNanoseconds now: UInt64) {
    guard plannedVideo != nil else { return console.refuse(noCamera(to: "zoom")) }
    switch order {
    case .show: console.reply("zoom \(zoomFactor(atNanoseconds: now), decimals: 2)" as FixedText<32>)
    case .glide(let factor, _) where factor > capture.zoom.motion.maximum: return refuseZoom()
    case .jump(let factor) where factor > capture.zoom.motion.maximum: return refuseZoom()
    case .glide(let factor, let rate):
      capture.zoom.motion.glide(to: factor, powersOfTwoPerSecond: rate, atNanoseconds: now)
    case .jump(let factor): capture.zoom.motion.jump(to: factor, atNanoseconds: now)
    }
    console.complete()
  }

  private var canZoom: Bool { capture.zoom.motion.maximum > 1 }

  private static var noRange: FixedText<256> { "set [zoom] maximum above 1 to zoom" }

  private mutating func refuseZoom() {
    guard canZoom else { return console.refuse(Self.noRange) }
    console.refuse("zoom wants a factor of 1.000…\(capture.zoom.motion.maximum, decimals: 3)" as FixedText<128>)
  }

  private mutating func announceZoomDirection() {
    console.announce(capture.zoom.motion.direction == .closer ? "zoom button goes in" : "zoom button goes out")
  }

  private mutating func announceZoom(_ factor: Double) {
    console.announce("zoom \(factor, decimals: 1)" as FixedText<32>)
  }
}
