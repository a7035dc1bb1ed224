import Base
import Machine
import TestSupport
import Testing

@testable import App

/// Pictures on the console, and events while they are drawn.
@Suite struct PreviewTests {
  /// At 115,200 baud 57 bytes are sent in a tick of 5 ms; a pipe accepts as much as its reader takes, or everything.
  private static let speeds = [57, 3_000, nil]

  private func makeRig(_ speed: Int?, seed: UInt64, isTerminal: Bool = false) throws -> ApplianceRig {
    let host = TestHost()
    host.isTerminal = isTerminal
    host.lineBytesPerTick = speed
    let rig = try ApplianceRig(seed: seed, host: host, pixelFormat: .yuv420)
    rig.appliance.prepareWorkers()
    rig.run(milliseconds: 1_000)
    return rig
  }

  /// Prints events now and then, in addition to the appliance's own.
  private func disturb(_ rig: ApplianceRig, seconds: Int, using generator: inout SeededGenerator) -> [String] {
    var told: [String] = []
    for _ in 0..<20 * seconds {
      rig.run(milliseconds: 50)
      guard Int.random(in: 0..<10, using: &generator) == 0 else { continue }
      told.append("* disturbed \(Int.random(in: 0..<1_000_000, using: &generator))")
      rig.appliance.loop.services.console.announce(FixedText(String(told[told.count - 1].dropFirst(2))))
    }
    return told
  }

  @Test(
    "at any speed of the line, consecutive previews lose no event and are complete",
    arguments: speeds, Cases.some(1, of: 1...3 as ClosedRange<UInt64>))
  func losesNothing(speed: Int?, seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let rig = try makeRig(speed, seed: seed)
    var pictureCount = 0
    rig.host.type("record start\n")
    for _ in 0..<4 {
      let count = Int.random(in: 1...3, using: &generator)
      pictureCount += count
      rig.host.type("press rotate\n" + String(repeating: "preview\n", count: count) + "wait 1\n")
    }
    rig.host.type("record stop\npreview\n")
    let told = disturb(rig, seconds: 80, using: &generator)
    rig.run(milliseconds: 100)
    let isReported = rig.announcements("disturbed") == told
    #expect(isReported)
    #expect(rig.announcements("rotation").count == 4)
    #expect(rig.announcements(" is complete").count == 1)
    #expect(rig.announcements("lost").isEmpty)
    let drawings = rig.host.lines.split { !TerminalDrawing.isLine($0) }
    #expect(drawings.count == pictureCount + 1)
    for drawing in drawings {
      #expect(drawing.count == 22)
      _ = try TerminalDrawing(lines: Array(drawing))
    }
    // As slow as intended.
    #expect(rig.host.said.count > 30_000 * drawings.count)
  }

  @Test("a live preview on a slow terminal loses no event, and no event interrupts a picture")
  func live() throws {
    var generator = SeededGenerator(seed: 7)
    let rig = try makeRig(57, seed: 7, isTerminal: true)
    rig.host.type("record start\rpreview live\r")
    let told = disturb(rig, seconds: 30, using: &generator)
    rig.host.type("x")
    rig.run(milliseconds: 10_000)
    let said = String(decoding: rig.host.said, as: UTF8.self)
    let news = said.matches(of: /\* disturbed \d+/).map { String($0.output) }
    let isReported = news == told
    #expect(isReported)
    #expect(!said.contains("lost"))
    let pictures = said.split(separator: "\u{1B}7\u{1B}[H").dropFirst()
    #expect(pictures.count > 3)
    // The last picture is interrupted by the key.
    for picture in pictures.dropLast() {
      let end = picture.firstRange(of: "\u{1B}8")
      let lines = picture[..<(try #require(end)).lowerBound].split(separator: "\n").map(String.init)
      #expect(lines.count == 18)
      _ = try TerminalDrawing(lines: lines)
    }
    let end = try #require(said.ranges(of: "\u{1B}[r\u{1B}[999;1H").last).upperBound
    #expect(said[end...].contains("ok\n") && !said[end...].contains("x"))
  }

  @Test(
    "at 9,600 baud the prompt is back within a second of line time after the key that ends a preview",
    arguments: [("preview live", "x", [500, 3_000, 20_000, 70_000]), ("preview", "\u{3}", [500, 3_000, 20_000])])
  func endsSoon(command: String, key: String, moments: [UInt64]) throws {
    for milliseconds in moments {
      let rig = try makeRig(5, seed: milliseconds, isTerminal: true)
      rig.host.type(command + "\r")
      rig.run(milliseconds: milliseconds)
      let said = rig.host.said.count
      rig.host.type(key)
      func isBack() -> Bool { String(decoding: rig.host.said.dropFirst(said), as: UTF8.self).contains("fieldcorder> ") }
      let start = rig.now
      while !isBack(), rig.now < start + 60_000_000_000 { rig.run(milliseconds: 5) }
      let unsent = try #require(rig.host.unsentByteCount)
      let seconds = Double(rig.now - start) / 1e9 + Double(unsent) / 1_000
      #expect(seconds < 1, "\(seconds) s after a preview of \(milliseconds) ms")
    }
  }

  @Test(
    "only the key that ends a live preview is taken, and what was typed after it is obeyed",
    arguments: ["\u{1B}[A", "\u{1B}OA", "\u{1B}[3~", "é", "\r", "\r\n", "\0"])
  func leavesOtherKeys(key: String) throws {
    for isAhead in [false, true] {
      let rig = try makeRig(nil, seed: 1, isTerminal: true)
      rig.host.type("preview live\r" + (isAhead ? key + "version\r" : ""))
      rig.run(milliseconds: 2_000)
      if !isAhead { rig.host.type(key + "version\r") }
      rig.run(milliseconds: 1_000)
      let said = String(decoding: rig.host.said, as: UTF8.self)
      let end = try #require(said.range(of: "\u{1B}[r\u{1B}[999;1H")).upperBound
      let lines = said[end...].split(separator: "\n").map(String.init)
      #expect(lines.first == "ok" && lines.contains("fieldcorder test"), "\(lines)")
      #expect(lines.count { $0 == "ok" } == 2 && !lines.contains { $0.hasPrefix("error") })
    }
  }

  @Test(
    "a letter that ends a view begins the command that is typed on, at once or by hand; alone it is gone",
    arguments: ["preview live", "top", "watch status", "events follow", "clock hangul"])
  func typesOn(view: String) throws {
    for pause: UInt64 in [0, 150] {
      let rig = try makeRig(nil, seed: 1, isTerminal: true)
      rig.host.type(view + "\r")
      rig.run(milliseconds: 2_000)
      for letter in "version" {
        rig.host.type(String(letter))
        rig.run(milliseconds: pause)
      }
      rig.host.type("\r")
      rig.run(milliseconds: 1_000)
      #expect(rig.host.lines.contains("fieldcorder test"), "\(view): \(rig.host.lines.suffix(3))")
    }
    let rig = try makeRig(nil, seed: 1, isTerminal: true)
    for key in ["q", "x", " "] {
      rig.host.type(view + "\r")
      rig.run(milliseconds: 2_000)
      rig.host.type(key)
      rig.run(milliseconds: 2_000)
    }
    rig.host.type("version\r")
    rig.run(milliseconds: 1_000)
    #expect(rig.host.lines.contains("fieldcorder test") && !rig.host.lines.contains { $0.hasPrefix("error") })
  }

  @Test("the escape key ends a live preview, and is not taken for the beginning of the next key")
  func endsByEscape() throws {
    let rig = try makeRig(nil, seed: 1, isTerminal: true)
    rig.host.type("preview live\r\u{1B}")
    rig.run(milliseconds: 2_000)
    #expect(rig.host.lines.last?.hasSuffix("fieldcorder> \u{1B}[K") == true)
    rig.host.type("version\r")
    rig.run(milliseconds: 1_000)
    #expect(rig.host.lines.contains("fieldcorder test"))
  }

  @Test("before the first frame a preview waits, and says so; a camera that sends none is refused in the end")
  func waits() throws {
    for (isLive, milliseconds) in [(true, 700), (false, 700), (false, 20_000)] as [(Bool, UInt64)] {
      let host = TestHost()
      host.isTerminal = true
      let rig = try ApplianceRig(host: host, pixelFormat: .yuv420)
      rig.appliance.loop.services.console.looks = TerminalLooks(hasColour: true, hasBlocks: true)
      rig.begin(.stalled, of: .camera)
      rig.appliance.prepareWorkers()
      if isLive { rig.appliance.loop.showPreview() } else { host.type("preview\r") }
      rig.run(milliseconds: milliseconds)
      #expect(host.lines.count { $0.hasSuffix("waiting for the camera's first frame") } == 1)
      if milliseconds > 10_000 {
        #expect(host.lines.contains("error: the camera no longer sends frames: plug it in"))
        continue
      }
      rig.endFaults(of: .camera)
      rig.run(milliseconds: 5_000)
      let said = String(decoding: host.said, as: UTF8.self)
      #expect(said.contains("▀") && !said.contains("error: "), "\(host.lines.suffix(3))")
    }
  }

  @Test(
    "a dumb terminal gets no control function, a VT100 no colour, and NO_COLOR none anywhere",
    arguments: ["dumb", "vt100", "NO_COLOR"])
  func plain(kind: String) throws {
    let rig = try makeRig(nil, seed: 1, isTerminal: true)
    let (name, locale): ([UInt8], [UInt8]) = (Array((kind == "NO_COLOR" ? "xterm" : kind).utf8), Array("C.UTF-8".utf8))
    rig.appliance.loop.services.console.looks = TerminalLooks(
      name: name.span, locale: locale.span, refusesColour: kind == "NO_COLOR")
    let start = rig.host.said.count
    for line in ["preview", "clock hangul", " ", "preview live", " ", "top", " ", "version"] {
      rig.host.type(line + (line == " " ? "" : "\r"))
      rig.run(milliseconds: 2_000)
    }
    let said = String(decoding: rig.host.said[start...], as: UTF8.self)
    #expect(said.contains("@@") || said.contains("%%") || said.contains("##"), "a picture")
    #expect(!said.contains("▀") && !said.contains("\u{1B}[38;") && !said.contains("\u{1B}[48;"))
    #expect(said.firstMatch(of: /\u{1B}\[[0-9;]*3[0-7]m/) == nil, "a colour")
    #expect(!said.contains("\u{1B}") || kind != "dumb")
    #expect(said.contains("fieldcorder test"))
  }

  @Test("a live preview of a closed camera is refused, and the screen stays unchanged")
  func closed() throws {
    let host = TestHost()
    host.isTerminal = true
    let rig = try ApplianceRig(host: host) { $0.record.arming = .atPress }
    rig.run("preview live\r", milliseconds: 1_000)
    #expect(host.lines.contains { $0.hasPrefix("error: the camera is closed") })
    let said = String(decoding: host.said, as: UTF8.self)
    #expect(!said.contains("\u{1B}[2J") && !said.contains("any key"))
  }

  @Test("a live preview of pictures that cannot be drawn is refused, and the screen stays unchanged")
  func unreadable() throws {
    let host = TestHost()
    host.isTerminal = true
    let rig = try ApplianceRig(host: host)
    rig.run("preview live\r", milliseconds: 1_000)
    let said = String(decoding: host.said, as: UTF8.self)
    #expect(said.contains("error: the newest frame cannot be drawn"))
    #expect(!said.contains("\u{1B}[2J") && !said.contains("any key") && !said.contains("\u{1B}[r"))
  }
}
