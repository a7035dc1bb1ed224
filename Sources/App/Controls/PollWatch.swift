import Base
import Machine

/// Whether a polled device can be read: one failed reading is nothing, several in a row are a loss, and a lost device is
/// opened again at intervals until it works.
struct PollWatch {
  private enum State {
    case working(failureCount: Int)
    case lost(nextOpening: Instant)
    /// It was lost and could be opened, and was not read since.
    case reopened
  }

  private var state = State.working(failureCount: 0)
  private let failureLimit: Int

  /// - Parameter failureLimit: failed readings in a row that are a loss; 1 or more.
  init(failureLimit: Int) { self.failureLimit = failureLimit }

  /// Whether it cannot be read, and is opened again and again.
  var isLost: Bool { if case .lost = state { true } else { false } }

  /// Whether the device can be read now. One that is lost is given to the device worker, to be opened.
  /// - Throws: why it could not be opened.
  mutating func isReadable<Device: SlowDevice & ~Copyable>(
    _ device: borrowing SharedDevice<Device>, at now: Instant
  ) throws(DeviceFailure) -> Bool where Device.Order == PolledDeviceOrder {
    guard !device.isLent else { return false }
    if let answer = device.takeAnswer() {
      if case .failed(let failure) = answer.result { throw failure }
      state = .reopened
    }
    guard case .lost(let nextOpening) = state else { return true }
    if now >= nextOpening { device.lend(.open) }
    return false
  }

  /// The device was read.
  /// - Returns: whether it had been lost.
  mutating func noteReading() -> Bool {
    defer { state = .working(failureCount: 0) }
    return if case .working = state { false } else { true }
  }

  /// The device could not be read, or opened.
  /// - Returns: whether it is lost by this failure.
  mutating func noteFailure(at now: Instant) -> Bool {
    let retry = now + Limits.deviceRetryMilliseconds * 1_000_000
    guard case .working(let failureCount) = state else {
      state = .lost(nextOpening: retry)
      return false
    }
    let isLoss = failureCount + 1 >= failureLimit
    state = isLoss ? .lost(nextOpening: retry) : .working(failureCount: failureCount + 1)
    return isLoss
  }
}
