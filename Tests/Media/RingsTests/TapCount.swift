import Base
import Synchronization

/// The results of a tap's attempts; counted by its thread, and read once that has ended.
final class TapCount: @unchecked Sendable {
  let isWriterDone = Atomic<Bool>(false)
  private(set) var wholeCount = 0
  private(set) var damagedCount = 0
  private(set) var refusedCount = 0

  func count(_ reading: TapReading<UInt64>, _ room: TapRoom) {
    switch reading {
    case .packet(let packet) where room.holdsUniform(packet): wholeCount += 1
    case .packet: damagedCount += 1
    default: refusedCount += 1
    }
  }
}
