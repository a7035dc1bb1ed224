import Base
import Machine
import Console
import Kit
import TestSupport
import Testing
import Wire

@testable import App
@testable import Record

/// `practice`, alone and on the whole appliance.
@Suite struct PracticeTests {
  /// The service alone; the test plays the part of the listening worker.
  private struct Lone: ~Copyable {
    var console: ServiceConsole
    var service: PracticeService
    var worker: JobWorkerEnd<ChordRequest, ChordReply>
    let format = AudioFormat(sampleRateHz: 48_000, channelCount: 1, sampleFormat: .int16)
    /// Milliseconds since the start.
    var now: UInt64 = 0

    init() throws {
      var memory = leakedBootMemory()
      var storage = Storage(MemoryStorage(MemoryDisk()))
      let file = try unwrapped(KeptText(path: "practice", in: &memory))
      let chords = try unwrapped(
        JobChannel<ChordRequest, ChordReply>(requestCapacity: 1, answerCapacity: 1, in: &memory))
      console = try ServiceConsole()
      service = PracticeService(KeptPractice(file, in: &storage), Job(chords.client))
      worker = chords.worker
    }

    mutating func type(_ line: String) throws {
      guard case .practice(let command) = try console.type(line) else { throw NothingThere() }
      _ = service.run(command, .standard, nil, &console.session)
    }

    mutating func answer(_ heard: HeardChord) {
      // No command waits for this particular answer.
      let isTaken = worker.answers.push(Ticketed(ticket: 0, value: .heard(heard)))
      #expect(isTaken)
    }

    /// Lets time pass.
    /// - Returns: the service's requests to others, and when they came.
    mutating func run(milliseconds: UInt64) -> [String] {
      var effects: [String] = []
      for _ in 0..<milliseconds / 5 {
        now += 5
        console.session.now = Instant(now * 1_000_000)
        switch service.tick(format, &console.session) {
        case .strum(let shape, _): effects.append("\(now) strum \(String(shape.text))")
        case .countIn(let rhythm): effects.append("\(now) count \(rhythm.map { String($0.beatsPerMinute) } ?? "off")")
        default: break
        }
      }
      return effects
    }
  }

  @Test("a chord sounds, four beats are counted in and no fifth, then a bar is heard, and said what was wrong")
  func runsARound() throws {
    var lone = try Lone()
    try lone.type("practice 120")
    let effects = lone.run(milliseconds: 6_500)
    let start = try #require(effects.first.flatMap { UInt64($0.split(separator: " ")[0]) })
    // Four beats of half a second; the clicks end between the fourth and the fifth.
    #expect(
      effects == ["\(start) strum 022000", "\(start + 2_000) count 120.0", "\(start + 3_750) count off"])
    let request = try unwrapped(lone.worker.requests.pop()).value
    #expect(request.notes == ChordName(root: NoteName(letter: 2), kind: .minor).pitchClasses)
    #expect(abs(request.seconds - 2.1) < 0.02)
    var heard = HeardChord()
    heard.missing.insert(PitchClass(7))
    heard.foreign.insert(PitchClass(8))
    lone.answer(heard)
    _ = lone.run(milliseconds: 10)
    let said = lone.console.said()
    #expect(said.first == "play Em: new" && said.contains("frets 022000, fingers 012000"))
    #expect(said.last == "Em: not right: G is missing, Ab does not belong")
    // The next one, which is right; the button moves on.
    let served = lone.service.serve(.short(pressedAt: 0), of: .play, &lone.console.session)
    #expect(served != nil)
    _ = lone.run(milliseconds: 6_500)
    _ = try unwrapped(lone.worker.requests.pop())
    lone.answer(HeardChord())
    _ = lone.run(milliseconds: 10)
    let last = lone.console.said().last
    #expect(last?.hasSuffix("E: right") == true)
  }

  @Test("an answer that comes after practice has ended is passed over, and none is asked for meanwhile")
  func passesALateAnswerOver() throws {
    var lone = try Lone()
    try lone.type("practice 200")
    _ = lone.run(milliseconds: 6_000)
    _ = try unwrapped(lone.worker.requests.pop())
    let served = lone.service.serve(.short(pressedAt: 0), of: .stop, &lone.console.session)
    let surroundings = ApplicationSurroundings(microphone: lone.format, speakerRefusal: nil, unixNanoseconds: 0)
    let shown = lone.service.screen(surroundings, lone.console.session)
    #expect(served != nil && shown == nil)
    _ = lone.console.said()
    lone.console.session.pending = nil
    try lone.type("practice")
    _ = lone.run(milliseconds: 6_000)
    // The worker is still busy with the first one.
    let tooSoon = lone.worker.requests.pop()
    #expect(tooSoon == nil)
    lone.answer(HeardChord())
    _ = lone.run(milliseconds: 10)
    _ = try unwrapped(lone.worker.requests.pop())
    let said = lone.console.said()
    #expect(!said.contains("Em: right"))
  }

  /// The lines of the reply to the last command.
  private func reply(_ rig: ApplianceRig, to line: String, milliseconds: UInt64 = 400) -> [String] {
    let count = rig.host.lines.count
    rig.run(line, milliseconds: milliseconds)
    return rig.host.lines.dropFirst(count).filter { !$0.hasPrefix("* ") }
  }

  private static let question = [
    "no chord was heard", "was it right? Say practice yes or practice no, or press play or stop",
  ]

  @Test("what was not heard the player answers; it is on the card when the command is, and the next start knows it")
  func keeps() throws {
    let disk = MemoryDisk()
    let rig = try ApplianceRig(host: TestHost(disk: disk))
    rig.run(milliseconds: 3_000)
    #expect(reply(rig, to: "practice yes") == ["error: nothing is asked: practice asks for a chord"])
    let asked = reply(rig, to: "practice 200", milliseconds: 6_500)
    #expect(asked.first == "play Em: new" && asked.suffix(3) == Self.question + ["ok"], "\(asked)")
    #expect(reply(rig, to: "practice yes") == ["Em: right", "ok"])
    #expect(
      disk.image["practice"].map { String(decoding: $0, as: UTF8.self) }
        == "practice 1\ntempo 200\nanswers 1 Em\nEm 1 1 1 4\nend\n")
    let next = try ApplianceRig(host: TestHost(disk: disk))
    let progress = reply(next, to: "practice progress")
    #expect(progress.count == 10 && progress.allSatisfy { $0.count < 80 })
    #expect(progress.contains { $0.contains("Em   1/1 +") })
    #expect(progress.suffix(2) == ["0 of 28 learned, at 200 a minute", "ok"])
    #expect(reply(next, to: "practice reset").first?.hasPrefix("delete the results of 1 chord? type y") == true)
    #expect(reply(next, to: "practice reset") == ["ok"])
    #expect(
      disk.image["practice"].map { String(decoding: $0, as: UTF8.self) } == "practice 1\ntempo 200\nanswers 0\nend\n")
  }

  @Test("a damaged file is told and kept under another name, as often as it happens")
  func setsAside() throws {
    let disk = MemoryDisk()
    for number in 1...2 {
      let damaged = Array("practice 1\ntempo 80\nanswers \(number)\0 Em\nend\n".utf8)
      var storage = Storage(MemoryStorage(disk))
      try unsafe storage.replace("practice", with: damaged.span.bytes)
      let rig = try ApplianceRig(host: TestHost(disk: disk))
      rig.run(milliseconds: 100)
      #expect(
        rig.announcements("practice") == [
          "* line 3 of the file practice is damaged: it is now practice.damaged-\(number), and practice starts over"
        ])
      #expect(disk.image["practice.damaged-\(number)"] == damaged && disk.image["practice"] == nil)
    }
  }

  @Test("a card that refuses is told, and practice goes on")
  func isRefused() throws {
    let rig = try ApplianceRig()
    rig.run(milliseconds: 3_000)
    rig.host.disk.fails = { $0 == .replace }
    #expect(reply(rig, to: "practice 200", milliseconds: 6_500).last == "ok")
    #expect(reply(rig, to: "practice no") == ["Em: not right", "ok"])
    #expect(rig.host.lines.contains { $0.hasPrefix("* ") && $0.contains("practice") })
    #expect(reply(rig, to: "practice progress").contains { $0.contains("Em   0/1 -") })
  }

  @Test("the buttons answer, ask for the next chord and end it; the display shows the chord and how it went")
  func buttons() throws {
    let host = TestHost()
    host.view.isWanted = true
    let rig = try ApplianceRig(host: host) { $0.speaker.deviceName = "hw:0" }
    rig.run(milliseconds: 3_000)
    let reader = try #require(host.view.look())
    func shown() throws -> String? {
      guard case .chord(let chord) = try #require(reader.status.read()).application else { return nil }
      return String(chord.name)
    }
    rig.run("practice 200", milliseconds: 3_000)
    #expect(try shown() == "Em")
    rig.run(milliseconds: 3_500)
    #expect(try shown() == "Em ?")
    rig.run("press play", milliseconds: 600)
    #expect(try shown() == "Em ○" && rig.announcements("Em: right").count == 1)
    rig.run("press play", milliseconds: 6_500)
    #expect(rig.announcements("play E, 022100: new").count == 1)
    #expect(try shown() == "E ?")
    rig.run("press stop", milliseconds: 600)
    #expect(try shown() == "E ×" && rig.announcements("E: not right").count == 1)
    rig.run("press stop", milliseconds: 600)
    #expect(try shown() == nil)
    // Afterwards the buttons are the player's again.
    rig.run("press play", milliseconds: 300)
    #expect(rig.announcements("there is no complete take").count == 1)
  }

  @Test("record records while something is practised, and the take is whole")
  func losesNothing() throws {
    let rig = try ApplianceRig { $0.speaker.deviceName = "hw:0" }
    rig.run(milliseconds: 3_000)
    rig.run("practice 60", milliseconds: 2_500)
    rig.appliance.loop.machine.buttons.device.inject(.record, from: rig.now, to: rig.now + 80_000_000)
    rig.run(milliseconds: 9_000)
    rig.run("practice yes\npractice 200", milliseconds: 6_500)
    rig.run("record stop", milliseconds: 3_000)
    let path = try #require(rig.takePaths.first)
    try TakeAudit(rig, faults: [:], "practice").expectRight(try #require(rig.movie(path)), path)
  }

  @Test("on a terminal chord follows chord until a key is pressed, and the beats are drawn")
  func goesOnOnTerminal() throws {
    let host = TestHost()
    host.isTerminal = true
    let rig = try ApplianceRig(host: host)
    rig.run(milliseconds: 3_000)
    let before = host.said.count
    host.type("practice 200\r")
    rig.run(milliseconds: 3_600)
    let drawn = { String(decoding: host.said[before...], as: UTF8.self) }
    #expect(drawn().contains("\r\u{1B}[K1 2 3 4 ♪\r\n"), "\(drawn())")
    rig.run(milliseconds: 3_000)
    #expect(drawn().contains(Self.question[1]))
    host.type("practice no\r")
    rig.run(milliseconds: 4_000)
    #expect(drawn().contains("Em: not right") && drawn().contains("play E: new"))
    host.type("q")
    rig.run(milliseconds: 300)
    host.type("version\r")
    rig.run(milliseconds: 300)
    #expect(drawn().contains("fieldcorder test"))
  }

  @Test("without a microphone the player is asked")
  func needsNoMicrophone() throws {
    let rig = try ApplianceRig { $0.record.arming = .atPress }
    let asked = reply(rig, to: "practice 200", milliseconds: 6_500)
    #expect(asked.suffix(3) == ["the microphone is not open", Self.question[1], "ok"], "\(asked)")
  }
}
