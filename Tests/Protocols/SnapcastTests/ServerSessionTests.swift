import Base
import TestSupport
import Testing

@testable import Wire

@Suite struct ServerSessionTests {
  @Test("A hello is answered with settings that refer to it, then with the codec's header, then with chunks")
  func introducesItself() {
    var rig = ServerRig(bufferMilliseconds: 800)
    #expect(rig.hear().isEmpty)
    rig.say(message(5, id: 7, payload: text(debianHello)))
    #expect(rig.session.state == .introducing)
    let messages = rig.hear(at: 2_000_003_000)
    #expect(messages.count == 2)
    #expect(
      messages[0].prefix(26)
        == message(3, refersTo: 7, sent: (2, 3), payload: messages[0].dropFirst(26) + []).prefix(26))
    #expect(
      String(decoding: messages[0].dropFirst(30), as: UTF8.self)
        == #"{"bufferMs":800,"latency":0,"muted":false,"volume":100}"#)
    #expect(messages[1].number(at: 0) == UInt16(1))
    #expect(rig.session.state == .streaming)
    #expect(String(rig.session.client.hostName) == "kitchen")
  }

  @Test("A question for the time is answered with how long it took to arrive, and when the answer was sent")
  func tellsTime() {
    var rig = ServerRig()
    rig.say(message(4, id: 9, sent: (100, 999_000), payload: [UInt8](repeating: 0, count: 8)), at: 103_000_500_000)
    let messages = rig.hear(at: 103_000_700_000)
    #expect(
      messages == [
        message(4, id: 9, refersTo: 9, sent: (103, 700), payload: littleEndian(Int32(2)) + littleEndian(Int32(1500)))
      ])
  }

  @Test("A client whose clock is ahead is told a time before zero, its microseconds still counted upwards")
  func tellsTimeBeforeZero() {
    var rig = ServerRig()
    rig.say(message(4, id: 9, sent: (100, 0), payload: [UInt8](repeating: 0, count: 8)), at: 1_000_250_000_000)
    rig.say(message(4, id: 10, sent: (2000, 0), payload: [UInt8](repeating: 0, count: 8)), at: 1_000_250_000_000)
    let messages = rig.hear(at: 1_000_300_000_000)
    #expect(messages.map { $0.number(at: 26, as: Int32.self) } == [900, -1000])
    #expect(messages.map { $0.number(at: 30, as: Int32.self) } == [250_000, 250_000])
  }

  @Test("Answers to questions go before anything else that waits")
  func answersFirst() {
    var rig = ServerRig()
    rig.say(message(5, id: 1, payload: text(debianHello)) + message(4, id: 2, payload: [UInt8](repeating: 0, count: 8)))
    #expect(rig.hear().map { $0[0] } == [4, 3, 1])
  }

  @Test("Messages may arrive in pieces of any length", arguments: [1, 2, 25, 26, 27, 100])
  func takesPieces(length: Int) {
    var rig = ServerRig()
    let bytes =
      message(5, id: 1, payload: text(debianHello)) + message(7, payload: text(#"{"volume":10}"#))
      + message(4, id: 2, payload: [UInt8](repeating: 0, count: 8))
    for start in stride(from: 0, to: bytes.count, by: length) {
      rig.say(Array(bytes[start..<min(start + length, bytes.count)]))
    }
    #expect(rig.hear().map { $0[0] }.sorted() == [1, 3, 4])
    #expect(rig.session.state == .streaming)
  }

  @Test("What is a server's to say, or would control one, ends the session", arguments: [1, 2, 3, 6, 8] as [UInt16])
  func refusesControl(kind: UInt16) {
    var rig = ServerRig()
    rig.say(message(5, id: 1, payload: text(debianHello)))
    _ = rig.hear()
    rig.say(message(kind, payload: text("{}")))
    #expect(rig.session.state == .ended(.refused))
    rig.say(message(4, id: 2, payload: [UInt8](repeating: 0, count: 8)))
    #expect(rig.hear().isEmpty)
  }

  @Test("A request of the control protocol is no message")
  func refusesRequests() {
    var rig = ServerRig()
    rig.say(Array(#"{"id":1,"jsonrpc":"2.0","method":"Server.GetStatus"}"#.utf8))
    #expect(rig.session.state == .ended(.malformed))
  }

  @Test(
    "A second hello, another version, a text of another length than it says, and a message that is too long are refused"
  )
  func refusesHellos() {
    var twice = ServerRig()
    twice.say(message(5, id: 1, payload: text(debianHello)) + message(5, id: 1, payload: text(debianHello)))
    #expect(twice.session.state == .ended(.refused))
    var other = ServerRig()
    other.say(message(5, id: 1, payload: text(#"{"SnapStreamProtocolVersion":3}"#)))
    #expect(other.session.state == .ended(.otherVersion))
    var wrong = ServerRig()
    wrong.say(message(5, id: 1, payload: text(debianHello) + [0]))
    #expect(wrong.session.state == .ended(.malformed))
    var long = ServerRig()
    long.say(message(5, id: 1, payload: text(String(repeating: " ", count: 1025))).prefix(26) + [])
    #expect(long.session.state == .ended(.malformed))
  }

  @Test("Who asks for the time and does not take the answers is cut off")
  func refusesFloods() {
    var rig = ServerRig()
    for id in 1...128 { rig.say(message(4, id: UInt16(id), payload: [UInt8](repeating: 0, count: 8))) }
    #expect(rig.session.state == .awaitingHello)
    rig.say(message(4, id: 129, payload: [UInt8](repeating: 0, count: 8)))
    #expect(rig.session.state == .ended(.tooManyQuestions))
  }

  @Test("Who does not say hello in five seconds is cut off, who has is not")
  func waitsForHello() {
    var silent = ServerRig()
    silent.session.look(at: 5_000_000_000)
    #expect(silent.session.state == .awaitingHello)
    silent.session.look(at: 5_000_000_001)
    #expect(silent.session.state == .ended(.silent))
    var polite = ServerRig()
    polite.say(message(5, id: 1, payload: text(debianHello)))
    polite.session.look(at: 6_000_000_000)
    #expect(polite.session.state == .introducing)
  }

  @Test("The next client finds nothing of the one before it")
  func startsAnew() {
    var rig = ServerRig()
    rig.say(message(5, id: 1, payload: text(debianHello)) + message(4, id: 2, payload: []))
    rig.session.connect(.stereo, at: 9)
    #expect(rig.session.state == .awaitingHello && rig.session.client.hostName.isEmpty)
    #expect(rig.hear().isEmpty)
    rig.say(message(5, id: 3, payload: text(debianHello)))
    #expect(rig.hear().map { $0[0] } == [3, 1])
  }

  @Test("Random and spoilt bytes neither trap nor grow", arguments: 0..<8 as Range<UInt64>)
  func survivesNoise(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    var reached = 0
    for _ in 0..<2000 {
      var rig = ServerRig()
      var bytes =
        message(4, id: 2, payload: [UInt8](repeating: 0, count: 8)) + message(5, id: 1, payload: text(debianHello))
        + message(7, payload: text("{}"))
      for _ in 0..<Int.random(in: 0...4, using: &generator) {
        bytes[Int.random(in: 0..<bytes.count, using: &generator)] = .random(in: 0...255, using: &generator)
      }
      rig.say(bytes)
      #expect(rig.hear().count <= 3)
      if rig.session.wantsChunks { reached += 1 }
    }
    #expect(reached > 200)
  }
}
