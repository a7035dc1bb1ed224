import Base
import Configuration
import Foundation
import Kit
import Machine
import Media
import TestSupport
import Testing

@testable import App

/// What people enter about takes, and the sound report, on the whole appliance.
@Suite struct SheetTests {
  private func replies(_ rig: ApplianceRig, _ lines: String, milliseconds: UInt64 = 1_000) -> [String] {
    let start = rig.host.lines.count
    rig.run(lines, milliseconds: milliseconds)
    return rig.host.lines[start...].filter { !$0.hasPrefix("* ") }
  }

  /// A take of two seconds.
  private func record(_ rig: ApplianceRig, typing lines: String = "") {
    rig.run("press record", milliseconds: 1_500)
    if !lines.isEmpty { rig.run(lines, milliseconds: 200) }
    rig.run("press record", milliseconds: 1_500)
  }

  /// What people have entered, of each file.
  private func entries(_ rig: ApplianceRig) -> [[String]] {
    rig.takePaths.map { path in
      ledgerLines(rig.host.disk.image[path] ?? []).compactMap { $0.split(separator: "Z ", maxSplits: 1).last }
        .map(String.init).filter { $0.contains(/^(project|scene|take|tape|track \d|verdict|note):/) }
    }
  }

  private func rig(_ disk: MemoryDisk = MemoryDisk(), adjust: (inout Settings) -> Void = { _ in }) throws
    -> ApplianceRig
  {
    let rig = try ApplianceRig(host: TestHost(disk: disk), adjust: adjust)
    rig.run(milliseconds: 1_000)
    return rig
  }

  @Test("the sheet is in every take, a scene's takes are counted, and a restart keeps both")
  func counts() throws {
    let disk = MemoryDisk()
    let first = try rig(disk)
    #expect(replies(first, "scene").first?.hasPrefix("the sheet is empty") == true)
    #expect(replies(first, "take 2") == ["error: takes are counted by scene: enter scene first"])
    record(first)
    #expect(disk.image["sheet"] == nil)
    let said = replies(first, "scene 12A\nproject \"The Herons\"\ntape R7\ntrack 1 boom")
    #expect(
      said.suffix(5) == [
        "project      The Herons", "scene        12A, next take 1", "tape         R7", "track 1      boom", "ok",
      ])
    record(first)
    record(first)
    let facts = ["tape: R7", "track 1: boom"]
    #expect(
      entries(first) == [
        [], ["project: The Herons", "scene: 12A", "take: 1"] + facts,
        ["project: The Herons", "scene: 12A", "take: 2"] + facts,
      ])
    #expect(first.quit())
    let next = try rig(disk)
    let status = try next.status()
    #expect(status["scene"] as? String == "12A" && status["scene_take"] as? Int == 3)
    #expect(status["project"] as? String == "The Herons" && status["tape"] as? String == "R7")
    #expect(replies(next, "scene 13").contains("scene        13, next take 1"))
    #expect(replies(next, "scene 12A").contains("scene        12A, next take 3"))
    #expect(replies(next, "take 9").contains("scene        12A, next take 9"))
    record(next)
    #expect(entries(next).last?.contains("take: 9") == true)
    #expect(replies(next, "scene").contains("scene        12A, next take 10"))
  }

  @Test("what is entered during a take is in that take, and its number belongs to the new scene")
  func entersIntoOpenTake() throws {
    let rig = try rig()
    rig.run("scene 1\ntrack 1 lav", milliseconds: 500)
    record(rig)
    record(rig, typing: "scene 2\ntrack 1\ntape R8")
    #expect(entries(rig)[1] == ["scene: 1", "take: 2", "track 1: lav", "scene: 2", "take: 1", "track 1:", "tape: R8"])
    #expect(replies(rig, "scene").prefix(2) == ["scene        2, next take 2", "tape         R8"])
    #expect(replies(rig, "scene 1").contains("scene        1, next take 2"))
    record(rig, typing: "scene \"\"")
    #expect(entries(rig)[2].suffix(2) == ["scene:", "take:"])
  }

  @Test("a line from the page does what it does on the console, in the next take and in the open one, and is announced")
  func servesListeners() throws {
    let before = ["scene \"12A\"", "project Herons", "track 1 boom", "take 4"]
    let during = ["scene 13", "note wind", "circle"]
    let (rig, console) = (try rig(), try rig())
    order(before, of: rig)
    #expect(rig.announcements("a listener enters ") == before.map { "* a listener enters \($0)" })
    #expect(replies(rig, "scene").contains("scene        12A, next take 4"))
    let page = try #require(rig.host.view.look())
    #expect(
      page.sheet.read().map { String($0) } == """
        project Herons
        tape \("")
        track 1 boom
        scene 3 12A
        verdict: none
        note: \("")
        answer: a listener enters take 4

        """)
    #expect(page.status.read()?.orderCount == 4)
    rig.run("press record", milliseconds: 1_500)
    order(during, of: rig)
    #expect(rig.announcements("is circled").count == 1)
    #expect(page.sheet.read().map { String($0) }?.contains("verdict: circled\nnote: wind\nanswer: ") == true)
    rig.run("press record", milliseconds: 1_500)
    console.run(before.joined(separator: "\n"), milliseconds: 500)
    record(console, typing: during.joined(separator: "\n"))
    #expect(entries(rig) == entries(console))
    #expect(entries(rig)[0].suffix(4) == ["scene: 13", "take: 1", "note: wind", "verdict: circled"])
    // Of a complete take it is kept beside the file; a command that waits on the console is no obstacle.
    rig.run("wait 3", milliseconds: 100)
    let path = rig.takePaths[0]
    order(["circle false"], of: rig)
    #expect(page.sheet.read().map { String($0) }?.hasSuffix("\nanswer: \(path) is called false\n") == true)
    order(["note plane"], of: rig)
    #expect(rig.announcements("\(path): plane").count == 1)
    let kept = rig.host.disk.image["remarks/0001"].map { String(decoding: $0, as: UTF8.self) }
    #expect(kept == "verdict: false take\nnote: plane\n")
    rig.run(milliseconds: 2_000)
    record(rig)
    #expect(page.sheet.read().map { String($0) }?.contains("verdict: none\nnote: \n") == true)
  }

  @Test("a line from the page that is no line of the sheet, or cannot be entered, is refused in an event")
  func refusesListeners() throws {
    let rig = try rig()
    let refused = [
      "take 3": "takes are counted by scene: enter scene first", "circle": "there is no take",
      "take 0": "error: take expects 1…99999 or nothing, not \"0\"",
      "wipe": "a listener may not do this", "press record": "a listener may not do this",
      "circle false 1": "a listener may not do this", "scene": "a listener may not do this",
      "# x": "a listener may not do this", "scenes": "error: unknown command \"scenes\": did you mean scene?",
    ]
    let page = try #require(rig.host.view.look())
    for (line, reason) in refused {
      let start = rig.host.lines.count
      order([line], of: rig)
      #expect(rig.host.lines[start...] == ["* a listener enters \(line)", "* \(reason)"])
      #expect(page.sheet.read().map { String($0) }?.hasSuffix("\nanswer: \(reason)\n") == true)
    }
    #expect(rig.takePaths.isEmpty && rig.host.disk.image["sheet"] == nil)
    // More than the monitor sends: some are dropped, and the recorder goes on.
    rig.host.view.monitorWords = (0..<40).map { .message(.order(FixedText("scene \($0)"))) }
    rig.run(milliseconds: 6_000)
    #expect(rig.announcements("a listener enters scene ").count == 16)
    #expect(rig.metrics.missedCount == 0)
  }

  /// Has the monitor pass lines on, and waits until they are carried out.
  private func order(_ lines: [String], of rig: ApplianceRig) {
    rig.host.view.monitorWords += lines.map { .message(.order(FixedText($0))) }
    rig.run(milliseconds: 600 + 200 * UInt64(lines.count))
  }

  @Test("safety tracks are named after the tracks that they are of")
  func namesSafetyTracks() throws {
    let rig = try ApplianceRig(
      adjust: { $0.audio.processing.safetyDecibels = -20 }, onBoard: { $0.sound.safetyDecibels = -20 })
    rig.run(milliseconds: 1_000)
    record(rig)
    rig.run("track 1 boom", milliseconds: 500)
    record(rig)
    #expect(entries(rig) == [["track 2: safety of 1"], ["track 1: boom", "track 2: boom safety"]])
  }

  @Test("each file of a take that is split has the sheet and the verdict, and counts as one take")
  func splits() throws {
    let rig = try rig { settings in
      settings.record.prerollSeconds = 0
      settings.record.split.seconds = 5
    }
    rig.run("scene 1", milliseconds: 500)
    rig.run("press record", milliseconds: 1_000)
    rig.run("circle", milliseconds: 5_500)
    rig.run("press record", milliseconds: 1_500)
    let all = entries(rig)
    try #require(all.count == 2)
    #expect(all[0] == ["scene: 1", "take: 1", "verdict: circled"])
    #expect(all[1] == ["scene: 1", "take: 1", "verdict: circled"])
    #expect(replies(rig, "scene").first == "scene        1, next take 2")
  }

  @Test("circle and note go into the open take; of a complete one the file stays as it is, and the report has both")
  func remarks() throws {
    let rig = try rig()
    #expect(replies(rig, "circle").last == "error: there is no take")
    record(rig, typing: "circle\nnote wind\nnote a plane")
    #expect(entries(rig)[0] == ["verdict: circled", "note: wind", "note: a plane"])
    let path = rig.takePaths[0]
    let content = rig.host.disk.image[path]
    #expect(replies(rig, "circle false") == ["\(path) is called false", "ok"])
    #expect(replies(rig, "note \"=1+1\"") == ["\(path): =1+1", "ok"])
    #expect(rig.host.disk.image[path] == content)
    let kept = rig.host.disk.image["remarks/0001"].map { String(decoding: $0, as: UTF8.self) }
    #expect(kept == "verdict: false take\nnote: =1+1\n")
    let row = try #require(replies(rig, "report csv 20260101").dropFirst().first)
    #expect(row.contains(",false take,wind; a plane; =1+1,"), "\(row)")
    #expect(replies(rig, "circle no 1") == ["\(path) is neither circled nor called false", "ok"])
    #expect(replies(rig, "note \"\"") == ["ok"])
    #expect(replies(rig, "circle 7").last == "error: there is no take 7: takes lists them")
    rig.run("delete 1", milliseconds: 500)
    rig.run("y", milliseconds: 500)
    rig.run("purge bin", milliseconds: 1_000)
    #expect(rig.host.disk.image["remarks/0001"] == nil)
  }

  @Test("a note for which a take has no room is refused, during the take and after it, and those before stay")
  func noRoomForNotes() throws {
    let rig = try rig()
    let note = String(repeating: "x", count: 80)
    record(rig, typing: Array(repeating: "note \(note)", count: 4).joined(separator: "\n"))
    let refusal = "error: the notes of a take have at most 256 bytes: note \"\" removes the added ones"
    #expect(rig.host.lines.filter { $0 == refusal }.count == 1)
    #expect(entries(rig)[0] == Array(repeating: "note: \(note)", count: 3))
    #expect(replies(rig, "note \(note)") == [refusal])
    #expect(replies(rig, "note short") == ["\(rig.takePaths[0]): short", "ok"])
    #expect(replies(rig, "note shorter") == [refusal])
    let row = try #require(replies(rig, "report csv 20260101").dropFirst().first)
    #expect(row.contains(",\(note); \(note); \(note); short,"), "\(row)")
    #expect(replies(rig, "note \"\"") == ["ok"])
  }

  @Test("a long press of stop calls the open take or the last one false, and the next one takes that back")
  func gesture() throws {
    let rig = try rig()
    rig.run("press stop 900", milliseconds: 1_500)
    #expect(rig.announcements("there is no take").count == 1)
    rig.run("press record", milliseconds: 1_000)
    rig.run("press stop 900", milliseconds: 1_500)
    #expect(rig.announcements("is called false").count == 1)
    rig.run("press record", milliseconds: 1_500)
    #expect(entries(rig) == [["verdict: false take"]])
    rig.run("press stop 900", milliseconds: 1_500)
    #expect(rig.announcements("is neither circled nor called false").count == 1)
    rig.run("press stop 900", milliseconds: 1_500)
    #expect(rig.announcements("is called false").count == 2)
    #expect(ledgerLines(rig.host.disk.image[rig.takePaths[0]] ?? []).count { $0.hasSuffix(" mark") } == 0)
  }

  @Test("the report has a row for each of the day's takes, in their order, and nothing of what it quotes is code")
  func reports() throws {
    let rig = try rig { settings in
      settings.record.content = .audio
      settings.record.audioContainer = .wav
    }
    rig.run("scene \"<b>&,12\"\ntape \"=cmd|x\"\nproject say \"hi\"\ntrack 1 boom", milliseconds: 500)
    record(rig)
    record(rig, typing: "circle\nnote ＝1+1")
    let csv = replies(rig, "report csv 2026-01-01")
    try #require(csv.count == 4 && csv.last == "ok", "\(csv)")
    #expect(
      csv[0] == "file,project,scene,take,tape,start,length,tracks,verdict,notes,format,losses,ended,part,loudness")
    let start = rig.takePaths[0] + ",\"say \"\"hi\"\"\",\"<b>&,12\",1,\"'=cmd|x\",2026-01-01T00:00:0"
    #expect(csv[1].hasPrefix(start), "\(csv[1])")
    #expect(csv[1].hasSuffix(",1 boom,,,\"8000 Hz, 16 bit, 1 channel\",0,stopped,,"), "\(csv[1])")
    #expect(csv[2].contains(",2,\"'=cmd|x\",") && csv[2].contains(",circled,\"'＝1+1\","))
    let html = replies(rig, "report html 2026-01-01").joined(separator: "\n")
    #expect(html.hasPrefix("<!DOCTYPE html>") && html.hasSuffix("</table></body></html>\nok"))
    #expect(html.contains("<td>&lt;b&gt;&amp;,12</td>") && html.contains("<td>say &quot;hi&quot;</td>"))
    #expect(html.matches(of: /<tr>/).count == 3 && !html.contains("<b>"))
    #expect(replies(rig, "report csv 2026-01-02").count == 2)
    #expect(replies(rig, "report csv").count == 4)
  }

  @Test("a report of a movie has the formats of sound and pictures")
  func reportsMovies() throws {
    let rig = try rig()
    record(rig)
    let row = replies(rig, "report csv")[1]
    #expect(row.contains("\"8000 Hz, 16 bit, 1 channel; jpeg, 64 x 48\""), "\(row)")
    #expect(row.contains(",0:00:0") && row.contains(",1 mono,"))
  }

  @Test("a damaged sheet is set aside and told, and what can be read of it is used")
  func damaged() throws {
    let disk = MemoryDisk()
    var storage = Storage(MemoryStorage(disk))
    try unsafe storage.replace("sheet", with: Array("project A\ntape R7\ntrack 9 x\nscene 4 12A\n".utf8).span.bytes)
    let rig = try rig(disk)
    #expect(rig.announcements("could not be read as text").count == 1)
    #expect(replies(rig, "scene").contains("scene        12A, next take 5"))
    #expect(disk.image.names.keys.contains { $0 == "sheet.damaged-1" })
  }

  @Test("takes are counted on beyond the largest number that can be entered")
  func countsOn() {
    var sheet = TakeSheet()
    sheet.setScene("12A", isTakeOpen: false)
    sheet.setTake(99_999, isTakeOpen: false)
    sheet.countTake()
    sheet.countTake()
    var read = TakeSheet()
    let text = sheet.text
    let isWhole = read.read(text.bytes)
    #expect(isWhole && read.takeNumber(isTakeOpen: true) == 100_000)
  }

  @Test("the text of a sheet is read back as it was, with the takes of the newest scenes")
  func text() throws {
    var sheet = TakeSheet()
    for number in 1...14 {
      sheet.setScene("scene \(number)", isTakeOpen: false)
      for _ in 0..<number { sheet.countTake() }
    }
    sheet.setTrack(8, to: "a b")
    var read = TakeSheet()
    let text = sheet.text
    let isWhole = read.read(text.bytes)
    let textAgain = read.text
    #expect(isWhole && textAgain == text && !text.isTruncated)
    read.setScene("scene 3", isTakeOpen: false)
    #expect(read.takeNumber(isTakeOpen: false) == 4)
    read.setScene("scene 2", isTakeOpen: false)
    #expect(read.takeNumber(isTakeOpen: false) == 1)
    for damage in ["scene x 1\n", "track 0 a\n", "tape \(String(repeating: "x", count: 65))\n", "nonsense\n"] {
      var damaged = TakeSheet()
      let text = FixedText<256>(damage)
      let isWhole = damaged.read(text.bytes)
      #expect(!isWhole, "\(damage)")
    }
  }
}
