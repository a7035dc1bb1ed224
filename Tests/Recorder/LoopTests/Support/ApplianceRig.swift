import Base
import Configuration
import Foundation
import Machine
import Record
import TestSupport
import Testing

@testable import App

/// The whole appliance on the simulated board and a virtual clock.
final class ApplianceRig: CustomTestStringConvertible {
  static let rateHz: UInt64 = 8_000
  /// The camera's format.
  static let pictureFormat = VideoFormat(
    widthPixels: 64, heightPixels: 48, pixelFormat: .mjpeg, bytesPerRow: 0, frameRate: FrameRate(frames: 25))
  static let cameraBufferCount = 6

  let host: TestHost
  let board: SimSettings
  let settings: Settings
  var appliance: Appliance
  /// Boot memory used by the appliance.
  let usedMemoryByteCount: Int
  /// The end of the storage's stall.
  private(set) var stallEnd: Instant = 0
  private var order: StepOrder

  /// - Parameters:
  ///   - orderSeed: determines the order of the workers' steps; nil: `seed`.
  ///   - absent: devices that are missing until they are plugged in.
  ///   - adjustBoard: changes the devices, to whose formats the settings then adapt.
  ///   - workClock: the clock for the workers' timings; nil: work takes no time.
  ///   - scene: the size of the camera's pictures of a scene; nil: pictures hold only numbers.
  init(
    seed: UInt64 = 1, orderSeed: UInt64? = nil, host: TestHost = TestHost(), absent: [Device] = [],
    pixelFormat: PixelFormat = .mjpeg, scene: FrameSize? = nil, spareBufferCount: Int = 2,
    microphonePartsPerMillion: Int32 = 0, localTime: LocalTime = .offset(seconds: 0),
    wallClock: SimWallClock = SimWallClock(), memoryByteCount: Int? = nil,
    adjust: (inout Settings) -> Void = { _ in }, onBoard adjustBoard: (inout SimSettings) -> Void = { _ in },
    workClock: WorkTimes.Clock? = nil
  ) throws {
    var board = SimSettings()
    board.seed = seed
    board.audioFormat = AudioFormat(sampleRateHz: UInt32(Self.rateHz), channelCount: 1, sampleFormat: .int16)
    board.pictures = .numbers
    board.pixelFormat = pixelFormat
    board.microphonePartsPerMillion = microphonePartsPerMillion
    board.wallClock = wallClock
    board.widthPixels = Self.pictureFormat.widthPixels
    board.heightPixels = Self.pictureFormat.heightPixels
    if let scene {
      board.pictures = .scene
      (board.widthPixels, board.heightPixels) = (scene.widthPixels, scene.heightPixels)
    }
    board.frameRate = Self.pictureFormat.frameRate
    board.cameraBufferCount = Self.cameraBufferCount
    board.spareCameraBufferCount = spareBufferCount
    adjustBoard(&board)
    for device in absent { board.faults.add(Fault(.absent, of: device, nanoseconds: 0..<UInt64.max)) }
    var settings = Settings()
    settings.audio.sampleRateHz = board.audioFormat.sampleRateHz
    settings.audio.channelCount = board.audioFormat.channelCount
    settings.audio.sampleFormat = board.audioFormat.sampleFormat
    settings.video.widthPixels = board.widthPixels
    settings.video.heightPixels = board.heightPixels
    settings.video.framesPerSecond = board.frameRate.frames
    settings.record.stallSeconds = 5
    adjust(&settings)
    self.host = host
    self.board = board
    self.settings = settings
    order = StepOrder(seed: orderSeed ?? seed)
    let context = ApplianceContext(
      settings: settings, localTime: localTime, identity: DeviceIdentity(high: 0, low: 0), software: "fieldcorder test",
      language: settings.console.language ?? .english, processorCount: 1, heapAllocationCount: { 0 },
      workClock: workClock)
    var boardMemory = leakedBootMemory()
    let machine = try Hardware(board, host: host, terminal: ScriptedLine(host: host), in: &boardMemory)
    var memory = memoryByteCount.map { leakedBootMemory(byteCount: $0) } ?? leakedBootMemory()
    appliance = try Appliance(
      machine: machine, context: context, newDevice: NewDevice(seed: seed), in: &memory
    )
    usedMemoryByteCount = memory.usedByteCount
  }

  deinit { appliance.destroyWorkers() }

  private var world: SimWorld { appliance.loop.machine.simulatedWorld! }

  /// When the world began, which is its sound's first frame.
  var worldStart: Instant { world.start }

  /// Nanoseconds since the world's start.
  private var worldNanoseconds: UInt64 { now - world.start }

  /// Begins a fault now.
  func begin(_ kind: Fault.Kind, of device: Device, nanoseconds: UInt64? = nil) {
    let end = nanoseconds.map { worldNanoseconds + $0 } ?? .max
    world.faults.add(Fault(kind, of: device, nanoseconds: worldNanoseconds..<end))
  }

  /// Makes the device work from now on.
  func endFaults(of device: Device) { world.faults.endFaults(of: device, atNanoseconds: worldNanoseconds) }

  /// Sets the clock, to a correct or a wrong time.
  func setClock(_ reading: SimWallClock.Reading) { world.wallClock = SimWallClock(reading) }

  /// Sets the machine's temperature and its firmware's throttling register.
  func heat(_ celsius: Double?, throttling register: UInt32? = nil) {
    world.heat = SimHeat(milliCelsius: celsius.map { Int32(($0 * 1000).rounded()) }, throttlingRegister: register)
  }

  /// How the machine sleeps.
  var machineSleep: SimSleep {
    get { world.sleep }
    set { world.sleep = newValue }
  }

  /// Stalls the storage for this long.
  func stallStorage(nanoseconds: UInt64) {
    begin(.stalled, of: .storage, nanoseconds: nanoseconds)
    stallEnd = now + nanoseconds
  }

  /// Makes the loop's next sleep too long.
  func oversleep(milliseconds: UInt64) {
    let tick = UInt64(settings.loop.tickMilliseconds)
    begin(.stalled, of: .scheduler, nanoseconds: (tick + milliseconds) * 1_000_000)
  }

  /// Short, because a failed expectation prints it.
  var testDescription: String { "the rig" }

  var now: Instant { appliance.loop.machine.clock.now }

  var isRecordLit: Bool { levels?[.record] == true }
  var isFaultLit: Bool { levels?[.fault] == true }
  private var levels: LEDSet? { try? appliance.loop.machine.leds.readLevels() }
  var metrics: LoopMetrics { _read { yield appliance.loop.metrics } }

  /// Runs the appliance until it ends, or for this long.
  /// - Returns: false once it has ended.
  @discardableResult func run(milliseconds: UInt64) -> Bool {
    let end = now + milliseconds * 1_000_000
    while now < end {
      host.passTick()
      guard appliance.loop.tick(jumpingOver: 0) else { return false }
      appliance.stepWorkers(in: &order)
    }
    return true
  }

  /// Types these lines, and runs for this long.
  func run(_ lines: String, milliseconds: UInt64 = 100) {
    host.type(lines + "\n")
    run(milliseconds: milliseconds)
  }

  /// Types `quit` and waits for the end.
  func quit() -> Bool {
    host.type("quit\n")
    endFaults(of: .storage)
    let hasEnded = !run(milliseconds: 200_000)
    appliance.finishWork(in: &order)
    appliance.loop.sayGoodbye()
    return hasEnded
  }

  func status() throws -> [String: Any] {
    let lineCount = host.lines.count
    run("status json", milliseconds: 20)
    // The reply is read in pieces, as from a slow line.
    let isAnswered = { [host] in
      let lines = host.lines.dropFirst(lineCount)
      guard let index = lines.firstIndex(where: { $0.hasPrefix("{") }) else { return false }
      return lines[index...].contains("ok")
    }
    for _ in 0..<100 where !isAnswered() { run(milliseconds: 20) }
    let line = host.lines.last { $0.hasPrefix("{") } ?? ""
    return try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any] ?? [:]
  }

  /// Events on the console that contain `text`.
  func announcements(_ text: String) -> [String] { host.lines.filter { $0.hasPrefix("* ") && $0.contains(text) } }

  /// The paths of all takes' files, in order of creation.
  var takePaths: [String] {
    host.disk.image.names.keys.filter { $0.hasPrefix("video/") || $0.hasPrefix("audio/") }
      .sorted { $0.suffix(8) < $1.suffix(8) }
  }

  func movie(_ path: String) -> FinishedMovie? { host.disk.image[path].flatMap { FinishedMovie($0) } }
}
