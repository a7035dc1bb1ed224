import Base
import TestSupport
import Testing

@testable import Wire

@Suite struct SyncSimulationTests {
  @Test(
    "Two listeners with clocks 100 ppm apart play within 100 µs from 10 s on, at 5 ms of jitter and 1 % loss",
    arguments: Cases.some(5, of: 0..<20 as Range<UInt64>))
  func playsTogether(seed: UInt64) {
    var first = Listener(seed: seed * 2 + 1, partsPerMillion: 50, joining: 0)
    var second = Listener(seed: seed * 2 + 2, partsPerMillion: -50, joining: 0)
    #expect(Listener.worstDifference(&first, &second, from: 10, to: 50) < 100_000)
    #expect(first.silentBlockCount(from: 10) == 0 && second.silentBlockCount(from: 10) == 0)
  }

  @Test("Clocks run one way and the crystals of the cards the other, and they play together", arguments: 0..<5)
  func cardsHaveCrystals(seed: UInt64) {
    var first = Listener(seed: 400 + seed * 2, partsPerMillion: 50, cardPartsPerMillion: -50, joining: 0)
    var second = Listener(seed: 401 + seed * 2, partsPerMillion: -50, cardPartsPerMillion: 50, joining: 0)
    #expect(Listener.worstDifference(&first, &second, from: 10, to: 50) < 100_000)
  }

  @Test("Who joins later plays with the others 10 s later", arguments: 0..<5 as Range<UInt64>)
  func joinsLate(seed: UInt64) {
    var first = Listener(seed: 100 + seed * 2, partsPerMillion: 50, joining: 0)
    var second = Listener(seed: 101 + seed * 2, partsPerMillion: -50, joining: 17.5)
    #expect(Listener.worstDifference(&first, &second, from: 27.5, to: 60) < 100_000)
  }

  @Test("Who leaves and comes back plays with the others again", arguments: 0..<5 as Range<UInt64>)
  func comesBack(seed: UInt64) {
    var first = Listener(seed: 200 + seed * 2, partsPerMillion: 50, joining: 0)
    var second = Listener(seed: 201 + seed * 2, partsPerMillion: -50, joining: 0)
    #expect(Listener.worstDifference(&first, &second, from: 10, to: 20) < 100_000)
    first = Listener(seed: 200 + seed * 2, partsPerMillion: 50, joining: 0)
    second = Listener(seed: 300 + seed, partsPerMillion: -50, joining: 25)
    #expect(Listener.worstDifference(&first, &second, from: 35, to: 60) < 100_000)
  }

  @Test("A card that stands still for 80 ms loses what was to be heard then, and is in time again three seconds later")
  func cardStalls() {
    var first = Listener(seed: 7, partsPerMillion: 0, joining: 0)
    var second = Listener(seed: 8, partsPerMillion: 50, joining: 0)
    second.stallTime = 20e9
    second.stallNanoseconds = 80e6
    #expect(Listener.worstDifference(&first, &second, from: 23, to: 40) < 100_000)
  }
}

/// A listening fieldcorder, in true time: its session with a server whose clock is true, its output, and its speaker,
/// whose crystal may differ from its clock's. Ten times a second it reports what is heard, within 0.1 ms.
private struct Listener: ~Copyable {
  private static let frameNanoseconds = 1e9 / 48_000
  private static let chunkFrames = 960

  private let clock: SimulatedClock
  private let cardPartsPerMillion: Double
  private let joining: Double
  /// When the speaker stalls once, and for how long.
  var stallTime = Double.infinity
  var stallNanoseconds = 0.0
  private var rig = ClientRig()
  private var server = ServerRig()
  private var output: SyncedOutput
  private var there: SimulatedWay
  private var back: SimulatedWay
  private var noise: SeededGenerator
  private var nextChunk: Int
  /// The server's messages with their arrival times.
  private var arrivals: [(Double, [UInt8])] = []
  private var givenFrames = 0
  /// When the speaker plays the first output: at first 60 ms after it was output.
  private var beginning: Double?
  private var nextLook = 0.0
  /// When each block's first frame was heard: frame and true time. A block of silence has no frame.
  private var heard: [(frame: Double?, time: Double)] = []

  init(seed: UInt64, partsPerMillion: Double, cardPartsPerMillion: Double? = nil, joining: Double) {
    clock = SimulatedClock(startNanoseconds: 7e9 + Double(seed) * 1e8, partsPerMillion: partsPerMillion)
    self.cardPartsPerMillion = cardPartsPerMillion ?? partsPerMillion
    there = SimulatedWay(seed: seed * 2)
    back = SimulatedWay(seed: seed * 2 + 1)
    noise = SeededGenerator(seed: seed + 1_000_000)
    self.joining = joining * 1e9
    // The first chunk recorded after it has joined. No frame has the number 0.
    nextChunk = Int(joining * 50) + 1
    var memory = leakedBootMemory()
    guard let output = SyncedOutput(.stereo, in: &memory) else { fatalError("no memory") }
    self.output = output
    rig.introduce()
    server.say(message(5, id: 1, payload: text(debianHello)))
    _ = server.hear()
  }

  /// Runs up to a true time in seconds.
  mutating func run(to end: Double) {
    var time = joining
    while time < end * 1e9 {
      send(at: time)
      while let (arrival, bytes) = arrivals.first, arrival <= time {
        rig.say(bytes, at: clock.shown(at: arrival))
        arrivals.removeFirst()
      }
      for (chunk, sound) in rig.chunks { unsafe output.take(chunk, sound.span.bytes) }
      rig.chunks = []
      look(at: time)
      play(at: time)
      time += 1e6
    }
  }

  /// What the server sends now: a time reply, and the latest recorded chunk.
  private mutating func send(at time: Double) {
    let question = rig.hear(at: clock.shown(at: time))
    if !question.isEmpty {
      let arrival = there.arrival(ofSent: time)
      server.say(question, at: Instant(UInt64(arrival)))
      let answer = server.hear(at: Instant(UInt64(arrival)))[0]
      arrivals.append((back.arrival(ofSent: arrival), answer))
    }
    guard time >= Double(nextChunk + 1) * 20e6 else { return }
    let first = nextChunk * Self.chunkFrames
    let sound = (first..<first + Self.chunkFrames).flatMap { littleEndian(UInt32($0)) }
    let chunk = Chunk(recorded: WireTime(nanoseconds: Int64(nextChunk) * 20_000_000), byteCount: sound.count)
    let head = written { room in
      chunk.writeHead(into: &room, sent: WireTime(nanoseconds: Int64(time)))
      return Chunk.headByteCount
    }
    arrivals.append((back.arrival(ofSent: time), head + sound))
    nextChunk += 1
  }

  private func heardTime(ofFrame frame: Int) -> Double? {
    beginning.map { $0 + Double(frame) * Self.frameNanoseconds / (1 + cardPartsPerMillion / 1e6) }
  }

  /// The card reports when it will play the next frame it is given; a frame given too late is played later.
  private mutating func look(at time: Double) {
    if time >= stallTime, let begun = beginning {
      beginning = begun + stallNanoseconds
      stallTime = .infinity
    }
    guard let end = heardTime(ofFrame: givenFrames), let begun = beginning else { return }
    if end < time { beginning = begun + time - end }
    guard time >= nextLook else { return }
    nextLook = time + 100e6
    // The card buffers 200 ms.
    let position = max(0, givenFrames - 9_600)
    guard let instant = heardTime(ofFrame: position) else { return }
    let shown = clock.shown(at: instant + .random(in: -100_000...100_000, using: &noise))
    output.noteHeard(position: UInt64(Double(position) * Self.frameNanoseconds), at: shown)
  }

  private mutating func play(at time: Double) {
    let now = clock.shown(at: time)
    let (estimate, settings) = (rig.session.clock.estimate, rig.session.settings)
    while true {
      let block = written(4096) { output.nextBlock(into: &$0, at: now, estimate, settings) }
      guard !block.isEmpty else { return }
      if beginning == nil { beginning = time + 60e6 }
      let number: UInt32 = block.number(at: 0)
      heard.append((number > 0 ? Double(number) : nil, heardTime(ofFrame: givenFrames) ?? 0))
      givenFrames += block.count / 4
    }
  }

  /// Blocks of silence from a true time in seconds on.
  func silentBlockCount(from start: Double) -> Int { heard.count { $0.frame == nil && $0.time >= start * 1e9 } }

  /// The largest difference in nanoseconds between when the two play a frame, between two true times in seconds.
  static func worstDifference(
    _ first: inout Listener, _ second: inout Listener, from start: Double, to end: Double
  ) -> Double {
    first.run(to: end)
    second.run(to: end)
    let others = second.frames
    var worst = 0.0
    var compared = 0
    var index = 1
    for (frame, time) in first.frames where time >= start * 1e9 {
      while index < others.count, others[index].frame <= frame { index += 1 }
      guard index < others.count else { break }
      let (before, after) = (others[index - 1], others[index])
      let other = before.time + (after.time - before.time) * (frame - before.frame) / (after.frame - before.frame)
      worst = max(worst, (time - other).magnitude)
      compared += 1
    }
    return compared > Int(end - start) * 40 ? worst : .infinity
  }

  private var frames: [(frame: Double, time: Double)] {
    heard.compactMap { block in block.frame.map { ($0, block.time) } }
  }
}
