import Base

extension SimWorld {
  /// Applies the current fault to a storage call. In real time a stall makes the call wait; in virtual time the
  /// workers that use the storage get no steps instead. What was opened before a card vanished stays useless when it is
  /// back.
  /// - Parameter openedAt: nil for what is opened again by each call.
  /// - Returns: whether only a part of a write reaches the storage.
  @discardableResult func useStorage(
    needsSpace: Bool, _ path: borrowing FixedText<128>, openedAt: Instant? = nil
  ) throws(DeviceFailure) -> Bool {
    let openedAt = openedAt ?? now
    let life = openedAt.distance(since: start)..<max(now.distance(since: start), openedAt.distance(since: start))
    if faults.hadAbsence(of: .storage, inNanoseconds: life) { throw .simulated(.absent, path) }
    guard let fault = fault(of: .storage) else { return false }
    switch fault.kind {
    case .absent, .held, .failing: throw .simulated(fault.kind, path)
    case .full where needsSpace: throw .simulated(.full, path)
    case .full: return false
    case .tornWrites: return true
    case .stalled, .losing, .dead, .clipping, .stopping, .changed, .corrupt, .doubling, .black, .frozen, .hanging,
      .nonsense, .stuck, .slow:
      var clock = MonotonicClock()
      if mode == .real {
        clock.sleep(until: start + fault.nanoseconds.upperBound)
      }
      return false
    }
  }
}

extension DeviceFailure {
  static func simulated(_ kind: Fault.Kind, _ path: borrowing FixedText<128>) -> DeviceFailure {
    // ENODEV, ENOSPC, EIO.
    let (failureKind, number): (Kind, Int32) =
      switch kind {
      case .absent, .held: (.absent, 19)
      case .full: (.full, 28)
      default: (.failed, 5)
      }
    return DeviceFailure(
      device: .storage, kind: failureKind, subject: "\(copy path)", problem: "has a simulated fault",
      remedy: "wait until it is over", systemErrorNumber: number)
  }
}
