import Rings
import TestSupport
import Testing
import Values

@testable import Takes

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

  private func states(_ events: [RecorderEvent], staysArmed: Bool = true) throws -> [RecorderState] {
    var recorder = try armedRecorder(staysArmed: staysArmed)
    return events.map { event in
      _ = recorder.handle(event)
      return recorder.state
    }
  }

  @Test("an earlier take's end does not end the present one")
  func overlappingTakes() throws {
    #expect(
      try states([.recordPressed, .recordPressed, .recordPressed, .takeFinished, .recordPressed, .takeFinished])
        == [.recording, .finishing, .recording, .recording, .finishing, .preparing])
  }

  @Test("the devices are closed only when both of two unfinished takes are complete")
  func waitsForBoth() throws {
    #expect(
      try states(
        [.recordPressed, .recordPressed, .recordPressed, .recordPressed, .takeFinished, .takeFinished],
        staysArmed: false)
        == [.recording, .finishing, .recording, .finishing, .finishing, .closing])
  }

  @Test("a take that failed does not stop the next one that was already begun")
  func failureOfAnEarlierTake() throws {
    #expect(
      try states([.recordPressed, .recordPressed, .recordPressed, .takeFailed, .takeFailed])
        == [.recording, .finishing, .recording, .recording, .failed])
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
