import Synchronization

/// The current position on the recording's timeline, in sample frames since arming. The loop writes it at each tick.
/// Workers read it to decide whether missing data may still arrive.
@safe package struct Timeline: BitwiseCopyable {
  private struct Positions: ~Copyable {
    let now = Atomic<UInt64>(0)
    let settled = Atomic<UInt64>(.max)
    let awaited = Atomic<UInt64>(.max)
    let driftPartsPerBillion = Atomic<Int64>(0)
  }

  // Safe: points only at atomics in boot memory, which outlives every thread.
  private let positions: UnsafeMutablePointer<Positions>

  /// - Returns: nil if `memory` is used up.
  package init?(in memory: inout BootMemory) {
    guard let place = unsafe memory.place(Positions()) else { return nil }
    unsafe positions = place
  }

  /// The position being captured now.
  package var now: TimelinePosition { unsafe TimelinePosition(positions.pointee.now.load(ordering: .acquiring)) }

  /// Called by the loop: the timeline has reached `position`.
  package func publish(now position: TimelinePosition) {
    unsafe positions.pointee.now.store(position.rawValue, ordering: .releasing)
  }

  /// Called by the storage worker: it has nothing to do before this position.
  package func publish(awaited position: TimelinePosition) {
    unsafe positions.pointee.awaited.store(position.rawValue, ordering: .releasing)
  }

  /// Called by the loop after ``publish(now:)``: whether the position that the storage worker awaits has been reached.
  /// True once for each such position.
  package func reachesAwaited() -> Bool {
    let awaited = unsafe positions.pointee.awaited.load(ordering: .acquiring)
    guard now.rawValue >= awaited else { return false }
    // Fails if the worker has looked meanwhile and awaits another position.
    return unsafe positions.pointee.awaited.compareExchange(
      expected: awaited, desired: .max, ordering: .acquiringAndReleasing
    ).exchanged
  }

  /// How much faster the sound card's clock runs than the system's, in parts per million.
  package var driftPartsPerMillion: Double {
    unsafe Double(positions.pointee.driftPartsPerBillion.load(ordering: .relaxed)) / 1000
  }

  /// Called by the loop: the current estimate of the drift, at most one part in a thousand.
  package func publish(driftPartsPerMillion drift: Double) {
    unsafe positions.pointee.driftPartsPerBillion.store(Int64((drift * 1000).rounded()), ordering: .relaxed)
  }

  /// Data after this position may turn out not to belong to the take: a button was pressed there, and the gesture is
  /// not yet known. The largest number while no button is down.
  package var settled: TimelinePosition {
    unsafe TimelinePosition(positions.pointee.settled.load(ordering: .acquiring))
  }

  /// Called by the loop: nothing after `position` is certain yet; nil when everything is.
  package func hold(behind position: TimelinePosition?) {
    unsafe positions.pointee.settled.store((position ?? .max).rawValue, ordering: .releasing)
  }
}
