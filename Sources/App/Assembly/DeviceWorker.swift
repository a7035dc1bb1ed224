import Base
import Machine

/// Makes the slow calls of the devices without which a take goes on: speaker, buttons, accelerometer, thermometer and time
/// service.
/// Microphone and camera have a worker each, so that neither waits for another one's driver.
package struct DeviceWorker: ~Copyable {
  private var buttons: LentDevice<Buttons>
  private var accelerometer: LentDevice<Accelerometer>
  private var thermometer: LentDevice<Thermometer>
  private var timeService: LentDevice<TimeService>
  private var speaker: LentDevice<Speaker>

  init(_ machine: borrowing Hardware) {
    buttons = machine.buttons.workerEnd
    accelerometer = machine.accelerometer.workerEnd
    thermometer = machine.thermometer.workerEnd
    timeService = machine.timeService.workerEnd
    speaker = machine.speaker.workerEnd
  }

  /// Carries out one order: of the buttons first, for without them nobody reaches the recorder.
  /// - Returns: whether there was one.
  package mutating func step() -> Bool {
    buttons.step() || accelerometer.step() || thermometer.step() || speaker.step() || timeService.step()
  }
}

extension Hardware {
  /// From now on an order wakes the device's worker.
  mutating func wakeWorkers(by bells: Doorbells) {
    microphone.wake(by: bells[.microphone])
    camera.wake(by: bells[.camera])
    lens.wake(by: bells[.camera])
    buttons.wake(by: bells[.device])
    accelerometer.wake(by: bells[.device])
    thermometer.wake(by: bells[.device])
    timeService.wake(by: bells[.device])
    speaker.wake(by: bells[.device])
    inspector.wake(by: bells[.keeper])
  }

  /// Whether a call of ``DeviceWorker`` would wait now.
  var isDeviceWorkerSlow: Bool {
    isSlow(.buttons) || isSlow(.accelerometer) || isSlow(.thermometer) || isSlow(.speaker) || isSlow(.timeService)
  }

  /// At the end: closes what the loop has. What a worker has closes with the process.
  mutating func closeDevices() {
    if !microphone.isLent { microphone.device.close() }
    if !camera.isLent, !lens.isLent { camera.device.close() }
    if !speaker.isLent { speaker.device.close() }
  }
}
