import Port
import Rings

/// Makes the slow calls of the devices without which a take goes on: speaker, buttons, accelerometer, thermometer and time
/// service.
/// Microphone and camera have a worker each, so that neither waits for another one's driver.
public struct DeviceWorker<Machine: Hardware & ~Copyable>: ~Copyable {
  private var buttons: LentDevice<Machine.BoardButtons>
  private var accelerometer: LentDevice<Machine.BoardAccelerometer>
  private var thermometer: LentDevice<Machine.BoardThermometer>
  private var timeService: LentDevice<Machine.BoardTimeService>
  private var speaker: LentDevice<Machine.BoardSpeaker>

  init(_ machine: borrowing Machine) {
    buttons = machine.buttons.workerEnd
    accelerometer = machine.accelerometer.workerEnd
    thermometer = machine.thermometer.workerEnd
    timeService = machine.timeService.workerEnd
    speaker = machine.speaker.workerEnd
  }

  /// Carries out one order: of the buttons first, for without them nobody reaches the recorder.
  /// - Returns: whether there was one.
  public mutating func step() -> Bool {
    buttons.step() || accelerometer.step() || thermometer.step() || speaker.step() || timeService.step()
  }
}

extension Hardware where Self: ~Copyable {
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
    inspector.wake(by: bells[.retention])
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
