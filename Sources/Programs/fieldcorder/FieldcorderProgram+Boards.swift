import CHeapMeter
import Configuration
import Encode
import LinuxBoard
import Loop
import Port
import Posix
import Rings
import Sealing
import SimBoard
import Takes
import Text
import Values

extension FieldcorderProgram {
  static func runSimulated(
    _ invocation: Invocation, _ start: StartSettings, until signals: borrowing StopSignals
  ) throws(DeviceFailure) {
    let settings = start.settings
    let boardSettings = simulatedBoard(invocation, settings)
    var memory = unsafe BootMemory(source: lockedPages)
    let machine = try SimHardware(
      boardSettings, host: SimSystem(boardSettings), consoleLine: try consoleLine(invocation, settings), in: &memory)
    let device =
      switch invocation.clock {
      case .real: newDevice()
      case .fast: NewDevice(seed: invocation.seed)
      }
    let context = context(invocation, start)
    switch invocation.clock {
    case .real:
      try run(machine, context, device, invocation, life: simulatedLife, until: signals, in: &memory)
    case .fast:
      var appliance = try Appliance(machine: machine, context: context, newDevice: device, in: &memory)
      if invocation.beginsWithPreview { appliance.loop.showPreview() }
      try SimulatedRun.run(appliance, seed: invocation.seed, until: signals)
    }
  }

  private static func newDevice() -> NewDevice {
    NewDevice(identity: .random(), nextIdentity: .random(), signingSeed: .random())
  }

  private static func simulatedBoard(_ invocation: Invocation, _ settings: Settings) -> SimBoardSettings {
    var board = SimBoardSettings()
    board.seed = invocation.seed
    board.timeMode = invocation.clock == .fast ? .virtual : .real
    board.audioFormat = AudioFormat(
      sampleRateHz: settings.audio.sampleRateHz, channelCount: settings.audio.channelCount,
      sampleFormat: settings.audio.sampleFormat ?? .int16)
    let size = simulatedSize(settings)
    board.widthPixels = size.widthPixels
    board.heightPixels = size.heightPixels
    board.frameRate = FrameRate(frames: settings.video.framesPerSecond)
    if let pixelFormat = settings.video.pixelFormat { board.pixelFormat = pixelFormat }
    board.hasHuffmanTables = settings.simulation.hasHuffmanTables
    if settings.simulation.faultPeriodSeconds > 0 {
      board.faults = FaultPlan(
        seed: invocation.seed, periodSeconds: UInt64(settings.simulation.faultPeriodSeconds))
    }
    board.wallClock = simulatedClock(invocation, settings.simulation)
    board.heat = SimHeat(
      milliCelsius: settings.simulation.celsius.map { $0 * 1000 },
      throttlingRegister: settings.simulation.throttlingBits)
    board.microphonePartsPerMillion = settings.simulation.microphonePartsPerMillion
    board.cameraPartsPerMillion = settings.simulation.cameraPartsPerMillion
    board.speakerPartsPerMillion = settings.simulation.speakerPartsPerMillion
    board.speakerFileName = settings.simulation.speakerFileName
    if let decibels = settings.simulation.echoDecibels {
      board.echo = SimEcho(milliseconds: settings.simulation.echoMilliseconds, decibels: decibels)
    }
    if case .node(let name) = settings.view.display { board.displayName = name }
    board.displayScaling = settings.view.scaling
    board.displayMounting = settings.view.mounting
    board.monitorSocket = settings.monitor.socket
    board.dataFolder = invocation.folder
    board.fallbackFolder = settings.storage.fallbackFolder
    board.identityFolder = settings.identity.copyFolder
    board.streamService = settings.stream.socketPath
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

  /// The simulated camera's size that is nearest to the requested one.
  private static func simulatedSize(_ settings: Settings) -> FrameSize {
    guard let largest = settings.simulation.largestPicture else { return settings.video.size }
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
    var memory = unsafe BootMemory(source: lockedPages)
    let machine = try LinuxHardware(
      settings: linuxBoard(invocation, settings), consoleLine: try consoleLine(invocation, settings), in: &memory)
    try run(
      machine, context(invocation, start), newDevice(), invocation, life: linuxLife, until: signals,
      in: &memory)
  }

  /// Runs on real time, on any board.
  private static func run<Machine: Hardware & ~Copyable>(
    _ machine: consuming Machine, _ context: ApplianceContext, _ device: NewDevice, _ invocation: Invocation,
    life: WorkerLife, until signals: borrowing StopSignals, in memory: inout BootMemory
  ) throws(DeviceFailure) {
    let threads = try WorkerThreads(in: &memory)
    var appliance = try Appliance(
      machine: machine, context: context, newDevice: device, doorbells: threads.doorbells, in: &memory)
    if invocation.beginsWithPreview { appliance.loop.showPreview() }
    try ThreadedRun.run(
      appliance, on: threads, life: life, settings: context.settings, until: signals, in: &memory)
  }

  private static func linuxBoard(_ invocation: Invocation, _ settings: Settings) -> LinuxBoardSettings {
    let buttons = settings.buttons
    return LinuxBoardSettings(
      dataFolder: invocation.folder,
      fallbackFolder: settings.storage.fallbackFolder, identityFolder: settings.identity.copyFolder,
      streamService: settings.stream.socketPath,
      buttonChipPath: buttons.chipName,
      buttonLineOffsets: [
        buttons.prepareOffset.map { UInt32($0) }, buttons.playOffset.map { UInt32($0) },
        buttons.stopOffset.map { UInt32($0) }, buttons.recordOffset.map { UInt32($0) },
        buttons.zoomOffset.map { UInt32($0) }, buttons.rotateOffset.map { UInt32($0) },
        settings.power.offset.map { UInt32($0) },
      ],
      buttonsAreActiveLow: buttons.isActiveLow, powerIsActiveLow: settings.power.isActiveLow,
      indicatorChipPath: settings.leds.chipName,
      recordIndicatorLineOffset: settings.leds.recordOffset.map { UInt32($0) },
      faultIndicatorLineOffset: settings.leds.faultOffset.map { UInt32($0) },
      i2cBusPath: settings.accelerometer.busName ?? "", displayName: displayName(settings.view.display),
      displayScaling: settings.view.scaling, displayMounting: settings.view.mounting,
      monitorSocket: settings.monitor.socket,
      allowsInjection: invocation.allowsInjection)
  }

  private static func displayName(_ display: Display) -> FixedText<64>? {
    let first: FixedText<64> = "/dev/dri/card0"
    return switch display {
    case .automatic: deviceExists(first) ? first : nil
    case .none: nil
    case .node(let name): name
    }
  }

  static func consoleLine(
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

private var simulatedLife: WorkerLife {
  unsafe WorkerLife { context in
    unsafe WorkerStart.live(context, on: SimHardware<SimSystem<TerminalLine>>.self)
    return nil
  }
}

private var linuxLife: WorkerLife {
  unsafe WorkerLife { context in
    unsafe WorkerStart.live(context, on: LinuxHardware.self)
    return nil
  }
}
