import Base
import Machine
import TestSupport
import Testing

@Suite("Simulated speaker")
struct SimSpeakerTests {
  @Test("it is silent until it is started, and plays what waited from the next tick of its crystal on")
  func waits() throws {
    var listener = try SimListener()
    try listener.open()
    try listener.write(48)
    listener.sleep(milliseconds: 5)
    listener.board.speaker.device.stop()
    #expect(try listener.offer(5_000) == 5_000)
    listener.sleep(milliseconds: 300)
    #expect(try listener.offer(10_000) == 4_600)
    let waiting = try listener.board.speaker.device.look()
    #expect(!waiting.isRunning && !waiting.hasRunDry && waiting.queuedFrames == 9_600 && waiting.freeFrames == 0)
    try listener.board.speaker.device.start()
    listener.sleep(milliseconds: 1)
    #expect(try listener.board.speaker.device.look().queuedFrames == 9_552)
    #expect(
      try listener.heard() == listener.frames(0..<48) + listener.silence(305 * 48 - 48) + listener.frames(48..<9_648))
  }

  @Test("it is silent until it is given frames, and plays them from the next tick of its crystal on")
  func begins() throws {
    var listener = try SimListener()
    try listener.open()
    listener.sleep(untilNanoseconds: 10_000_001)
    #expect(try listener.board.speaker.device.look().isRunning == false)
    #expect(try listener.board.speaker.device.look().freeFrames == 9600)
    #expect(try listener.write(480) == 480)
    // 10.000001 ms is just after tick 480, so the first frame is played with tick 481, and 480 frames later it is 961.
    let begun = try listener.board.speaker.device.look()
    #expect(begun.isRunning && !begun.hasRunDry)
    #expect(begun.queuedFrames == 480 && begun.freeFrames == 9120)
    #expect(begun.nextFrameInstant - listener.start == (961 * 1_000_000_000 + 47_999) / 48_000)
    listener.sleep(untilNanoseconds: 15_000_000)
    // Ticks 481…719 have passed when tick 720 comes, at 15 ms.
    #expect(try listener.board.speaker.device.look().queuedFrames == 480 - 239)
  }

  @Test("it takes as much as fits, in whole frames, and no more")
  func fills() throws {
    var listener = try SimListener()
    try listener.open(channels: 1, sampleFormat: .int24, bufferMilliseconds: 40)
    #expect(try listener.write(5000) == 1920)
    #expect(try listener.write(1) == 0)
    listener.sleep(milliseconds: 10)
    let bytes = [UInt8](repeating: 1, count: 3 * 7 + 2)
    let taken = try unsafe listener.board.speaker.device.write(bytes.span.bytes)
    #expect(taken == 7)
    #expect(try listener.board.speaker.device.look().freeFrames == 473)
  }

  @Test("an hour is an hour of its crystal, to the frame", arguments: [0, 137, -500] as [Int32])
  func keepsTime(partsPerMillion: Int32) throws {
    var listener = try SimListener(partsPerMillion: partsPerMillion, keepsFile: false)
    try listener.open(rate: 44_100, channels: 1)
    let bytes = [UInt8](repeating: 1, count: 2 * 8820)
    var dryCount = 0
    for _ in 0..<3600 * 20 {
      try listener.fill(bytes)
      listener.sleep(milliseconds: 50)
      if try listener.board.speaker.device.look().hasRunDry { dryCount += 1 }
    }
    let state = try listener.board.speaker.device.look()
    let sounded = listener.takenFrameCount - state.queuedFrames
    #expect(dryCount == 0)
    #expect(sounded == 3600 * 44_100 * (1_000_000 + Int(partsPerMillion)) / 1_000_000)
    let ticks = UInt64(44_100 * (1_000_000 + Int(partsPerMillion)))
    let (whole, rest) = ticks.dividingFullWidth(
      UInt64(listener.takenFrameCount).multipliedFullWidth(by: 1_000_000_000_000_000))
    #expect(state.nextFrameInstant - listener.start == whole + (rest > 0 ? 1 : 0))
  }

  @Test("a speaker that ran dry says so and takes nothing until it is stopped; the file shows the gap")
  func runsDry() throws {
    var listener = try SimListener()
    try listener.open()
    try listener.write(480)
    listener.sleep(untilNanoseconds: 9_999_999)
    #expect(try listener.board.speaker.device.look().isRunning)
    listener.sleep(untilNanoseconds: 10_000_000)
    let dry = try listener.board.speaker.device.look()
    #expect(dry.hasRunDry && !dry.isRunning && dry.queuedFrames == 0)
    try listener.write(100)
    #expect(try listener.board.speaker.device.look().hasRunDry && listener.takenFrameCount == 480)
    listener.board.speaker.device.stop()
    #expect(try listener.board.speaker.device.look().hasRunDry == false)
    listener.sleep(milliseconds: 15)
    try listener.write(100)
    #expect(try listener.heard() == listener.frames(0..<480) + listener.silence(720) + listener.frames(480..<580))
  }

  @Test("when stopped, it drops what has not been played, and the file continues when it plays again")
  func stops() throws {
    var listener = try SimListener()
    try listener.open(sampleFormat: .float32)
    try listener.write(960)
    listener.sleep(milliseconds: 5)
    listener.board.speaker.device.stop()
    #expect(try listener.heard() == listener.frames(0..<240))
    let still = try listener.board.speaker.device.look()
    #expect(!still.isRunning && !still.hasRunDry && still.queuedFrames == 0 && still.freeFrames == 9600)
    listener.board.speaker.device.stop()
    listener.sleep(milliseconds: 1)
    try listener.write(10)
    #expect(try listener.heard() == listener.frames(0..<240) + listener.silence(48) + listener.frames(960..<970))
  }

  @Test("when unplugged, it reports at every call that it is absent, until it is plugged in and opened again")
  func isUnplugged() throws {
    var listener = try SimListener()
    try listener.open()
    try listener.write(480)
    listener.sleep(milliseconds: 5)
    listener.begin(.absent)
    let looked = #expect(throws: DeviceFailure.self) { _ = try listener.board.speaker.device.look() }
    let written = #expect(throws: DeviceFailure.self) { try listener.write(1) }
    let opened = #expect(throws: DeviceFailure.self) { try listener.open() }
    #expect([looked?.kind, written?.kind, opened?.kind] == [.absent, .absent, .absent])
    #expect(looked?.device == .speaker)
    listener.endFault()
    #expect(throws: DeviceFailure.self) { _ = try listener.board.speaker.device.look() }
    listener.sleep(milliseconds: 5)
    try listener.open()
    #expect(try listener.board.speaker.device.look().isRunning == false)
    try listener.write(48)
    #expect(try listener.heard() == listener.frames(0..<240) + listener.silence(240) + listener.frames(480..<528))
  }

  @Test("while another program uses it, calls fail, and opening it reports that it is busy")
  func isHeld() throws {
    var listener = try SimListener()
    try listener.open()
    listener.begin(.held)
    let looked = #expect(throws: DeviceFailure.self) { _ = try listener.board.speaker.device.look() }
    let opened = #expect(throws: DeviceFailure.self) { try listener.open() }
    #expect(looked?.kind == .absent && opened?.kind == .busy)
    listener.endFault()
    try listener.open()
    #expect(try listener.write(1) == 1)
  }

  @Test("a board without one reports it until one is plugged in")
  func isAbsent() throws {
    var listener = try SimListener()
    listener.begin(.absent)
    let failure = #expect(throws: DeviceFailure.self) { try listener.open() }
    #expect(failure?.kind == .absent)
    listener.endFault()
    try listener.open()
  }

  @Test("when opened for another format, the file starts anew")
  func changesFormat() throws {
    var listener = try SimListener()
    try listener.open()
    try listener.write(48)
    listener.sleep(milliseconds: 1)
    try listener.open(channels: 1)
    try listener.write(2)
    #expect(try listener.heard() == listener.frames(48..<50))
  }

  @Test("after any writes, looks, sleeps and stops the file holds what was played when", arguments: 0..<20)
  func soundsWhatItSays(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    var listener = try SimListener()
    try listener.open(channels: 1, bufferMilliseconds: 40)
    // At 48 kHz and whole milliseconds every call coincides with a tick, so the model counts only ticks.
    var heard: [UInt8] = []
    var firstTick: Int?
    var end = 0
    for _ in 0..<400 {
      let now = Int(listener.now / 1_000_000) * 48
      switch Int.random(in: 0..<8, using: &generator) {
      case 0..<4:
        let number = listener.takenFrameCount
        let taken = try listener.write(Int.random(in: 1...600, using: &generator))
        #expect(taken <= 1920 - max(end - now, 0))
        guard taken > 0 else { continue }
        if firstTick == nil { firstTick = now }
        let start = max(end, now)
        heard += listener.silence(start - firstTick! - heard.count / 2) + listener.frames(number..<number + taken)
        end = start + taken
      case 4..<7: listener.sleep(milliseconds: UInt64.random(in: 1...12, using: &generator))
      default:
        listener.board.speaker.device.stop()
        if end > now { heard.removeLast((end - now) * 2) }
        end = min(end, now)
      }
      let later = Int(listener.now / 1_000_000) * 48
      let state = try listener.board.speaker.device.look()
      #expect(state.isRunning == (end > later) && state.queuedFrames == max(end - later, 0))
    }
    #expect(try listener.heard() == heard)
    #expect(heard.count > 20_000)
  }
}
