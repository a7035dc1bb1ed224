import Base
import TestSupport
import Testing

@testable import Wire

@Suite struct ClientSessionTests {
  @Test("A client says hello and asks for the time, and takes settings, the codec's header and chunks in that order")
  func listens() {
    var rig = ClientRig()
    #expect(rig.hear()[0] == 5)
    #expect(rig.hear()[0] == 4)
    #expect(rig.hear().isEmpty)
    rig.introduce()
    #expect(rig.session.state == .streaming(.stereo))
    rig.say(
      message(
        2,
        payload: littleEndian(Int32(5)) + littleEndian(Int32(20)) + littleEndian(UInt32(8)) + [1, 2, 3, 4, 5, 6, 7, 8]))
    #expect(rig.chunks.count == 1)
    #expect(rig.chunks.first?.0 == Chunk(recorded: WireTime(seconds: 5, microseconds: 20), byteCount: 8))
    #expect(rig.chunks.first?.1 == [1, 2, 3, 4, 5, 6, 7, 8])
  }

  @Test("What is written as a chunk is read as one")
  func chunksComeBack() {
    var rig = ClientRig()
    rig.introduce()
    let chunk = Chunk(recorded: WireTime(seconds: 77, microseconds: 999_999), byteCount: 4)
    let head = written { room in
      chunk.writeHead(into: &room, sent: WireTime(seconds: 1, microseconds: 2))
      return Chunk.headByteCount
    }
    rig.say(head + [1, 2, 3, 4])
    #expect(rig.chunks.first?.0 == chunk)
  }

  @Test("A chunk is to be heard when the server's clock shows its time and the buffer's length more")
  func knowsWhen() throws {
    var rig = ClientRig()
    rig.introduce()
    // The server's clock is 40 s ahead; each way takes 1 ms.
    let question = rig.hear(at: 10_000_000_000)
    rig.say(
      message(
        4, refersTo: question.number(at: 2), sent: (50, 1000),
        payload: littleEndian(Int32(40)) + littleEndian(Int32(1000))),
      at: 10_002_000_000)
    let chunk = Chunk(recorded: WireTime(seconds: 60, microseconds: 500), byteCount: 4)
    let playing = try unwrapped(rig.session.playing(of: chunk))
    #expect(abs(playing.distance(to: 21_000_500_000)) <= 1000)
  }

  @Test("With another connection everything begins anew, and half a message of the old one is forgotten")
  func reconnects() {
    var rig = ClientRig()
    rig.introduce()
    rig.say(message(2, payload: [1, 2, 3, 4, 5, 6, 7, 8, 4, 0, 0, 0, 1, 2, 3, 4]).dropLast(3))
    rig.session.reconnect()
    #expect(rig.session.state == .connected && rig.session.clock.exchangeCount == 0)
    rig.introduce()
    #expect(rig.session.state == .streaming(.stereo) && rig.chunks.isEmpty)
  }

  @Test("An answer that answers nothing, that comes twice, or that took longer than there was, is passed over")
  func ignoresAnswers() {
    var rig = ClientRig()
    rig.introduce()
    let question = rig.hear(at: 10_000_000_000)
    let id: UInt16 = question.number(at: 2)
    let payload = littleEndian(Int32(40)) + littleEndian(Int32(1000))
    rig.say(message(4, refersTo: id + 1, sent: (50, 1000), payload: payload), at: 10_002_000_000)
    rig.say(message(4, refersTo: 0, sent: (50, 1000), payload: payload), at: 10_002_000_000)
    // It claims that both ways took 3 ms; only 2 passed.
    rig.say(message(4, refersTo: id, sent: (50, 0), payload: payload), at: 10_002_000_000)
    #expect(rig.session.clock.exchangeCount == 0)
    let next = rig.hear(at: 11_000_000_000)
    let right = message(4, refersTo: next.number(at: 2), sent: (51, 1000), payload: payload)
    rig.say(right + right, at: 11_002_000_000)
    #expect(rig.session.clock.exchangeCount == 1)
  }

  @Test("It asks in a hurry at first, and less often later")
  func asksLessLater() {
    var rig = ClientRig()
    rig.introduce()
    var now: Instant = 1_000_000_000
    var asked: [Instant] = []
    for _ in 0..<24_000 {
      let question = rig.hear(at: now)
      if !question.isEmpty {
        asked.append(now)
        let sent = (Int32(now.rawValue / 1_000_000_000), Int32(now.rawValue % 1_000_000_000 / 1000))
        rig.say(
          message(4, refersTo: question.number(at: 2), sent: sent, payload: [UInt8](repeating: 0, count: 8)), at: now)
      }
      now += 1_000_000
    }
    #expect(asked[1] - asked[0] == 5_000_000)
    #expect(asked[asked.count - 1] - asked[asked.count - 2] == 25_000_000)
    #expect(rig.session.clock.exchangeCount == asked.count)
  }

  @Test(
    "A chunk before the codec's header is passed over; one with half a frame, and a client's own words, end the session"
  )
  func refusesOrder() {
    let chunk = message(
      2, payload: littleEndian(Int32(5)) + littleEndian(Int32(20)) + littleEndian(UInt32(4)) + [1, 2, 3, 4])
    var early = ClientRig()
    _ = early.hear()
    early.say(chunk)
    #expect(early.session.state == .awaitingSettings)
    var odd = ClientRig()
    odd.introduce()
    odd.say(
      message(2, payload: littleEndian(Int32(5)) + littleEndian(Int32(20)) + littleEndian(UInt32(3)) + [1, 2, 3]))
    #expect(odd.session.state == .ended(.malformed))
    var short = ClientRig()
    short.introduce()
    short.say(
      message(2, payload: littleEndian(Int32(5)) + littleEndian(Int32(20)) + littleEndian(UInt32(8)) + [1, 2, 3, 4]))
    #expect(short.session.state == .ended(.malformed))
    var echo = ClientRig()
    echo.introduce()
    echo.say(message(5, payload: text(debianHello)))
    #expect(echo.session.state == .ended(.refused))
    #expect(early.chunks.isEmpty && odd.chunks.isEmpty && short.chunks.isEmpty)
  }

  @Test("Another codec and a server that refuses are told apart from an error")
  func namesEndings() {
    var flac = ClientRig()
    _ = flac.hear()
    flac.say(message(3, payload: text("{}")))
    flac.say(message(1, payload: text("flac") + text("fLaC")))
    #expect(flac.session.state == .ended(.otherCodec))
    var refused = ClientRig()
    refused.introduce()
    refused.say(message(8, payload: [1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]))
    #expect(refused.session.state == .ended(.unwelcome))
  }

  @Test("New settings and a new codec's header count from then on")
  func takesChanges() {
    var rig = ClientRig()
    rig.introduce()
    rig.say(message(3, payload: text(#"{"bufferMs":400,"latency":10}"#)))
    #expect(rig.session.state == .streaming(.stereo))
    #expect(rig.session.settings.delayNanoseconds == 390_000_000)
  }

  @Test("Random and spoilt bytes neither trap nor give more sound than came", arguments: 0..<8 as Range<UInt64>)
  func survivesNoise(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    var heard = 0
    var rig = ClientRig()
    for _ in 0..<500 {
      rig = ClientRig()
      rig.introduce()
      var bytes =
        message(
          2,
          payload: littleEndian(Int32(5)) + littleEndian(Int32(20)) + littleEndian(UInt32(8)) + [
            1, 2, 3, 4, 5, 6, 7, 8,
          ])
        + message(4, id: 2, refersTo: 2, payload: [UInt8](repeating: 0, count: 8))
        + message(3, payload: text(#"{"bufferMs":400}"#))
      for _ in 0..<Int.random(in: 0...4, using: &generator) {
        bytes[Int.random(in: 0..<bytes.count, using: &generator)] = .random(in: 0...255, using: &generator)
      }
      rig.say(bytes)
      #expect(rig.chunks.count <= 1)
      heard += rig.chunks.count
    }
    #expect(heard > 100)
  }
}
