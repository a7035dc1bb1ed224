import Appliance
import Board
import CHeapMeter
import Configuration
import LinuxBoard
import Media
import Posix
import Rings
import SimBoard
import Text

extension FieldcorderProgram {
  static func runSimulated(
    _ invocation: Invocation, _ settings: Settings, until signals: borrowing StopSignals
  ) throws(DeviceFailure) {
    let boardSettings = simulatedBoard(invocation, settings)
    let byteCount = SimHardware<TerminalLine>.byteCount(boardSettings) + ThreadedRun.byteCount
    var memory = try mapMemory(byteCount: byteCount)
    guard let machine = SimHardware(boardSettings, consoleLine: try consoleLine(invocation, settings), in: &memory)
    else { preconditionFailure("the simulated board's memory is planned too small") }
    let identity: DeviceIdentity =
      switch invocation.clock {
      case .real: .random()
      case .fast: DeviceIdentity(randomHigh: invocation.seed, randomLow: ~invocation.seed)
      }
    let appliance = try Appliance(
      machine: machine, context: context(invocation, settings), freshIdentity: identity, mapMemory: mapMemory)
    switch invocation.clock {
    case .real:
      try ThreadedRun.run(appliance, priority: Int32(settings.loop.priority), until: signals, in: &memory)
    case .fast: SimulatedRun.run(appliance, seed: invocation.seed, until: signals)
    }
  }

  private static func simulatedBoard(_ invocation: Invocation, _ settings: Settings) -> SimBoardSettings {
    var board = SimBoardSettings()
    board.seed = invocation.seed
    board.timeMode = invocation.clock == .fast ? .virtual : .real
    board.audioFormat = AudioFormat(
      sampleRateHz: settings.audio.sampleRateHz, channelCount: settings.audio.channelCount,
      sampleFormat: settings.audio.sampleFormat ?? .int16)
    board.widthPixels = settings.video.widthPixels
    board.heightPixels = settings.video.heightPixels
    board.frameRate = FrameRate(frames: settings.video.framesPerSecond)
    if let pixelFormat = settings.video.pixelFormat, pixelFormat != .mjpeg { board.pixelFormat = pixelFormat }
    board.microphonePartsPerMillion = settings.simulation.microphonePartsPerMillion
    board.cameraPartsPerMillion = settings.simulation.cameraPartsPerMillion
    board.speakerPartsPerMillion = settings.simulation.speakerPartsPerMillion
    board.speakerFileName = settings.simulation.speakerFileName
    if case .node(let name) = settings.view.display { board.displayName = name }
    board.displayScaling = settings.view.scaling.name
    board.dataFolder = invocation.dataFolder ?? "data"
    return board
  }

  static func runLinux(
    _ invocation: Invocation, _ settings: Settings, until signals: borrowing StopSignals
  ) throws(DeviceFailure) {
    var memory = try mapMemory(byteCount: ThreadedRun.byteCount)
    let machine = LinuxHardware(
      settings: linuxBoard(invocation, settings), consoleLine: try consoleLine(invocation, settings))
    let appliance = try Appliance(
      machine: machine, context: context(invocation, settings), freshIdentity: .random(), mapMemory: mapMemory)
    try ThreadedRun.run(appliance, priority: Int32(settings.loop.priority), until: signals, in: &memory)
  }

  private static func linuxBoard(_ invocation: Invocation, _ settings: Settings) -> LinuxBoardSettings {
    let buttons = settings.buttons
    return LinuxBoardSettings(
      dataFolder: invocation.dataFolder ?? "/var/lib/fieldcorder", buttonChipPath: buttons.chipName,
      buttonLineOffsets: [
        buttons.prepareOffset.map { UInt32($0) }, buttons.playOffset.map { UInt32($0) },
        buttons.stopOffset.map { UInt32($0) }, buttons.recordOffset.map { UInt32($0) },
        buttons.zoomOffset.map { UInt32($0) }, buttons.rotateOffset.map { UInt32($0) },
      ],
      buttonsAreActiveLow: buttons.isActiveLow, indicatorChipPath: settings.leds.chipName,
      recordIndicatorLineOffset: settings.leds.recordOffset.map { UInt32($0) },
      faultIndicatorLineOffset: settings.leds.faultOffset.map { UInt32($0) },
      i2cBusPath: settings.accelerometer.busName ?? "", displayName: displayName(settings.view.display),
      displayScaling: settings.view.scaling.name, allowsInjection: invocation.allowsInjection)
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
      StandardStreams.complain("fieldcorder: \(error.line)" as FixedText<320>)
    }
    return line
  }
}
