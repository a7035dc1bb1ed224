import Base
import Machine
import Synchronization

/// The state of the machine's encoder, shared by its thread and the loop.
///
/// A handle: copies refer to the same status.
@safe package struct CodecStatus: @unchecked Sendable {
  /// The worker changes it from coding to failed, and the loop from failed to replaced.
  package enum Phase: UInt8, Sendable {
    /// Pictures go into the machine's encoder.
    case coding
    /// The encoder has failed, and pictures are lost.
    case failed
    /// Pictures are encoded to JPEG, for files that start from now on.
    case replaced
  }

  private struct Shared: ~Copyable {
    let phase = Atomic<UInt8>(Phase.coding.rawValue)
    var failure: DeviceFailure?
  }

  // Safe: boot memory outlives every thread. `failure` is written once, before the release of `phase` that publishes
  // it, and read only after that.
  private let shared: UnsafeMutablePointer<Shared>

  /// - Returns: nil if `memory` is used up.
  package init?(in memory: inout BootMemory) {
    guard let shared = unsafe memory.place(Shared()) else { return nil }
    unsafe self.shared = shared
  }

  /// The present phase.
  package var phase: Phase {
    Phase(rawValue: unsafe shared.pointee.phase.load(ordering: .acquiring)) ?? .failed
  }

  /// Why the encoder has failed; nil while it works.
  package var failure: DeviceFailure? { phase == .coding ? nil : unsafe shared.pointee.failure }

  /// Switches to JPEG from the next picture on. For the loop only.
  package func replace() {
    guard phase == .failed else { return }
    unsafe shared.pointee.phase.store(Phase.replaced.rawValue, ordering: .releasing)
  }

  /// Reports that the encoder has failed. For the worker only.
  func fail(_ failure: DeviceFailure) {
    guard phase == .coding else { return }
    unsafe shared.pointee.failure = failure
    unsafe shared.pointee.phase.store(Phase.failed.rawValue, ordering: .releasing)
  }
}
