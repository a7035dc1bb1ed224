import Base
import TestSupport
import Testing

@testable import Record

@Suite struct RecorderTests {
  private func armedRecorder(staysArmed: Bool) throws -> Recorder {
    var memory = leakedBootMemory(byteCount: 60_000)
    let orders = try unwrapped(Queue<TakeOrder>(capacity: 8, in: &memory))
    let reports = try unwrapped(Queue<TakeReport>(capacity: 8, in: &memory))
    var recorder = Recorder(orders: orders.producer, reports: reports.consumer, staysArmed: staysArmed)
    _ = recorder.handle(.arm)
    _ = recorder.handle(.devicesOpened)
    return recorder
  }

  /// The states after each event and, for a take's events, the number of the take.
  private func states(_ events: [(RecorderEvent, UInt32?)], staysArmed: Bool = true) throws -> [RecorderState] {
    var recorder = try armedRecorder(staysArmed: staysArmed)
    return events.map { event, take in
      _ = recorder.handle(event, ofTake: take)
      return recorder.state
    }
  }

  private static let press: (RecorderEvent, UInt32?) = (.recordPressed, nil)

  @Test("an earlier take's end does not end the present one")
  func overlappingTakes() throws {
    #expect(
      try states([Self.press, Self.press, Self.press, (.takeFinished, 1), Self.press, (.takeFinished, 2)])
        == [.recording, .finishing, .recording, .recording, .finishing, .preparing])
  }

  @Test("the devices are closed only when both of two unfinished takes are complete")
  func waitsForBoth() throws {
    #expect(
      try states(
        [Self.press, Self.press, Self.press, Self.press, (.takeFinished, 1), (.takeFinished, 2)],
        staysArmed: false)
        == [.recording, .finishing, .recording, .finishing, .finishing, .closing])
  }

  @Test("a take that failed does not stop the next one that was already begun")
  func failureOfAnEarlierTake() throws {
    #expect(
      try states([Self.press, Self.press, Self.press, (.takeFailed, 1), (.takeFailed, 2)])
        == [.recording, .finishing, .recording, .recording, .failed])
  }

  @Test("a take that fails before the one before it is complete leaves nothing that looks like a recording")
  func failureBeforeAnEarlierTakeIsComplete() throws {
    #expect(
      try states([Self.press, Self.press, Self.press, (.takeFailed, 2), (.takeFinished, 1)])
        == [.recording, .finishing, .recording, .failed, .failed])
  }

  @Test("a worker with a full queue is detected before an order is sent")
  func knowsWhenFull() throws {
    var recorder = try armedRecorder(staysArmed: true)
    var count = 0
    while recorder.takesOrders {
      recorder.send(.disarm)
      count += 1
    }
    #expect(count == 6)
  }
}
