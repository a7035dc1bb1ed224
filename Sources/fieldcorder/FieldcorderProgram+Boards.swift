import Appliance
import Board
import CHeapMeter
import Configuration
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
    heap_meter_mark()
    switch invocation.clock {
    case .real: try ThreadedRun.run(appliance, until: signals, in: &memory)
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
    board.dataFolder = invocation.dataFolder ?? "data"
    return board
  }

  static func runLinux(
    _ invocation: Invocation, _ settings: Settings, until signals: borrowing StopSignals
  ) throws(DeviceFailure) {
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
