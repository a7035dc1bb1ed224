import Port
import Rings

/// Makes the calls of the loop's devices that take as long as a driver wants, one after the other. A device whose driver
/// never returns holds up the others' openings, and nothing else.
public struct DeviceWorker<Machine: Hardware & ~Copyable>: ~Copyable {
  private var microphone: LentDevice<Machine.BoardMicrophone>
  private var camera: LentDevice<Machine.BoardCamera>
  private var speaker: LentDevice<Machine.BoardSpeaker>
  private var buttons: LentDevice<Machine.BoardButtons>
  private var accelerometer: LentDevice<Machine.BoardAccelerometer>

  init(_ machine: borrowing Machine) {
    microphone = machine.microphone.workerEnd
    camera = machine.camera.workerEnd
    speaker = machine.speaker.workerEnd
    buttons = machine.buttons.workerEnd
    accelerometer = machine.accelerometer.workerEnd
  }

  /// Carries out one order: of the buttons first, for without them nobody reaches the recorder, then of what records.
  /// - Returns: whether there was one.
  public mutating func step() -> Bool {
    buttons.serve() || microphone.serve() || camera.serve() || accelerometer.serve() || speaker.serve()
  }
}

extension Hardware where Self: ~Copyable {
  /// From now on an order wakes the device worker.
  mutating func wakeDeviceWorker(by bell: Doorbell) {
    buttons.wake(by: bell)
    accelerometer.wake(by: bell)
    microphone.wake(by: bell)
    speaker.wake(by: bell)
    camera.wake(by: bell)
  }

  /// At the end: closes what the loop has. What the device worker has closes with the process.
  mutating func closeDevices() {
    if !microphone.isLent { microphone.device.close() }
    if !camera.isLent { camera.device.close() }
    if !speaker.isLent { speaker.device.close() }
  }
}
