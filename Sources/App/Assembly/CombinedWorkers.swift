import Base
import Catalog
import Machine

/// Makes the slow calls of the camera. What zooms it comes first, for its orders are of the camera that is open now.
struct CameraWorker: TimelessWorker, ~Copyable {
  private var lens: LentDevice<CameraLens<Camera.Zooming>>
  private var camera: LentDevice<Camera>

  init(_ machine: borrowing Hardware) {
    lens = machine.lens.workerEnd
    camera = machine.camera.workerEnd
  }

  mutating func step() -> Bool { lens.step() || camera.step() }
}

/// Makes the slow calls of the devices without which a take goes on: speaker, buttons, accelerometer, thermometer and
/// time service. Microphone and camera have a worker each, so that neither waits for another one's driver.
struct DeviceWorker: TimelessWorker, ~Copyable {
  private var buttons: LentDevice<Buttons>
  private var accelerometer: LentDevice<Accelerometer>
  private var thermometer: LentDevice<Thermometer>
  private var timeService: AskedDevice<TimeService>
  private var speaker: LentDevice<Speaker>

  init(_ machine: borrowing Hardware, _ timeService: consuming AskedDevice<TimeService>) {
    buttons = machine.buttons.workerEnd
    accelerometer = machine.accelerometer.workerEnd
    thermometer = machine.thermometer.workerEnd
    self.timeService = timeService
    speaker = machine.speaker.workerEnd
  }

  /// The buttons come first, for without them nobody reaches the recorder.
  mutating func step() -> Bool {
    buttons.step() || accelerometer.step() || thermometer.step() || speaker.step() || timeService.step()
  }
}

/// What has time, on the keeper's thread: what a person asks of the system, the small applications' files, and old
/// takes. A driver or a card that does not answer holds up nothing else.
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

  /// While it has something to do: how late it notices that it may go on.
  var patienceNanoseconds: UInt64 {
    inspector.isBusy || history.isBusy || keeper.isBusy ? Limits.exchangeMilliseconds * 1_000_000 : .max
  }

  /// Somebody waits for a calculation, and nobody for a take that goes.
  mutating func step(at now: Instant) -> Bool {
    inspector.step() || history.step(at: now, isRecording: pace.isRecording) || keeper.step(at: now)
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
    speaker.wake(by: bells[.device])
  }

  /// On a virtual clock: whether a call of the worker would wait now, so that it is skipped.
  func holdsUp(_ worker: WorkerKind) -> Bool {
    switch worker {
    case .microphone: isSlow(.microphone)
    case .camera: isSlow(.camera)
    case .device:
      isSlow(.buttons) || isSlow(.accelerometer) || isSlow(.thermometer) || isSlow(.speaker) || isSlow(.timeService)
    case .storage, .keeper: isStorageStalled
    default: false
    }
  }

  /// At the end: closes what the loop has. What a worker has closes with the process.
  mutating func closeDevices() {
    if !microphone.isLent { microphone.device.close() }
    if !camera.isLent, !lens.isLent { camera.device.close() }
    if !speaker.isLent { speaker.device.close() }
  }
}
