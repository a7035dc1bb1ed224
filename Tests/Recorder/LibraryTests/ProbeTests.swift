import TestSupport
import Testing
import Wire

@testable import Catalog

@Suite struct ProbeTests {
  private let card = FakeCard()

  @Test("A file that crashes the process is reported, the process restarted, and the file not probed again")
  func survivesCrashes() throws {
    for number in 0..<10 { card.put("music/\(number).mp3", title: "T\(number)") }
    card.files["music/3.mp3"]?.content = .fatal
    card.files["music/7.mp3"]?.content = .noSound
    var rig = try LibraryRig(card)
    rig.settleAfterNextPass()
    rig.settleAfterNextPass()
    let list = rig.list()
    #expect(list.count == 10)
    #expect(list[3] == "music/3.mp3 crashed the decoder: it is damaged")
    #expect(list[7] == "music/7.mp3 holds no sound")
    #expect(list[4] == "music/4.mp3, 1.0 s, T4")
    #expect(rig.prober.probedPaths.count == 10)
    #expect(rig.prober.startCount >= 2)

    card.put("music/3.mp3", title: "mended", modifiedNanoseconds: 9)
    rig.settleAfterNextPass()
    #expect(rig.list()[3] == "music/3.mp3, 1.0 s, mended")
  }

  @Test("A process that crashes before its first order is blamed on no file", arguments: [true, false])
  func survivesIncompleteProgram(isInStep: Bool) throws {
    for number in 0..<5 { card.put("music/\(number).mp3", title: "T\(number)") }
    var rig = try LibraryRig(card, isInStep: isInStep)
    rig.prober.isIncomplete = true
    rig.settleAfterNextPass()
    #expect(rig.list() == (0..<5).map { "music/\($0).mp3" })
    #expect(rig.prober.startCount <= 2)
    rig.prober.isIncomplete = false
    rig.settleAfterNextPass()
    #expect(rig.list() == (0..<5).map { "music/\($0).mp3, 1.0 s, T\($0)" })
  }

  @Test(
    "A process that does not answer is stopped after two seconds, and the file reported as too slow",
    arguments: [true, false])
  func endsSilence(isInStep: Bool) throws {
    card.put("music/a.mp3", title: "A")
    card.files["music/b.mp3"] = FakeCard.File(content: .endless)
    card.put("music/c.mp3", title: "C")
    var rig = try LibraryRig(card, isInStep: isInStep)
    for _ in 0..<300 where !rig.progress.coverage.isComplete {
      _ = rig.worker.step()
      rig.pass(seconds: 0.02)
    }
    #expect(
      rig.list() == ["music/a.mp3, 1.0 s, A", "music/b.mp3 could not be opened within 2 s", "music/c.mp3, 1.0 s, C"])
    #expect(rig.prober.probedPaths.count == 3)
    // In step nothing else happens meanwhile; otherwise queries must be answered.
    #expect(rig.prober.longestWaitNanoseconds == (isInStep ? 2_000_000_000 : 20_000_000))
  }

  @Test("A file that took too long is read again in the next pass: the machine may have been busy")
  func readsSlowFileAgain() throws {
    card.files["music/b.mp3"] = FakeCard.File(content: .endless)
    var rig = try LibraryRig(card)
    rig.settle()
    #expect(rig.list() == ["music/b.mp3 could not be opened within 2 s"])
    card.put("music/b.mp3", title: "B")
    rig.settleAfterNextPass()
    #expect(rig.list() == ["music/b.mp3, 1.0 s, B"])
  }

  @Test(
    "Answers without a request are ignored, and too many of them stop the process", arguments: [true, false])
  func mistrustsBabble(isInStep: Bool) throws {
    card.put("music/a.mp3", title: "A")
    card.files["music/b.mp3"] = FakeCard.File(content: .babble)
    card.put("music/c.mp3", title: "C")
    var rig = try LibraryRig(card, isInStep: isInStep)
    rig.settle()
    #expect(
      rig.list() == [
        "music/a.mp3, 1.0 s, A", "music/b.mp3 crashed the decoder: it is damaged", "music/c.mp3, 1.0 s, C",
      ])
  }

  @Test("Impossible durations are not kept", arguments: [.nan, .infinity, -1, -.infinity, 1e300] as [Double])
  func mistrustsDurations(seconds: Double) throws {
    card.put("music/a.mp3", title: "A", seconds: seconds)
    var rig = try LibraryRig(card)
    rig.settle()
    #expect(rig.list() == ["music/a.mp3, A"])
  }

  @Test("A slow process is polled, and holds nothing else up")
  func isPatient() throws {
    for number in 0..<5 { card.put("music/\(number).mp3", title: "T") }
    var rig = try LibraryRig(card, isInStep: false)
    rig.prober.patience = 50
    rig.settle()
    #expect(rig.find(.title, "t").count == 5)
    card.put("music/0.mp3", title: "U", modifiedNanoseconds: 4)
    rig.settle()
    rig.pass(seconds: 15)
    for _ in 0..<10 { _ = rig.worker.step() }
    // While it is under way:
    #expect(rig.list().count == 5)
  }

  @Test("A process that exits between two files is restarted, and no file is blamed")
  func startsAgain() throws {
    for number in 0..<30 { card.put("music/\(number).mp3", title: "T") }
    var rig = try LibraryRig(card)
    rig.prober.dyingPeriod = 4
    rig.settle()
    #expect(rig.find(.title, "t").count == 30)
    #expect(rig.prober.startCount > 5)
  }

  @Test("Without a decoder the files are listed anyway, and probed once there is one")
  func managesWithoutDecoder() throws {
    for number in 0..<5 { card.put("music/\(number).mp3", title: "T") }
    var rig = try LibraryRig(card)
    rig.prober.isMissing = true
    rig.settle()
    #expect(rig.list().count == 5)
    #expect(
      rig.progress.coverage == LibraryCoverage(indexedCount: 5, leftOutCount: 0, unreadCount: 5, isComplete: true))
    rig.prober.isMissing = false
    rig.settleAfterNextPass()
    #expect(rig.find(.title, "t").count == 5)
  }

  @Test("When nothing is left to probe, the process is stopped to free its memory")
  func restsWithoutProcess() throws {
    for number in 0..<5 { card.put("music/\(number).mp3") }
    var rig = try LibraryRig(card)
    rig.settle()
    #expect(rig.prober.startCount == 1)
    #expect(rig.prober.stopCount == 1)
  }

  @Test("A file that cannot be opened is reported as unreadable; one that has vanished is dropped")
  func tellsUnreadable() throws {
    card.put("music/a.mp3")
    card.put("music/b.mp3")
    card.brokenFiles = ["music/a.mp3"]
    var rig = try LibraryRig(card)
    _ = rig.worker.step()
    rig.settle()
    #expect(rig.list() == ["music/a.mp3 cannot be read", "music/b.mp3, 1.0 s"])
  }

  @Test("A take of sound alone is listed with its length, and no process is started to read it")
  func takesLengthOfTake() throws {
    card.put("audio/20260101/000100-0002.wav", title: "not read")
    var rig = try LibraryRig(card)
    rig.settle()
    let probedCount = rig.prober.probedPaths.count
    card.put("audio/20260101/000200-0003.wav", title: "not read")
    rig.tell(.complete(path: "audio/20260101/000200-0003.wav", soundSeconds: 3.5))
    rig.settle()
    #expect(rig.prober.probedPaths.count == probedCount)
    #expect(rig.list().last == "audio/20260101/000200-0003.wav, 3.5 s")
  }

  @Test("An answer for a file that changed while it was probed is dropped")
  func dropsOldAnswers() throws {
    card.put("music/a.mp3", title: "old")
    var rig = try LibraryRig(card, isInStep: false)
    rig.prober.patience = 20
    for _ in 0..<20 where rig.prober.probedPaths.isEmpty { _ = rig.worker.step() }
    card.put("music/a.mp3", title: "new", modifiedNanoseconds: 1)
    rig.tell(.complete(path: "music/a.mp3"))
    rig.settle()
    #expect(rig.prober.probedPaths.count == 2)
    #expect(rig.list() == ["music/a.mp3, 1.0 s, new"])
  }
}
