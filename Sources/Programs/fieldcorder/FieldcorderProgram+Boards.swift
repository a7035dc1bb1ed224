import App
import Base
import CHeapMeter
import Configuration
import Machine
import Media
import Record

extension FieldcorderProgram {
  static func runSimulated(
    _ invocation: Invocation, _ start: StartSettings, until signals: borrowing StopSignals
  ) throws(DeviceFailure) {
    let settings = start.settings
    let boardSettings = simulatedBoard(invocation, settings)
    var memory = unsafe BootMemory(source: lockedPages, sparseSource: pagesAtFirstUse)
    let machine = try Hardware(
      boardSettings, host: SystemHost(boardSettings.host), terminal: try terminal(invocation, settings), in: &memory)
    let device =
      switch invocation.clock {
      case .real: newDevice()
      case .fast: NewDevice(seed: invocation.seed)
      }
    let context = context(invocation, start)
    switch invocation.clock {
    case .real:
      try run(machine, context, device, invocation, until: signals, in: &memory)
    case .fast:
      var appliance = try Appliance(machine: machine, context: context, newDevice: device, in: &memory)
      if invocation.beginsWithPreview { appliance.loop.showPreview() }
      try SimulatedRun.run(appliance, seed: invocation.seed, until: signals)
    }
  }

  private static func newDevice() -> NewDevice {
    NewDevice(identity: .random(), nextIdentity: .random(), signingSeed: .random())
  }

  private static func simulatedBoard(_ invocation: Invocation, _ settings: Settings) -> SimSettings {
    var board = SimSettings()
    board.seed = invocation.seed
    board.timeMode = invocation.clock == .fast ? .virtual : .real
    board.audioFormat = AudioFormat(
      sampleRateHz: settings.audio.sampleRateHz, channelCount: settings.audio.channelCount,
      sampleFormat: settings.audio.sampleFormat ?? .int16)
    board.sound = settings.audio.processing
    board.recordedFormat = settings.audio.sampleFormat
    let size = simulatedSize(settings)
    board.widthPixels = size.widthPixels
    board.heightPixels = size.heightPixels
    board.frameRate = FrameRate(frames: settings.video.framesPerSecond)
    if let pixelFormat = settings.video.pixelFormat { board.pixelFormat = pixelFormat }
    board.hasHuffmanTables = settings.simulation.hasHuffmanTables
    board.motionPeriodSeconds = settings.simulation.motionPeriodSeconds
    if settings.simulation.faultPeriodSeconds > 0 {
      board.faults = FaultPlan(
        seed: invocation.seed, periodSeconds: UInt64(settings.simulation.faultPeriodSeconds))
    }
    board.wallClock = simulatedClock(invocation, settings.simulation)
    board.wallClock.startUnixSeconds = Int64(settings.simulation.startSeconds)
    board.heat = SimHeat(
      milliCelsius: settings.simulation.celsius.map { $0 * 1000 },
      throttlingRegister: settings.simulation.throttlingBits)
    board.battery.chipNumber = settings.simulation.battery.number
    board.battery.volts = settings.simulation.batteryVolts
    board.battery.voltsPerHour = settings.simulation.batteryFall
    board.battery.amperes = settings.simulation.batteryAmperes
    board.microphonePartsPerMillion = settings.simulation.microphonePartsPerMillion
    board.cameraPartsPerMillion = settings.simulation.cameraPartsPerMillion
    board.speakerPartsPerMillion = settings.simulation.speakerPartsPerMillion
    board.receiver = SimReceiverKind(rawValue: settings.simulation.receiver.rawValue) ?? .none
    board.sysfsRoot = settings.simulation.sysfsFolder
    board.speakerFileName = settings.simulation.speakerFileName
    if let decibels = settings.simulation.echoDecibels {
      board.echo = SimEcho(milliseconds: settings.simulation.echoMilliseconds, decibels: decibels)
    }
    board.host = host(invocation, settings)
    board.host.decodesInStep = invocation.clock == .fast
    board.host.mayHaveEncoder = false
    if case .node(let name) = settings.view.display { board.host.displayName = name }
    return board
  }

  private static func simulatedClock(_ invocation: Invocation, _ settings: SimulationSettings) -> SimWallClock {
    let setAfter = settings.clockSetSeconds == 0 ? nil : UInt64(settings.clockSetSeconds) * 1_000_000_000
    return switch settings.clock {
    case .right: SimWallClock()
    case .epoch: SimWallClock(.epoch, setAfterNanoseconds: setAfter)
    case .stale: SimWallClock(.off(seconds: -7200), setAfterNanoseconds: setAfter)
    case .jumping: SimWallClock(seed: invocation.seed, periodSeconds: UInt64(max(settings.clockSetSeconds, 1)))
    }
  }

  /// The simulated camera's size closest to the requested one.
  private static func simulatedSize(_ settings: Settings) -> FrameSize {
    guard let largest = settings.simulation.largestPicture ?? (settings.video.isMeasured ? .p480 : nil) else {
      return settings.video.size
    }
    var choice = CameraModeChoice(settings.cameraRequest)
    for index in 0..<CameraModeChoice.presetCount {
      let size = CameraModeChoice.preset(index)
      guard size.widthPixels <= largest.size.widthPixels else { continue }
      choice.consider(CameraMode(pixelFormat: .yuv420, size: size, fastestRate: nil))
    }
    return choice.best?.size ?? largest.size
  }

  static func runLinux(
    _ invocation: Invocation, _ start: StartSettings, until signals: borrowing StopSignals
  ) throws(DeviceFailure) {
    let settings = start.settings
    var memory = unsafe BootMemory(source: lockedPages, sparseSource: pagesAtFirstUse)
    let wiring = wiring(invocation, settings)
    let machine = try Hardware(
      wiring, host: SystemHost(wiring.host), terminal: try terminal(invocation, settings), in: &memory)
    try run(
      machine, context(invocation, start), newDevice(), invocation, until: signals,
      in: &memory)
  }

  /// Runs in real time, on any board.
  private static func run(
    _ machine: consuming Hardware, _ context: ApplianceContext, _ device: NewDevice, _ invocation: Invocation,
    until signals: borrowing StopSignals, in memory: inout BootMemory
  ) throws(DeviceFailure) {
    let refusal = ThreadedRun.enterRealTime(priority: Int32(context.settings.loop.priority))
    let threads = try WorkerThreads(in: &memory)
    var appliance = try Appliance(
      machine: machine, context: context, newDevice: device, doorbells: threads.doorbells, in: &memory)
    if invocation.beginsWithPreview { appliance.loop.showPreview() }
    try ThreadedRun.run(
      appliance, on: threads, settings: context.settings, realTime: refusal, until: signals, in: &memory)
  }

  private static func host(_ invocation: Invocation, _ settings: Settings) -> HostSettings {
    var host = HostSettings()
    host.dataFolder = invocation.folder
    host.fallbackFolder = settings.storage.fallbackFolder
    switch settings.identity.copy {
    case .nowhere: break
    case .folder(let name): host.identityFolder = FixedText(name.bytes)
    case .automatic:
      // On a virtual clock the identity is derived from the seed.
      if invocation.clock == .real { host.identityFolder = userStateFolder() }
      host.sharesIdentityFolder = true
    }
    host.streamService = settings.stream.socketPath
    host.displayScaling = settings.view.scaling
    host.displayMounting = settings.view.mounting
    host.displayFont = settings.view.fontName
    host.monitorSocket = settings.monitor.socket
    host.updates = updateFolders()
    return host
  }

  private static func wiring(_ invocation: Invocation, _ settings: Settings) -> LinuxSettings {
    let buttons = settings.buttons
    var wiring = LinuxSettings(host: host(invocation, settings))
    wiring.host.displayName = displayName(settings.view.display)
    wiring.buttonChipPath = buttons.chipName
    wiring.buttonLineOffsets = [
      buttons.prepareOffset.map { UInt32($0) }, buttons.playOffset.map { UInt32($0) },
      buttons.stopOffset.map { UInt32($0) }, buttons.recordOffset.map { UInt32($0) },
      buttons.zoomOffset.map { UInt32($0) }, buttons.rotateOffset.map { UInt32($0) },
      settings.power.offset.map { UInt32($0) },
    ]
    wiring.buttonsAreActiveLow = buttons.isActiveLow
    wiring.powerIsActiveLow = settings.power.isActiveLow
    wiring.ledChipPath = settings.leds.chipName
    wiring.ledLineOffsets = settings.leds.offsets
    wiring.i2cBusPath = settings.accelerometer.busName ?? ""
    let battery = settings.power.battery
    wiring.battery.busPath = battery.busName ?? ""
    wiring.battery.shuntOhms = battery.shuntMilliohms / 1000
    wiring.battery.inputPath = battery.inputName ?? ""
    wiring.battery.divider = battery.divider
    wiring.receiver = settings.receiver.deviceName.map {
      SerialDevice(path: $0, baudRate: settings.receiver.baudRate.bitsPerSecond, device: .receiver)
    }
    wiring.sound = settings.audio.processing
    wiring.recordedFormat = settings.audio.sampleFormat
    wiring.allowsInjection = invocation.allowsInjection
    return wiring
  }

  private static func displayName(_ display: Display) -> FixedText<64>? {
    let first: FixedText<64> = "/dev/dri/card0"
    return switch display {
    case .automatic: deviceExists(first) ? first : nil
    case .none: nil
    case .node(let name): name
    }
  }

  static func terminal(
    _ invocation: Invocation, _ settings: Settings
  ) throws(DeviceFailure) -> TerminalLine {
    guard let device = invocation.consoleDevice else { return TerminalLine() }
    var line = TerminalLine(
      device: SerialDevice(path: device, baudRate: settings.console.baudRate.bitsPerSecond))
    do throws(DeviceFailure) { try line.open() } catch {
      StandardStreams.complain("fieldcorder: \(error.line)" as FixedText<320>, in: settings.language)
    }
    return line
  }
}
