import Base
import Machine
import TestSupport
import Testing

@Suite("Faults")
struct FaultTests {
  private static let bytes: [UInt8] = [1, 2, 3, 4]
  private static let faulty: [Device] = [
    .buttons, .accelerometer, .microphone, .speaker, .camera, .console, .storage, .scheduler,
  ]

  @Test("a fault includes its first instant, excludes its end, and affects only its own device")
  func lasts() {
    var plan = FaultPlan()
    plan.add(Fault(.stalled, of: .camera, nanoseconds: 10..<20))
    #expect((0..<30).filter { plan.fault(of: .camera, atNanoseconds: $0) != nil } == Array(10..<20))
    #expect(plan.fault(of: .microphone, atNanoseconds: 15) == nil)
    plan.add(Fault(.absent, of: .camera, nanoseconds: 15..<25))
    #expect(plan.fault(of: .camera, atNanoseconds: 17)?.kind == .absent)
    plan.endFaults(of: .camera, atNanoseconds: 12)
    #expect((0..<30).filter { plan.fault(of: .camera, atNanoseconds: $0) != nil } == [10, 11])
    for start in 0..<UInt64(FaultPlan.capacity) {
      plan.add(Fault(.absent, of: .speaker, nanoseconds: 100 + start..<101 + start))
    }
    #expect(plan.fault(of: .camera, atNanoseconds: 11) == nil)
    #expect(plan.fault(of: .speaker, atNanoseconds: 100)?.kind == .absent)
  }

  @Test("a seed draws one fault of each device in each period, and always the same ones")
  func draws() {
    func drawn(_ seed: UInt64, _ device: Device) -> [Fault.Kind?] {
      let plan = FaultPlan(seed: seed, periodSeconds: 20)
      return (0..<2_000).map { plan.fault(of: device, atNanoseconds: $0 * 100_000_000)?.kind }
    }
    for device in Self.faulty {
      let kinds = drawn(1, device)
      #expect(kinds == drawn(1, device))
      #expect(kinds != drawn(2, device))
      for period in 0..<10 {
        let inPeriod = kinds[period * 200..<(period + 1) * 200].compactMap { $0 }
        #expect(Set(inPeriod).count <= 1 && inPeriod.count <= 101)
      }
      #expect(kinds.count { $0 != nil } > 100)
    }
    let kinds = (1...20).flatMap { drawn($0, .storage) }
    #expect(Set(kinds.compactMap { $0 }) == [.failing, .full, .tornWrites, .stalled])
    #expect(drawn(1, .view).allSatisfy { $0 == nil })
  }

  private func recorder(_ faults: Fault..., bufferMilliseconds: UInt32 = 500) throws -> SimRecorder {
    var settings = SimSettings()
    settings.widthPixels = 160
    settings.heightPixels = 120
    for fault in faults { settings.faults.add(fault) }
    return try SimRecorder(settings, bufferMilliseconds: bufferMilliseconds)
  }

  @Test("a microphone that stalls longer than its buffer holds loses the rest, reports how much, and delivers again")
  func microphoneStalls() throws {
    var recorder = try recorder(Fault(.stalled, of: .microphone, nanoseconds: 1_000_000_000..<3_000_000_000))
    try recorder.run(milliseconds: 1_000, keepsBytes: false)
    let before = recorder.sound.count / 4
    try recorder.run(milliseconds: 1_990, keepsBytes: false)
    #expect(recorder.sound.count / 4 == before && recorder.lostFrameCount == 0)
    try recorder.run(milliseconds: 1_010, keepsBytes: false)
    #expect((71_990...72_010).contains(recorder.lostFrameCount))
    #expect(recorder.sound.count / 4 + recorder.lostFrameCount == 4 * 48_000)
  }

  @Test("a reader that is always late still gets sound")
  func readerIsLate() throws {
    var recorder = try recorder(bufferMilliseconds: 100)
    for _ in 0..<20 {
      recorder.sleep(milliseconds: 105)
      try recorder.takeSound()
    }
    #expect(recorder.sound.count / 4 >= 40_000)
  }

  @Test("a camera that stalls loses the frames for which it has no buffers")
  func cameraStalls() throws {
    var recorder = try recorder(Fault(.stalled, of: .camera, nanoseconds: 1_000_000_000..<2_000_000_000))
    try recorder.run(milliseconds: 3_000, keepsBytes: false)
    let numbers = recorder.pictures.map(\.sequence)
    #expect(numbers.count == 90 - 24 && zip(numbers, numbers.dropFirst()).count { $0 + 1 != $1 } == 1)
  }

  @Test("microphone and camera that vanish fail until they are opened again", arguments: [Device.microphone, .camera])
  func vanishes(device: Device) throws {
    var recorder = try recorder(Fault(.absent, of: device, nanoseconds: 100_000_000..<200_000_000))
    try recorder.run(milliseconds: 95)
    recorder.sleep(milliseconds: 10)
    func use(_ recorder: inout SimRecorder) throws {
      if device == .camera { try recorder.takePictures() } else { try recorder.takeSound() }
    }
    func open(_ recorder: inout SimRecorder) throws {
      if device == .camera {
        _ = try recorder.board.camera.device.open(SimRecorder.cameraRequest)
      } else {
        _ = try recorder.board.microphone.device.open(SimRecorder.microphoneRequest(bufferMilliseconds: 500))
      }
    }
    let used = #expect(throws: DeviceFailure.self) { try use(&recorder) }
    let opened = #expect(throws: DeviceFailure.self) { try open(&recorder) }
    #expect(used?.kind == .absent && opened?.kind == .absent && used?.device == device)
    recorder.sleep(milliseconds: 100)
    #expect(throws: DeviceFailure.self) { try use(&recorder) }
    try open(&recorder)
    recorder.sleep(milliseconds: 50)
    try use(&recorder)
  }

  @Test("a stalled button keeps its level, and a stalled accelerometer its position")
  func stays() throws {
    let stall = UInt64(1_000_000_000)..<2_000_000_000
    let recorder = try recorder(
      Fault(.stalled, of: .buttons, nanoseconds: stall), Fault(.stalled, of: .accelerometer, nanoseconds: stall))
    var board = recorder.board
    let start = recorder.start
    board.buttons.device.inject(.stop, from: start + 900_000_000, to: start + 1_500_000_000)
    for (instant, isDown) in [(950, true), (1_600, true), (1_990, true), (2_010, false)] as [(UInt64, Bool)] {
      let pressed = try board.buttons.device.read(at: start + instant * 1_000_000)
      #expect(pressed.contains(.stop) == isDown)
    }
    board.clock.sleep(until: start + 1_000_000_000)
    let readings = try (0..<3).map { _ in try board.accelerometer.device.read() }
    #expect(readings[0] == readings[1] && readings[1] == readings[2])
    board.clock.sleep(until: start + 2_000_000_000)
    #expect(try board.accelerometer.device.read() != readings[0])
  }

  @Test("a stalled scheduler wakes when the stall is over")
  func oversleeps() throws {
    var recorder = try recorder(Fault(.stalled, of: .scheduler, nanoseconds: 10_000_000..<30_000_000))
    recorder.sleep(milliseconds: 5)
    recorder.sleep(milliseconds: 5)
    #expect(recorder.board.clock.now == recorder.start + 30_000_000)
  }

  @Test(
    "storage faults are reported as the system would report them",
    arguments: [
      (Fault.Kind.failing, DeviceFailure.Kind.failed, Int32(5)), (.full, .full, 28), (.absent, .absent, 19),
    ])
  func storageFails(kind: Fault.Kind, told: DeviceFailure.Kind, number: Int32) throws {
    let folder = try TemporaryFolder()
    var settings = SimSettings()
    settings.host.dataFolder = FixedText(folder.path)
    settings.faults.add(Fault(kind, of: .storage, nanoseconds: 1_000..<2_000))
    var memory = leakedBootMemory()
    var board = try Hardware(simulated: settings, in: &memory)
    var storage = try board.openStorage()
    var file = try storage.create("one")
    let start = board.clock.now
    board.clock.sleep(until: start + 1_000)
    let written = #expect(throws: DeviceFailure.self) { try unsafe file.write(Self.bytes.span.bytes, at: 0) }
    let made = #expect(throws: DeviceFailure.self) { _ = try storage.create("two") }
    #expect([written?.kind, made?.kind] == [told, told] && written?.systemErrorNumber == number)
    if kind == .full { #expect(try storage.freeByteCount() == 0) }
    board.clock.sleep(until: start + 2_000)
    if kind == .absent {
      // Files that were open when the card was removed stay unusable when it is back.
      #expect(throws: DeviceFailure.self) { try unsafe file.write(Self.bytes.span.bytes, at: 0) }
      #expect(throws: DeviceFailure.self) { _ = try storage.open("one") }
      _ = try folder.write(Array("01234567".utf8), as: "identity")
      try storage.reopen()
      file = try storage.open("one")
    }
    try unsafe file.write(Self.bytes.span.bytes, at: 0)
    #expect(try storage.freeByteCount() > 0 && file.byteCount == 4)
  }

  @Test("half of a torn write is stored; a stall in real time lasts as long as specified")
  func storageTears() throws {
    let folder = try TemporaryFolder()
    var settings = SimSettings()
    settings.timeMode = .real
    settings.host.dataFolder = FixedText(folder.path)
    settings.faults.add(Fault(.tornWrites, of: .storage, nanoseconds: 0..<200_000_000))
    var memory = leakedBootMemory()
    let board = try Hardware(simulated: settings, in: &memory)
    var storage = try board.openStorage()
    var file = try storage.create("one")
    let torn = #expect(throws: DeviceFailure.self) { try unsafe file.write(Self.bytes.span.bytes, at: 0) }
    #expect(torn?.kind == .failed && file.byteCount == 2)
  }
}
