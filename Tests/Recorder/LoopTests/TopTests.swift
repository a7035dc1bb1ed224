import Base
import Configuration
import Machine
import Foundation
import TestSupport
import Testing

@testable import App

@Suite struct TopTests {
  /// A terminal on a line that carries this much per tick of 5 ms.
  private static func terminal(bytesPerTick: Int?) -> TestHost {
    let host = TestHost()
    host.isTerminal = true
    host.lineBytesPerTick = bytesPerTick
    return host
  }

  /// The most bytes that were sent within a second.
  private static func most(of sent: [Int]) -> Int {
    (0..<sent.count - 20).map { sent[$0 + 20] - sent[$0] }.max() ?? 0
  }

  @Test(
    "Over a minute of a take top sends at most what it may, shows the take, and loses no sample",
    arguments: [(BaudRate.b115200, 57, 1150), (.b9600, 5, 480)], [Language.english, .korean])
  func keepsToItsBudget(line: (baud: BaudRate, bytesPerTick: Int, limit: Int), language: Language) throws {
    let host = Self.terminal(bytesPerTick: line.bytesPerTick)
    let rig = try ApplianceRig(host: host) {
      $0.console.baudRate = line.baud
      $0.console.language = language
    }
    host.type("record start\r")
    rig.run(milliseconds: 4000)
    host.type("top\r")
    rig.run(milliseconds: 50)
    var screen = DrawnScreen()
    var start = host.said.count
    var sent = [start]
    for _ in 0..<1200 {
      rig.run(milliseconds: 50)
      sent.append(host.said.count)
    }
    #expect(Self.most(of: sent) <= line.limit)
    screen.show(host.said[0...])
    start = host.said.count
    #expect(screen.complaints.isEmpty, "\(screen.complaints)")
    let rows = (0..<18).map { screen.text(ofRow: $0) }
    #expect(rows[0].contains("recording") || rows[0].contains("녹화") || rows[0].contains("기록"), "\(rows)")
    #expect(rows[1].contains("0001.mov"), "\(rows)")
    #expect(rows[4].hasPrefix("1   ") && rows[4].contains("-6"), "\(rows)")
    #expect(rows[5].contains("25.0") || rows[5].contains("24.9") || rows[5].contains("25.1"), "\(rows)")
    host.type("q")
    rig.run(milliseconds: 2000)
    #expect(String(decoding: host.said[start...], as: UTF8.self).contains("ok\n"))
    host.type("record stop\r")
    rig.run(milliseconds: 4000)
    let path = try #require(rig.takePaths.first)
    try TakeAudit(rig, faults: [:], "top").expectRight(try #require(rig.movie(path)), path)
  }

  @Test("A line that is dead from some moment on holds nothing up: every sample of the take is there")
  func survivesDeadLine() throws {
    let host = Self.terminal(bytesPerTick: 57)
    let rig = try ApplianceRig(host: host)
    host.type("record start\r")
    rig.run(milliseconds: 3000)
    host.type("top\r")
    rig.run(milliseconds: 3000)
    host.lineBytesPerTick = 0
    let count = host.said.count
    rig.run(milliseconds: 20_000)
    #expect(host.said.count - count <= 4_096)
    rig.run("press record", milliseconds: 0)
    host.lineBytesPerTick = 57
    rig.run(milliseconds: 3000)
    host.type("record stop\r")
    rig.run(milliseconds: 4000)
    let path = try #require(rig.takePaths.first)
    try TakeAudit(rig, faults: [:], "dead line").expectRight(try #require(rig.movie(path)), path)
  }

  @Test("A script gets the rows of top once, and so does a dumb terminal")
  func tellsScripts() throws {
    let rig = try ApplianceRig()
    rig.run(milliseconds: 2000)
    rig.run("top", milliseconds: 1000)
    let replies = rig.host.lines.filter { !$0.hasPrefix("* ") }
    #expect(replies.first?.hasPrefix("state        armed") == true)
    #expect(replies.last == "ok" && replies.contains("no faults"), "\(replies)")
    #expect(!String(decoding: rig.host.said, as: UTF8.self).contains("\u{1B}"))
  }

  @Test(
    "every row is of whole words within 80 columns, and what was not measured yet is no level",
    arguments: [Language.english, .korean], [1, 8] as [UInt16])
  func fits(language: Language, channelCount: UInt16) throws {
    let host = Self.terminal(bytesPerTick: nil)
    let rig = try ApplianceRig(host: host) {
      $0.console.language = language
    } onBoard: {
      $0.audioFormat = AudioFormat(sampleRateHz: 16_000, channelCount: channelCount, sampleFormat: .int16)
    }
    host.type("top\r")
    for moment in [200, 3_000] as [UInt64] {
      rig.run(milliseconds: moment)
      rig.oversleep(milliseconds: 1_500)
      rig.run(milliseconds: 500)
      var screen = DrawnScreen()
      screen.show(host.said[0...])
      let rows = (0..<18).map { screen.text(ofRow: $0) }
      #expect(!rows.contains { $0.contains("-144") }, "\(rows)")
      #expect(rows[0].hasPrefix("state") || rows[0].hasPrefix("상태"), "\(rows)")
    }
    let screen = {
      var screen = DrawnScreen(); screen.show(host.said[0...]); return screen
    }()
    // The last column of a truncated row would be a letter.
    for row in 0..<18 where screen.text(ofRow: row).unicodeScalars.count > 79 {
      #expect(screen.text(ofRow: row).hasSuffix(" ..."), "\(screen.text(ofRow: row))")
    }
    #expect(
      (0..<18).contains { screen.text(ofRow: $0).contains(language == .korean ? "이상" : "no faults") }
        || channelCount == 8)
  }

  @Test("watch draws another command's reply, line for line, again and again until a key is pressed")
  func watches() throws {
    let host = Self.terminal(bytesPerTick: nil)
    let rig = try ApplianceRig(host: host)
    rig.run(milliseconds: 500)
    host.type("version\r")
    rig.run(milliseconds: 200)
    host.type("watch status 1\r")
    rig.run(milliseconds: 8000)
    var screen = DrawnScreen()
    screen.show(host.said[0...])
    #expect(screen.complaints.isEmpty, "\(screen.complaints)")
    #expect(screen.text(ofRow: 0) == "well         nothing is wrong")
    #expect(screen.text(ofRow: 1).hasPrefix("state        armed"))
    let before = host.said.count
    rig.run("\u{3}", milliseconds: 1000)
    #expect(String(decoding: host.said[before...], as: UTF8.self).contains("ok\n"))
    host.type("watch config\r")
    rig.run(milliseconds: 9000)
    screen = DrawnScreen()
    screen.show(host.said[0...])
    var lines: [String] = []
    SettingsTable(rig.settings).forEachLine(where: { _ in true }) { lines.append(String($0)) }
    #expect((0..<18).map { screen.text(ofRow: $0) } == Array(lines.prefix(18)))
  }

  @Test(
    "A window that gets another size is drawn anew, and one that gets too small ends it",
    arguments: ["top", "watch status"])
  func followsWindow(command: String) throws {
    let host = Self.terminal(bytesPerTick: nil)
    let rig = try ApplianceRig(host: host)
    host.type("\(command)\r")
    rig.run(milliseconds: 4000)
    var start = host.said.count
    host.terminalSize = TerminalSize(columns: 100, rows: 24)
    rig.run(milliseconds: 4000)
    let grown = String(decoding: host.said[start...], as: UTF8.self)
    #expect(grown.contains("\u{1B}[2J\u{1B}[19;24r"))
    var screen = DrawnScreen()
    screen.show(host.said[start...])
    #expect((0..<2).contains { screen.text(ofRow: $0).contains("armed") })
    start = host.said.count
    host.terminalSize = TerminalSize(columns: 60, rows: 40)
    rig.run(milliseconds: 500)
    let shrunk = String(decoding: host.said[start...], as: UTF8.self)
    #expect(shrunk.contains("\u{1B}[r") && shrunk.contains(" needs a terminal of 80 x 24"))
  }

  @Test("Candidates that are longer than the terminal is wide are listed whole")
  func listsLongCandidates() throws {
    let host = Self.terminal(bytesPerTick: nil)
    host.terminalSize = TerminalSize(columns: 30, rows: 24)
    let rig = try ApplianceRig(host: host)
    rig.run(milliseconds: 500)
    let start = host.said.count
    host.type("config accelerometer.\t")
    rig.run(milliseconds: 500)
    let listed = String(decoding: host.said[start...], as: UTF8.self)
    #expect(listed.contains("accelerometer.bus"), "\(listed)")
    #expect(listed.contains("accelerometer.poll_milliseconds"), "\(listed)")
  }

  @Test(
    "watch takes nothing that does more than tell, and needs a terminal",
    arguments: ["quit", "record start", "top", "watch status", "preview"])
  func refuses(command: String) throws {
    let rig = try ApplianceRig()
    rig.run("watch \(command)", milliseconds: 100)
    #expect(rig.host.lines.last?.hasPrefix("error: watch expects a listing command") == true)
    rig.run("watch status", milliseconds: 100)
    #expect(rig.host.lines.last == "error: watch needs a terminal of 80 x 24 that can move its cursor")
  }
}

/// A terminal of 80 x 24 that implements the VT100 functions that `top` sends, and reports any other.
struct DrawnScreen {
  private var rows = Array(repeating: Array(repeating: " ", count: 80), count: 24)
  private var (row, column) = (0, 0)
  private var saved = (0, 0)
  private var region = 0...23
  private var sequence = ""
  private(set) var complaints: [String] = []

  /// A row's text without trailing blanks.
  func text(ofRow row: Int) -> String {
    var cells = rows[row][...]
    while cells.last == " " { cells.removeLast() }
    return cells.joined()
  }

  mutating func show(_ bytes: ArraySlice<UInt8>) {
    for scalar in String(decoding: bytes, as: UTF8.self).unicodeScalars { show(scalar) }
  }

  private mutating func show(_ scalar: Unicode.Scalar) {
    if !sequence.isEmpty {
      sequence.unicodeScalars.append(scalar)
      if scalar != "[",
        scalar.value >= 0x40 || scalar == "7" && sequence.count == 2 || scalar == "8" && sequence.count == 2
      {
        obey(String(sequence.dropFirst()))
        sequence = ""
      }
      return
    }
    switch scalar {
    case "\u{1B}": sequence = "\u{1B}"
    case "\r": column = 0
    case "\n": newLine()
    case "\u{8}": column -= 1
    case "\0"..<" ": complaints.append("control \(scalar.value)")
    default: draw(scalar)
    }
  }

  private mutating func newLine() {
    column = 0
    guard row == region.upperBound else { return row += 1 }
    rows.remove(at: region.lowerBound)
    rows.insert(Array(repeating: " ", count: 80), at: region.upperBound)
  }

  private mutating func draw(_ scalar: Unicode.Scalar) {
    let isWide = (0xAC00..<0xD7A4).contains(scalar.value)
    // Replies and events may be longer than a row, but not what is drawn in place.
    if column + (isWide ? 2 : 1) > 80 {
      if row < 18, region.lowerBound > 0 { complaints.append("row \(row) is too long") }
      newLine()
    }
    rows[row][column] = String(scalar)
    if isWide { rows[row][column + 1] = "" }
    column += isWide ? 2 : 1
  }

  private mutating func obey(_ control: String) {
    let numbers = control.dropFirst().dropLast().split(separator: ";").map { Int($0) ?? 1 }
    switch (control.first, control.last) {
    case ("7", _): saved = (row, column)
    case ("8", _): (row, column) = saved
    case ("[", "H"): (row, column) = (min((numbers.first ?? 1) - 1, 23), (numbers.last ?? 1) - 1)
    case ("[", "C"): column += numbers.first ?? 1
    case ("[", "D"): column -= numbers.first ?? 1
    case ("[", "K"): for index in column..<80 { rows[row][index] = " " }
    case ("[", "J"): rows = Array(repeating: Array(repeating: " ", count: 80), count: 24)
    case ("[", "r"): region = numbers.isEmpty ? 0...23 : numbers[0] - 1...numbers[1] - 1
    case ("[", "m"): break
    default: complaints.append(control)
    }
  }
}
