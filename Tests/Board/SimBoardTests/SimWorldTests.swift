import Base
import Machine
import Record
import TestSupport
import Testing

@Suite("Simulated world")
struct SimWorldTests {
  @Test(
    "a flash and a click come at the same instant of the world, however fast each crystal runs",
    arguments: [(0, 0), (200, -200), (-1000, 1000)] as [(Int32, Int32)])
  func flashAndClick(microphonePartsPerMillion: Int32, cameraPartsPerMillion: Int32) throws {
    var settings = SimSettings()
    settings.microphonePartsPerMillion = microphonePartsPerMillion
    settings.cameraPartsPerMillion = cameraPartsPerMillion
    settings.audioFormat.sampleFormat = .float32
    settings.widthPixels = 160
    settings.heightPixels = 120
    var recorder = try SimRecorder(settings)
    try recorder.run(milliseconds: 20_100)
    let flashes = zip(recorder.pictures, recorder.lumaPictures).filter { FlashDetector.isFlashing($1) }
      .map { Double($0.0.exposedAt - recorder.start) / 1e9 }
    let samples = unsafe recorder.sound.withUnsafeBytes { unsafe Array($0.assumingMemoryBound(to: Float.self)) }
    let rate = 48_000 * (1 + Double(microphonePartsPerMillion) / 1e6)
    let clicks = ClickDetector.onsets(samples, channelCount: 2).map { Double($0) / rate }
    #expect(flashes.count == 21)
    #expect(clicks.count == 21)
    for (second, (flash, click)) in zip(flashes, clicks).enumerated() {
      #expect((0..<1.0 / 29.9).contains(flash - Double(second)))
      #expect((-1e-9..<1.1 / 48_000).contains(click - Double(second)))
    }
    if cameraPartsPerMillion == 0 { #expect(flashes == clicks) }
  }

  @Test("crystals that run fast deliver proportionally more frames and samples")
  func crystals() throws {
    var settings = SimSettings()
    settings.widthPixels = 160
    settings.heightPixels = 120
    settings.microphonePartsPerMillion = 200
    settings.cameraPartsPerMillion = 1000
    var recorder = try SimRecorder(settings)
    try recorder.run(milliseconds: 100_005, keepsBytes: false)
    #expect(recorder.sound.count / 4 == 4_800_000 + 960 + 240)
    #expect(recorder.pictures.count == 3_004)
  }

  /// Everything observable during some seconds on the board.
  private struct Trace: Equatable {
    var unixSeconds: [Int64] = []
    var buttons: [ButtonSet] = []
    var accelerations: [Acceleration] = []
    var sound: [UInt8] = []
    var pictures: [SimRecorder.Picture] = []
  }

  private func trace(seed: UInt64) throws -> Trace {
    var settings = SimSettings()
    settings.seed = seed
    settings.widthPixels = 160
    settings.heightPixels = 120
    var recorder = try SimRecorder(settings)
    let pressed = recorder.start + 1_000_000_000
    recorder.board.buttons.device.inject(.record, from: pressed, to: pressed + 80_000_000)
    var trace = Trace()
    for _ in 0..<1_000 {
      try recorder.run(milliseconds: 5)
      let now = recorder.board.clock.now
      trace.unixSeconds.append(recorder.board.clock.unixSeconds)
      trace.buttons.append(try recorder.board.buttons.device.read(at: now))
      trace.accelerations.append(try recorder.board.accelerometer.device.read())
    }
    trace.sound = recorder.sound
    trace.pictures = recorder.pictures
    return trace
  }

  @Test("the same seed gives the same bytes, another seed others")
  func deterministic() throws {
    let first = try trace(seed: 1)
    #expect(try trace(seed: 1) == first)
    let other = try trace(seed: 2)
    #expect(other.sound != first.sound)
    #expect(other.accelerations != first.accelerations)
    #expect(first.sound.count == 5 * 48_000 * 4)
    #expect(first.pictures.count == 150)
    #expect(first.unixSeconds.first == 1_767_225_600)
    #expect(first.unixSeconds.last == 1_767_225_605)
  }

  @Test("a virtual clock starts at the date of the settings, and goes on from there")
  func startDate() throws {
    var settings = SimSettings()
    settings.wallClock.startUnixSeconds = 1_774_745_999
    var recorder = try SimRecorder(settings)
    #expect(recorder.board.clock.unixSeconds == 1_774_745_999)
    try recorder.run(milliseconds: 1_000)
    #expect(recorder.board.clock.unixSeconds == 1_774_746_000)
  }

  @Test("on the real clock the devices keep pace with it")
  func realTime() throws {
    var settings = SimSettings()
    settings.timeMode = .real
    var recorder = try SimRecorder(settings)
    let began = ContinuousClock.now
    try recorder.run(milliseconds: 400)
    let elapsed = ContinuousClock.now - began
    #expect(elapsed >= .milliseconds(400))
    // A busy machine may delay the loop and lose pictures, so the next picture's number counts them.
    while try #require(recorder.pictures.last).sequence < 11 { try recorder.run(milliseconds: 5) }
    let now = recorder.board.clock.now
    let seconds = Double(now - recorder.start) / 1e9
    let first = try #require(recorder.pictures.first)
    #expect(first.sequence == 0 && first.exposedAt >= recorder.start)
    for picture in recorder.pictures {
      let exposed = first.exposedAt + UInt64(picture.sequence) * 1_000_000_000 / 30
      #expect((exposed...exposed + 1).contains(picture.exposedAt) && picture.exposedAt <= now)
    }
    #expect(recorder.sound.count / 4 <= Int(seconds * 48_000))
    #expect(recorder.sound.count / 4 + recorder.lostFrameCount >= 19_000)
    #expect(recorder.soundEnd <= now)
  }

  @Test("on the real clock it is set by hand where no time server keeps the machine's, and refuses otherwise")
  func setByHand() throws {
    let world = try Self.world(.real)
    let clock = SimClock(world: world)
    let isKept = MonotonicClock().source == .synchronised
    var service = SimTimeService(world: world)
    let isSet = try service.set(unixSeconds: 1_900_000_000) == .done
    #expect(isSet != isKept && clock.source == MonotonicClock().source)
    #expect((0...60).contains(clock.unixSeconds - (isKept ? MonotonicClock().unixSeconds : 1_900_000_000)))
  }

  private static func world(_ mode: SimTimeMode = .virtual) throws -> SimWorld {
    var memory = leakedBootMemory()
    return try unwrapped(SimWorld(mode, in: &memory))
  }

  @Test("a press from the console bounces at both edges, and is one press to the recognizer", arguments: UInt64(0)..<50)
  func bounce(seed: UInt64) throws {
    var buttons = SimButtons(seed: seed, world: try Self.world())
    var recognizer = GestureRecognizer()
    buttons.inject(.zoom, from: 1_000_000_000, to: 1_080_000_000)
    var gestures: [Gesture] = []
    var changes: [Instant] = []
    var isDown = false
    for time in stride(from: Instant(990_000_000), to: 1_200_000_000, by: 250_000) {
      let pressed = try buttons.read(at: time)
      #expect(pressed == ButtonSet() || pressed == ButtonSet(bits: 1 << Button.zoom.rawValue))
      if pressed.contains(.zoom) != isDown { changes.append(time) }
      isDown = pressed.contains(.zoom)
      if let gesture = recognizer.step(isDown: isDown, at: time) { gestures.append(gesture) }
    }
    #expect(changes.first == 1_000_000_000)
    let isAtAnEdge = changes.allSatisfy { change in
      (1_000_000_000...1_010_000_000).contains(change) || (1_080_000_000...1_090_000_000).contains(change)
    }
    #expect(isAtAnEdge)
    #expect(changes.count >= 2 && changes.count % 2 == 0)
    #expect(gestures.count == 2)
    guard case .short = gestures.last else {
      Issue.record("\(gestures) instead of a short press")
      return
    }
  }

  @Test("most presses do bounce")
  func bounces() throws {
    var bounced = 0
    for seed in UInt64(0)..<50 {
      var buttons = SimButtons(seed: seed, world: try Self.world())
      buttons.inject(.stop, from: 1, to: 80_000_001)
      var sawUp = false
      for time in stride(from: Instant(1), to: 80_000_000, by: 250_000) {
        if try buttons.read(at: time) == ButtonSet() { sawUp = true }
      }
      if sawUp { bounced += 1 }
    }
    #expect(bounced >= 35)
  }

  @Test("the accelerometer shows the injected position with a little noise, and the tracker finds it")
  func accelerometer() throws {
    var accelerometer = SimAccelerometer(seed: 3, world: try Self.world())
    var tracker = OrientationTracker()
    accelerometer.inject(Position.portrait.acceleration)
    var readings = Set<Int32>()
    for step in UInt64(0)..<100 {
      let reading = try accelerometer.read()
      #expect(abs(reading.xMilliGravity + 1000) <= 16 && abs(reading.yMilliGravity) <= 16)
      readings.insert(reading.zMilliGravity)
      _ = tracker.step(reading, at: Instant(step * 50_000_000))
    }
    #expect(readings.count > 10)
    #expect(tracker.orientation == .portrait)
    let world = try Self.world()
    world.faults.add(Fault(.absent, of: .accelerometer, nanoseconds: 0..<1))
    var absent = SimAccelerometer(seed: 3, world: world)
    let failure = #expect(throws: DeviceFailure.self) { _ = try absent.open() }
    #expect(failure?.kind == .absent)
  }

  @Test("the LEDs show the last setting")
  func leds() throws {
    var leds = SimLEDs()
    var lit = LEDSet()
    lit[.record] = true
    try leds.show(lit)
    #expect(leds.lit[.record] && !leds.lit[.fault])
  }
}
