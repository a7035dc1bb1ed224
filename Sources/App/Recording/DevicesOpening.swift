import Base
import Configuration
import Console
import Machine
import Record

/// The opening of microphone and camera by their workers. A device that hangs is skipped.
struct DevicesOpening {
  private var microphone = DeviceOpening<AudioFormat>.wanted
  private var camera: DeviceOpening<VideoFormat>
  private let deadline: Instant

  init(withCamera isCameraWanted: Bool, at now: Instant) {
    camera = isCameraWanted ? .wanted : .notWanted
    deadline = now + Limits.deviceAnswerMilliseconds * 1_000_000
  }

  /// At each tick.
  /// - Returns: the opened devices, once both outcomes are known.
  mutating func advance(
    _ machine: borrowing Hardware, settings: Settings, at now: Instant
  ) -> OpenedDevices? {
    microphone.advance(machine.microphone, .open(settings.microphoneRequest))
    camera.advance(machine.camera, .open(settings.cameraRequest))
    if now >= deadline {
      microphone.giveUp(.microphone, settings.audio.deviceName)
      camera.giveUp(.camera, settings.video.deviceName)
    }
    guard !microphone.isPending, !camera.isPending else { return nil }
    return OpenedDevices(
      audio: microphone.format, video: camera.format, microphoneFailure: microphone.failure,
      cameraFailure: camera.failure)
  }
}

private enum DeviceOpening<Format: BitwiseCopyable> {
  case notWanted
  /// The device is opened as soon as its worker is free.
  case wanted
  case asked
  case opened(Format)
  case failed(DeviceFailure)

  var isPending: Bool {
    switch self {
    case .wanted, .asked: true
    case .notWanted, .opened, .failed: false
    }
  }

  var format: Format? { if case .opened(let format) = self { format } else { nil } }

  var failure: DeviceFailure? { if case .failed(let failure) = self { failure } else { nil } }

  mutating func advance<Device: SlowDevice & ~Copyable>(
    _ device: borrowing SharedDevice<Device>, _ order: Device.Order
  ) where Device.Outcome == Format? {
    switch self {
    case .wanted where !device.isLent:
      device.lend(order)
      self = .asked
    case .asked:
      guard let answer = device.takeAnswer() else { return }
      switch answer.result {
      case .done(let format): if let format { self = .opened(format) }
      case .failed(let failure): self = .failed(failure)
      }
    case .notWanted, .wanted, .opened, .failed: break
    }
  }

  mutating func giveUp(_ device: Device, _ name: FixedText<64>) {
    guard isPending else { return }
    self = .failed(
      DeviceFailure(
        device: device, kind: .failed, subject: name, problem: "does not open, for an unknown reason",
        remedy: "unplug it and plug it in again"))
  }
}

extension RecordingService {
  /// Reopens devices that were lost, or were missing at the last opening. Unanswered openings have been reported.
  mutating func seekDevices(_ machine: borrowing Hardware, _ console: inout ConsoleSession, at now: Instant) {
    let isDue = now >= nextReopening
    if isDue {
      nextReopening = now + Limits.deviceRetryMilliseconds * 1_000_000
      capture.reopen(machine.microphone, settings.microphoneRequest)
      capture.reopen(machine.camera, settings.cameraRequest)
    }
    let hasNone = recorder.state == .failed && capture.isClosed && settings.record.arming == .atBoot && !isAsleep
    guard hasNone || isTakeOpen || recorder.state == .preparing else { return }
    tellOfNewCamera(machine.camera, &console, isDue: isDue)
    var isFound = false
    if isTakeOpen, recorder.newestTake == takeOfFoundDevice { return }
    if lacksMicrophone {
      isFound = Self.seek(machine.microphone, .open(settings.microphoneRequest), closing: .close, isDue: isDue) { _ in
        true
      }
    }
    if lacksCamera {
      let isCameraFound = Self.seek(machine.camera, .open(settings.cameraRequest), closing: .close, isDue: isDue) {
        $0 == camera.format
      }
      isFound = isFound || isCameraFound
    }
    guard isFound else { return }
    guard !isTakeOpen else {
      takeOfFoundDevice = recorder.newestTake
      return tellOf(lacksMicrophone ? .microphone : .camera, "the next take has it", &console)
    }
    arm(at: now)
    closeDevices(on: .devicesChanged, at: now)
  }

  /// Tells that a device is there that was missing, and why it is not used; `why` and `devices` say so too.
  private func tellOf(_ device: Device, _ remedy: StaticString, _ console: inout ConsoleSession) {
    let failure = DeviceFailure(
      device: device, kind: .unsupported,
      subject: device == .camera ? settings.video.deviceName : settings.audio.deviceName, problem: "is there now",
      remedy: remedy)
    console.note(failure)
    console.announce(failure.line, as: .warning)
  }

  private var lacksMicrophone: Bool { capture.microphone == .closed }

  private var lacksCamera: Bool {
    capture.camera == .closed && !capture.hasRestingCamera && settings.record.content.hasCamera && camera.format != nil
  }

  /// A camera that was not there at boot has no memory for its pictures. That it is there now is told once.
  private mutating func tellOfNewCamera<Device: SlowDevice & ~Copyable>(
    _ device: borrowing SharedDevice<Device>, _ console: inout ConsoleSession, isDue: Bool
  ) where Device: CameraDriver, Device.Outcome == VideoFormat? {
    guard !hasToldOfNewCamera, camera.format == nil, settings.record.content.hasCamera,
      settings.record.arming == .atBoot
    else { return }
    hasToldOfNewCamera = Self.seek(
      device, .open(settings.cameraRequest), closing: .close, isDue: isDue
    ) { _ in true }
    if hasToldOfNewCamera { tellOf(.camera, "restart the recorder to use it", &console) }
  }

  /// Tries to open a missing device. It is closed again when found: files begin with all devices anew.
  /// - Parameter isUsable: whether the recorder has memory for the format that the device agreed to.
  /// - Returns: whether the device was found.
  private static func seek<Device: SlowDevice & ~Copyable, Format>(
    _ device: borrowing SharedDevice<Device>, _ opening: Device.Order, closing: Device.Order, isDue: Bool,
    isUsable: (Format) -> Bool
  ) -> Bool where Device.Outcome == Format? {
    guard !device.isLent else { return false }
    if case .done(let format?)? = device.takeAnswer()?.result {
      device.lend(closing)
      return isUsable(format)
    }
    if isDue { device.lend(opening) }
    return false
  }

  /// After boot: continues the take that a crash or power cut interrupted, in a new file.
  mutating func resume(
    after interruption: TakeInterruption, _ machine: inout Hardware,
    _ console: inout ConsoleSession
  ) {
    guard !interruption.path.isEmpty else { return }
    guard settings.record.resumes, interruption.isResumable else {
      if settings.record.resumes { announceGivingUp(interruption, &console) }
      return dropInterruption()
    }
    continued = interruption.path
    continuedBeginner = interruption.beginner
    let now = machine.clock.now
    resumptionEnd = now + Limits.resumptionMilliseconds * 1_000_000
    goOn(&machine, &console, at: now)
  }

  /// Begins the continuation of an interrupted take: once all devices are there, or after a while with those that are.
  /// A USB device may be found seconds after the recorder has started. With a schedule or a
  /// trigger, that must want a take now, unless a person began it.
  mutating func goOn(_ machine: inout Hardware, _ console: inout ConsoleSession, at now: Instant) {
    let wish: ScheduleWish =
      switch continuedBeginner {
      case .person: .anything
      case .timecode: .take(.timecode(""))
      case .schedule, .trigger: scheduleWish
      }
    guard !continued.isEmpty, wish != .unknown, recorder.takesOrders, !lacksPower else { return }
    if wish == .nothing {
      console.announce(
        "take \(continued) was interrupted and is not continued: the schedule records nothing now" as FixedText<256>)
      continued.removeAll()
      return dropInterruption()
    }
    switch settings.record.arming {
    case .atBoot:
      guard recorder.state == .preparing, !lacksMicrophone && !lacksCamera || now >= resumptionEnd else { return }
    case .atPress:
      guard recorder.state == .idle else { return }
    }
    press(&machine, &console, at: now, for: wish.cause)
  }

  private func announceGivingUp(_ interruption: TakeInterruption, _ console: inout ConsoleSession) {
    console.announce(
      """
      take \(interruption.path) was interrupted and is not continued: the last \(interruption.shortResumptionCount) \
      takes were interrupted within \(TakeLimits.resumedSeconds) s; the record button begins one
      """ as FixedText<320>)
  }
}

extension Limits {
  /// How long an interrupted take waits for a device that is missing at boot before it continues without. As long as
  /// the default pre-roll, so nothing that the other devices deliver meanwhile is lost.
  static var resumptionMilliseconds: UInt64 { 5000 }
}
