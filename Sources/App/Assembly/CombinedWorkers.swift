import Base
import Catalog
import Machine

/// Makes the camera's slow calls. The zoom comes first, because its orders are meant for the camera that is open now.
struct CameraWorker: TimelessWorker, ~Copyable {
  private var lens: LentDevice<CameraLens<Camera.Zooming>>
  private var camera: LentDevice<Camera>

  init(_ machine: borrowing Hardware) {
    lens = machine.lens.workerEnd
    camera = machine.camera.workerEnd
  }

  mutating func step() -> Bool { lens.step() || camera.step() }
}

/// Makes the slow calls of devices that a take can do without: speaker, buttons, accelerometer, thermometer, battery,
/// receiver and time service. Microphone and camera each have their own worker, so that neither waits for another's driver.
struct DeviceWorker: TimelessWorker, ~Copyable {
  private var buttons: LentDevice<Buttons>
  private var accelerometer: LentDevice<Accelerometer>
  private var thermometer: LentDevice<Thermometer>
  private var battery: LentDevice<Battery>
  private var receiver: LentDevice<Receiver>
  private var timeService: AskedDevice<TimeService>
  private var speaker: LentDevice<Speaker>

  init(_ machine: borrowing Hardware, _ timeService: consuming AskedDevice<TimeService>) {
    buttons = machine.buttons.workerEnd
    accelerometer = machine.accelerometer.workerEnd
    thermometer = machine.thermometer.workerEnd
    battery = machine.battery.workerEnd
    receiver = machine.receiver.workerEnd
    self.timeService = timeService
    speaker = machine.speaker.workerEnd
  }

  /// The buttons come first, because without them nobody can control the recorder.
  mutating func step() -> Bool {
    buttons.step() || accelerometer.step() || thermometer.step() || speaker.step() || timeService.step()
      || battery.step() || receiver.step()
  }
}

/// Work that is not urgent, on the keeper's thread: questions to the system, the applications' files, and old takes. A
/// driver or card that does not answer holds up nothing else.
struct HousekeepingWorker: SteppedWorker, ~Copyable {
  private var inspector: AskedDevice<Inspector>
  private var history: HistoryKeeper
  private var keeper: TakeKeeper
  private let pace: KeeperPace

  init(
    inspector: consuming AskedDevice<Inspector>, history: consuming HistoryKeeper,
    keeper: consuming TakeKeeper, pace: KeeperPace
  ) {
    self.inspector = inspector
    self.history = history
    self.keeper = keeper
    self.pace = pace
  }

  /// While the worker is busy: the longest delay before it notices that it may continue.
  var patienceNanoseconds: UInt64 {
    inspector.isBusy || history.isBusy || keeper.isBusy ? Limits.exchangeMilliseconds * 1_000_000 : .max
  }

  /// Calculations come before takes: somebody waits for a calculation, and nobody for the removal of a take.
  mutating func step(at now: Instant) -> Bool {
    if inspector.step() || history.step(at: now, isRecording: pace.isRecording) { return true }
    let hasWorked = keeper.step(at: now)
    if keeper.hasWiped { history.forgetFiles() }
    return hasWorked
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
    battery.wake(by: bells[.device])
    receiver.wake(by: bells[.device])
    speaker.wake(by: bells[.device])
  }

  /// On a virtual clock: whether the worker would block in a call now, so that its step is skipped.
  func holdsUp(_ worker: WorkerKind) -> Bool {
    switch worker {
    case .microphone: isSlow(.microphone)
    case .camera: isSlow(.camera)
    case .device:
      isSlow(.buttons) || isSlow(.accelerometer) || isSlow(.thermometer) || isSlow(.speaker) || isSlow(.timeService)
        || isSlow(.battery) || isSlow(.receiver)
    case .storage, .keeper: isStorageStalled
    default: false
    }
  }

  /// At the end: closes the devices that the loop holds. A worker's devices close with the process.
  mutating func closeDevices() {
    if !microphone.isLent { microphone.device.close() }
    if !camera.isLent, !lens.isLent { camera.device.close() }
    if !speaker.isLent { speaker.device.close() }
  }
}
