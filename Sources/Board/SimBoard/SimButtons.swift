import Port

/// Buttons that are pressed only from the console, and bounce as real ones do.
public struct SimButtons: Buttons, ~Copyable {
  private static var longestBounceNanoseconds: UInt64 { 10_000_000 }
  /// How long a bouncing contact keeps a level.
  private static var flapNanoseconds: UInt64 { 500_000 }

  private struct Press {
    var fromNanoseconds: UInt64 = 0
    var toNanoseconds: UInt64 = 0
  }

  private var presses = InlineArray<6, Press>(repeating: Press())
  private let noise: SimNoise

  /// All buttons are up.
  /// - Parameter seed: picks how long each contact bounces, and how.
  public init(seed: UInt64) {
    noise = SimNoise(seed: seed, stream: 1)
  }

  /// Never fails.
  public mutating func open() throws(DeviceFailure) {}

  /// The levels at any instant, which need not be the present: they follow from the presses alone.
  public mutating func read(atMonotonicNanoseconds now: UInt64) throws(DeviceFailure) -> ButtonSet {
    var pressed = ButtonSet()
    for index in presses.indices where isDown(presses[index], atNanoseconds: now) {
      pressed.bits |= 1 << UInt8(index)
    }
    return pressed
  }

  /// A button's newest press replaces the one before.
  public mutating func inject(_ button: Button, fromNanoseconds: UInt64, toNanoseconds: UInt64) {
    presses[Int(button.rawValue)] = Press(fromNanoseconds: fromNanoseconds, toNanoseconds: toNanoseconds)
  }

  private func isDown(_ press: Press, atNanoseconds now: UInt64) -> Bool {
    guard press.toNanoseconds > press.fromNanoseconds, now >= press.fromNanoseconds else { return false }
    if now < press.toNanoseconds { return level(of: press.fromNanoseconds, settlingTo: true, atNanoseconds: now) }
    return level(of: press.toNanoseconds, settlingTo: false, atNanoseconds: now)
  }

  /// The contact after an edge: the new level at once, then either, then the new one for good.
  private func level(of edge: UInt64, settlingTo settled: Bool, atNanoseconds now: UInt64) -> Bool {
    let bounceNanoseconds = noise.bits(at: edge) % Self.longestBounceNanoseconds
    guard now - edge >= Self.flapNanoseconds, now - edge < bounceNanoseconds else { return settled }
    return noise.bits(at: edge &+ (now - edge) / Self.flapNanoseconds) & 1 == 0
  }
}
