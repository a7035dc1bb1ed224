import Base
import Testing

@testable import App

@Suite struct WatchdogTests {
  private let second: UInt64 = 1_000_000_000

  /// The seconds at which a watchdog of 30 s is fed during five minutes.
  /// - Parameter oldestStep: when the oldest step began, for each second.
  private func feedings(stallSeconds: UInt32 = 10, oldestStep: (UInt64) -> UInt64?) -> [UInt64] {
    var watchdog = Watchdog(timeoutNanoseconds: 30 * second, stallSeconds: stallSeconds)
    return (1...300).filter { now in
      watchdog.isFed(
        at: Instant(now * second), oldestStep: oldestStep(now).map { Instant($0 * second) })
    }
  }

  @Test("it is fed three times in its time while workers wait, or are in steps that end")
  func working() {
    #expect(feedings { _ in nil }.count == 30)
    #expect(feedings { $0 - 1 }.count == 30)
  }

  @Test("a card that stalls for as long as it may does not keep it from being fed", arguments: [10, 30, 60])
  func stalls(seconds: UInt32) {
    let fed = feedings(stallSeconds: seconds) { now in
      (100..<100 + UInt64(seconds)).contains(now) ? 100 : nil
    }
    #expect(fed.count == 30)
  }

  @Test("a worker that never returns from a step ends the feeding, after 30 s or twice the longest stall")
  func hangs() {
    #expect(feedings { $0 >= 100 ? 100 : nil }.last! <= 130)
    #expect(feedings { $0 >= 100 ? 100 : nil }.last! > 115)
    #expect(feedings(stallSeconds: 60) { $0 >= 100 ? 100 : nil }.last! > 200)
  }

  @Test("a worker that returns late is fed for again")
  func returns() {
    let fed = feedings { (100..<180).contains($0) ? 100 : nil }
    #expect(fed.contains { $0 < 130 } && !fed.contains { (131..<180).contains($0) } && fed.contains(180))
  }
}
