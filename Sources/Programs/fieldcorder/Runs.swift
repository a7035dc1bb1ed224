import App
import Base
import CDeviceArena
import CHeapMeter
import Configuration
import Machine

/// Runs the appliance in real time: the loop on the process's first thread, with real-time priority if the system
/// allows it, and a thread for each worker.
enum ThreadedRun {
  /// Returns once the appliance has ended and all data is on the disk.
  /// - Throws: also if the last take could not be finished, or a script ended with an error.
  /// - Parameters:
  ///   - threads: the threads whose doorbells the appliance was given.
  ///   - refusal: the result of ``enterRealTime(priority:)``.
  static func run(
    _ appliance: consuming Appliance, on threads: consuming WorkerThreads,
    settings: Settings, realTime refusal: DeviceFailure?, until signals: borrowing StopSignals,
    in memory: inout BootMemory
  ) throws(DeviceFailure) {
    try threads.start(appliance.workers, in: &memory)
    var loop = appliance.loop
    prepare(&loop, isOrdinaryBecause: refusal)
    let manager = ServiceManager()
    var watchdog = Watchdog(
      timeoutNanoseconds: manager?.timeoutNanoseconds ?? 0, stallSeconds: settings.record.stallSeconds)
    device_arena_arm()
    heap_meter_mark()
    while loop.tick(waitingFor: threads.loopSignal) {
      if signals.isStopRequested { loop.stop() }
      if manager != nil, watchdog.isFed(at: .now, oldestStep: threads.oldestStep) { manager?.feed() }
    }
    manager?.announceEnd()
    threads.end()
    loop.sayGoodbye()
    if let failure = loop.failure { throw failure }
  }

  /// Gives the calling thread real-time priority before it opens the microphone: on a busy machine, sound between then
  /// and the loop's first round could otherwise be lost.
  /// - Parameter priority: 0 for none.
  /// - Returns: why the system does not allow it; the appliance works without it, only less punctually.
  static func enterRealTime(priority: Int32) -> DeviceFailure? {
    guard priority > 0 else { return nil }
    do throws(DeviceFailure) {
      try Machine.enterRealTime(priority: priority)
      return nil
    } catch {
      return error
    }
  }

  private static func prepare(_ loop: inout MainLoop, isOrdinaryBecause failure: DeviceFailure?) {
    do throws(DeviceFailure) { try lockAllMemory() } catch { loop.announce(error) }
    if let failure { loop.announce(failure) }
  }
}

/// Runs the appliance on a virtual clock: loop and workers run on one thread, in an order that the seed determines, so
/// that a run can be repeated byte for byte.
enum SimulatedRun {
  /// An idle day then takes a second of a processor, and a minute if the workers are asked at each tick.
  private static var idleNanoseconds: UInt64 { 500_000_000 }

  /// Returns once the appliance has ended and all data is on the disk.
  /// - Throws: if the last take could not be finished, or a script ended with an error.
  static func run(
    _ appliance: consuming Appliance, seed: UInt64, until signals: borrowing StopSignals
  ) throws(DeviceFailure) {
    var appliance = appliance
    appliance.prepareWorkers()
    device_arena_arm()
    heap_meter_mark()
    var order = StepOrder(seed: seed)
    while appliance.loop.tick(jumpingOver: idleNanoseconds) {
      appliance.stepWorkers(in: &order)
      if signals.isStopRequested { appliance.loop.stop() }
    }
    appliance.finishWork(in: &order)
    appliance.loop.sayGoodbye()
    if let failure = appliance.loop.failure { throw failure }
  }
}
