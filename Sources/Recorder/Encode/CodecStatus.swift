import Port
import Rings
import Synchronization

/// How it stands with the machine's encoder, between the thread that codes and the loop.
///
/// A handle: copies are the same status.
@safe public struct CodecStatus: @unchecked Sendable {
  /// Where the coding is. The worker moves it from coding to failed, and the loop from there to replaced.
  public enum Phase: UInt8, Sendable {
    /// Pictures go into the machine's encoder.
    case coding
    /// The encoder is gone, and pictures with it.
    case failed
    /// Files that begin now hold JPEGs.
    case replaced
  }

  private struct Shared: ~Copyable {
    let phase = Atomic<UInt8>(Phase.coding.rawValue)
    var failure: DeviceFailure?
  }

  // Sound: boot memory outlives every thread. `failure` is written once, before the release of `phase` that publishes
  // it, and read only after.
  private let shared: UnsafeMutablePointer<Shared>

  /// - Returns: nil when `memory` has not ``byteCount`` left.
  public init?(in memory: inout BootMemory) {
    guard let shared = unsafe memory.place(Shared()) else { return nil }
    unsafe self.shared = shared
  }

  /// What it takes of boot memory.
  public static var byteCount: Int { BootMemory.footprint(byteCount: MemoryLayout<Shared>.stride) }

  /// Where the coding is.
  public var phase: Phase {
    Phase(rawValue: unsafe shared.pointee.phase.load(ordering: .acquiring)) ?? .failed
  }

  /// Why the encoder is gone; nil while it codes.
  public var failure: DeviceFailure? { phase == .coding ? nil : unsafe shared.pointee.failure }

  /// The loop's: the next pictures are for files that hold JPEGs.
  public func replace() {
    guard phase == .failed else { return }
    unsafe shared.pointee.phase.store(Phase.replaced.rawValue, ordering: .releasing)
  }

  /// The worker's: the encoder is gone.
  func fail(_ failure: DeviceFailure) {
    guard phase == .coding else { return }
    unsafe shared.pointee.failure = failure
    unsafe shared.pointee.phase.store(Phase.failed.rawValue, ordering: .releasing)
  }
}
