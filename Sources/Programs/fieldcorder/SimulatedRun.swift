import App
import CDeviceArena
import CHeapMeter
import Machine
import Media
import Record

/// Runs the appliance on a virtual clock: loop and workers run on one thread, in an order that the seed determines, so
/// that a run can be repeated to the byte.
enum SimulatedRun {
  /// Returns once the appliance has ended and everything is on the disk.
  /// - Throws: when the last take could not be finished.
  static func run(
    _ appliance: consuming Appliance, seed: UInt64, until signals: borrowing StopSignals
  ) throws(DeviceFailure) {
    var appliance = appliance
    appliance.workers.prepareThread()
    device_arena_arm()
    heap_meter_mark()
    var order = StepOrder(seed: seed)
    while appliance.loop.tick() {
      appliance.stepWorkers(in: &order)
      if signals.isStopRequested { appliance.loop.stop() }
    }
    appliance.finishWork(in: &order)
    appliance.loop.sayGoodbye()
    if let failure = appliance.loop.unfinishedTake { throw failure }
  }
}
