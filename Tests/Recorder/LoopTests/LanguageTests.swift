import Base
import Configuration
import TestSupport
import Testing
import Wire

@testable import App

/// A session in Korean, in which only texts for people are translated.
@Suite struct LanguageTests {
  private func rig(adjust: @escaping (inout Settings) -> Void = { _ in }) throws -> ApplianceRig {
    try ApplianceRig(adjust: {
      $0.console.language = .korean
      adjust(&$0)
    })
  }

  @Test("a take is told of in Korean, with its path, and answers end as scripts know them")
  func take() throws {
    let rig = try rig()
    rig.run(milliseconds: 1_000)
    rig.run("record start", milliseconds: 2_000)
    rig.run("record stop\nrecord stop", milliseconds: 1_000)
    let path = try #require(rig.takePaths.first)
    #expect(rig.announcements("테이크 \(path) 시작").count == 1)
    #expect(rig.announcements("테이크 \(path) 완성: 3.0초, ").count == 1)
    #expect(rig.host.lines.contains("ok"))
    #expect(rig.host.lines.contains("error: 기록하는 테이크가 없습니다"))
  }

  @Test("nothing that a recorder says from its start to its end is left in English")
  func nothingInEnglish() throws {
    let rig = try rig { $0.retention.days = 7 }
    rig.run(milliseconds: 1_000)
    rig.run("help\nstatus\nclock\nidentity\nqueue\nplayer\ntone\nmetronome\nzoom\nrotate\nviewfinder\nvolume\nrate")
    rig.run("record start\nwait 1\nmark Ä\nmark\nrecord stop", milliseconds: 5_000)
    rig.run("list\nselftest\nselftest card\nsnapshot\nwait 1", milliseconds: 60_000)
    rig.run("chord Am7\nchord find x\ntuning\ncalc 1/0\ncalc 2+\npurge\nprotect x\nverify x", milliseconds: 5_000)
    rig.begin(.absent, of: .microphone)
    rig.begin(.absent, of: .camera)
    rig.heat(90)
    rig.run("press record", milliseconds: 20_000)
    #expect(rig.quit())
    let english = rig.host.lines.filter { line in
      let words = line.split(separator: " ").filter { $0.wholeMatch(of: /[a-z]{2,}[,.:]?/) != nil }
      return words.count >= 4 && !line.contains { $0 >= "가" && $0 <= "힣" }
    }
    #expect(english == [])
  }

  @Test("a full card and a lost microphone are told of in Korean, with what to do")
  func faults() throws {
    let rig = try rig()
    rig.run(milliseconds: 2_000)
    rig.run("press record", milliseconds: 2_000)
    rig.begin(.absent, of: .microphone)
    rig.run(milliseconds: 1_000)
    #expect(rig.announcements("마이크").contains { $0.contains("뽑혔습니다. 연결하세요") })
    rig.host.disk.toldFreeByteCount = 1_000
    rig.run(milliseconds: 2_000)
    #expect(rig.announcements("공간이 없습니다. 테이크를 지우거나 더 큰 카드를 쓰세요").count == 1)
    #expect(try rig.status()["state"] as? String == "failed")
  }

  @Test("JSON, the configuration and names of files are the same in each language")
  func unchanged() throws {
    var replies: [[String]] = []
    for language in [Language.english, .korean] {
      let rig = try ApplianceRig(adjust: { $0.console.language = language })
      rig.run(milliseconds: 1_000)
      let start = rig.host.lines.count
      rig.run("config\nstatus json\nversion", milliseconds: 2_000)
      replies.append(rig.host.lines.dropFirst(start).filter { !$0.hasPrefix("{") && !$0.hasPrefix("language = ") })
    }
    #expect(replies[0] == replies[1] && replies[0].contains("[console]"))
  }

  @Test("events are told again in the language, and are kept in none")
  func events() throws {
    let rig = try rig()
    rig.run(milliseconds: 1_000)
    rig.run("record start\nwait 1\nevents 2", milliseconds: 2_000)
    #expect(rig.host.lines.contains { $0.wholeMatch(of: /[0-9.]+초: 테이크 .* 시작/) != nil })
  }

  @Test("the display is told the language")
  func display() throws {
    let rig = try rig()
    rig.run(milliseconds: 1_000)
    let reader = try #require(rig.host.view.look())
    #expect(try #require(reader.status.read()).language == .korean)
  }
}
