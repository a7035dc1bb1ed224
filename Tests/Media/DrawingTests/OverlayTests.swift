import Base
import CHeapMeter
import TestSupport
import Testing
import Wire

@testable import Drawing

@Suite("The text and symbols of the live view")
struct OverlayTests {
  @Test("The time of a take, the zoom factor and the room on the card are shown as text")
  func words() {
    var status = ViewStatus()
    #expect(ShownStatus(status).takeTime == nil)
    #expect(ShownStatus(status).zoom == nil)
    #expect(String(ShownStatus(status).room) == "0 B free")
    status.isRecording = true
    status.takeMilliseconds = 12_399
    status.zoomFactor = 2.5
    status.freeByteCount = 12_349_999_999
    #expect(ShownStatus(status).takeTime.map { String($0) } == "00:12.3")
    #expect(ShownStatus(status).zoom.map { String($0) } == "2.5×")
    #expect(String(ShownStatus(status).room) == "12.35 GB free")
    status.takeMilliseconds = 3_723_400
    status.zoomFactor = 1.02
    status.roomSeconds = 10_139
    #expect(ShownStatus(status).takeTime.map { String($0) } == "1:02:03")
    #expect(ShownStatus(status).zoom == nil)
    #expect(String(ShownStatus(status).room) == "2 h 48 min free")
    status.roomSeconds = .max
    #expect(String(ShownStatus(status).room) == "9,999 h 0 min free")
  }

  @Test("In Korean the room and the faults are said in Korean, and the digits stay")
  func korean() throws {
    var status = ViewStatus()
    status.language = .korean
    status.freeByteCount = 12_349_999_999
    #expect(String(ShownStatus(status).room) == "12.35 GB 남음")
    status.roomSeconds = 10_139
    #expect(String(ShownStatus(status).room) == "2시간 48분 남음")
    var number: UInt32 = 0
    while let fault = ViewFault(rawValue: number) {
      let words = String(Messages.displayed("\(fault.words)", in: .korean))
      #expect(words.contains { $0 >= "가" && $0 <= "힣" } && words.count <= "\(fault.words)".count, "\(words)")
      number += 1
    }
    #expect(String(Messages.displayed("+3 MORE", in: .korean)) == "외 3건")
    #expect(String(Messages.displayed("-3.1 cents  441.00 Hz", in: .korean)) == "-3.1센트  441.00 Hz")
    #expect(String(Messages.displayed("anything else", in: .korean)) == "anything else")
    #expect(ShownStatus(status) != ShownStatus(ViewStatus()))
  }

  @Test("What is played is shown with its title, its position and how much of it has been heard")
  func player() throws {
    var status = ViewStatus()
    #expect(ShownStatus(status).player == nil)
    status.player.state = .playing
    status.player.title = "봄날 - 방탄소년단"
    status.player.positionMilliseconds = 61_900
    let unknown = try #require(ShownStatus(status).player)
    #expect(String(unknown.times) == "▶ 1:01" && unknown.permille == 0)
    status.player.durationMilliseconds = 123_800
    let known = try #require(ShownStatus(status).player)
    #expect(String(known.times) == "▶ 1:01 / 2:03" && known.permille == 500 && String(known.title) == "봄날 - 방탄소년단")
    status.player.state = .paused
    status.player.positionMilliseconds = 7_384_000
    let paused = try #require(ShownStatus(status).player)
    #expect(String(paused.times) == "‖ 2:03:04 / 2:03" && paused.permille == 1000)
  }

  @Test("Statuses that look the same are equal, so that they are not drawn again")
  func sameness() {
    var one = ViewStatus()
    one.isRecording = true
    one.takeMilliseconds = 1_210
    one.peakDecibels = [-30.2, -70]
    one.roomSeconds = 3_600
    var other = one
    other.takeMilliseconds = 1_290
    other.peakDecibels = [-29.8, -90]
    other.roomSeconds = 3_659
    other.freeByteCount = 1
    #expect(ShownStatus(one) == ShownStatus(other))
    other.takeMilliseconds = 1_300
    #expect(ShownStatus(one) != ShownStatus(other))
  }

  /// The colours of a meter's 60 decibels, from the lowest level.
  private static func meter(_ channel: Int, of display: ColourPicture) -> [[UInt8]] {
    // At 641 x 400 a decibel is 10 pixels, and the bars of 16 begin 4 and 70 pixels from the corner.
    (0..<60).map { display.pixel(4 + $0 * 10 + 5, 400 - 70 + channel * 17 + 8) }
  }

  @Test(
    "A meter is green up to -12 dBFS, yellow up to -3 and red above, and as long as the level",
    arguments: [-90, -60, -59, -31, -12, -11, -3, -2, 0, 20] as [Float])
  func meters(peak: Float) throws {
    var painting = try Painting(PixelSize(width: 641, height: 400))
    var status = ViewStatus()
    status.peakDecibels = [peak, -48]
    let display = try painting.paint(nil, status)
    let lit = Int(min(0, max(-60, peak))) + 60
    let bright = (0..<60).map { $0 < 48 ? Ink.green : $0 < 57 ? .yellow : .red }
    let dark = (0..<60).map { $0 < 48 ? Ink.darkGreen : $0 < 57 ? .darkYellow : .darkRed }
    for (channel, length) in [lit, 12].enumerated() {
      let expected = (0..<60).map { $0 < length ? bright[$0] : dark[$0] }
      #expect(Self.meter(channel, of: display) == expected.map(\.colours), "channel \(channel)")
    }
  }

  @Test("The highest peak stays for two seconds, and the light for clipping burns for four")
  func holds() {
    var hold = MeterHold()
    var status = ViewStatus()
    status.clipCounts = [7, 7]
    func follow(_ first: Float, _ second: Float, at milliseconds: UInt64) -> [Float] {
      status.peakDecibels = [first, second]
      hold.follow(status, at: Instant(milliseconds * 1_000_000))
      return [hold.peakDecibels[0], hold.peakDecibels[1]]
    }
    #expect(follow(-30, -40, at: 0) == [-30, -40])
    #expect(hold.hasClipped[0] == false && hold.hasClipped[1] == false)
    #expect(follow(-20, -50, at: 1_000) == [-20, -40])
    status.clipCounts = [7, 8]
    #expect(follow(-60, -50, at: 1_999) == [-20, -40])
    #expect(hold.hasClipped[0] == false && hold.hasClipped[1])
    #expect(follow(-60, -50, at: 2_000) == [-20, -50])
    #expect(follow(-60, -50, at: 3_000) == [-60, -50])
    #expect(follow(-60, -50, at: 5_998) == [-60, -50] && hold.hasClipped[1])
    #expect(follow(-60, -50, at: 5_999) == [-60, -50] && !hold.hasClipped[1])
  }

  @Test("A held peak is a white mark at its level, and a channel that clipped has a red light")
  func heldMarks() throws {
    var painting = try Painting(PixelSize(width: 641, height: 400))
    var status = ViewStatus()
    status.peakDecibels = [-20, -90]
    var hold = MeterHold()
    hold.follow(status, at: 0)
    status.peakDecibels = [-40, -90]
    status.clipCounts = [0, 1]
    hold.follow(status, at: 1)
    painting.paintOnly(nil, ShownStatus(status, hold))
    let display = painting.display
    #expect(display.pixel(4 + 400 - 1, 338) == Ink.white.colours)
    #expect(display.pixel(4 + 400 - 2, 338) == Ink.white.colours)
    #expect(display.pixel(4 + 400 - 3, 338) == Ink.darkGreen.colours)
    #expect(display.pixel(4 + 400, 338) == Ink.darkGreen.colours)
    #expect(display.pixel(4 + 604, 338) == Ink.darkRed.colours)
    #expect(display.pixel(4 + 604, 355) == Ink.red.colours)
  }

  @Test("The red dot is shown during a take, and only then")
  func dot() throws {
    var painting = try Painting(PixelSize(width: 600, height: 400))
    var status = ViewStatus()
    // A digit is 42 pixels high, the dot 33, and its middle is 20 pixels from the left and 24 from the top.
    #expect(try painting.paint(nil, status).pixel(20, 24) == [0, 0, 0])
    status.isRecording = true
    status.peakDecibels = [-90, -90]
    let display = try painting.paint(nil, status)
    #expect(display.pixel(20, 24) == Ink.red.colours)
    #expect(display.pixel(5, 9) == [0, 0, 0])
    let area = (0..<600 * 400).count { display.pixel($0 % 600, $0 / 600) == Ink.red.colours }
    // Without its antialiased edge: π 16²
    #expect((780...830).contains(area))
  }

  @Test("Every fault has its own line, in white on red; when they do not all fit, the last line counts the others")
  func faults() throws {
    var painting = try Painting(PixelSize(width: 400, height: 600))
    var status = ViewStatus()
    for count in 0...8 {
      status.faults = (1 << UInt32(count)) - 1
      let display = try painting.paint(nil, status)
      // The upper edge of each line's background, in the middle of the display.
      let lines = (0..<9).filter { display.pixel(200, 4 + $0 * 43) == Ink.red.colours }
      #expect(lines == Array(0..<count))
    }
    status.faults = .max
    let lettering = try Fonts.lettering()
    for (width, height, count) in [(320, 240, 6), (240, 320, 8)] {
      let size = PixelSize(width: width, height: height)
      #expect(OverlayLayout(ShownStatus(status), size: size, lettering).faultLineCount == count)
    }
  }

  @Test("No two characters of the stand-in look alike, and each has seven rows of five")
  func glyphs() {
    let characters = Array("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZx .:-?".utf8)
    let drawings = characters.map { Glyph.drawing(of: $0).description }
    #expect(Set(drawings).count == characters.count)
    for drawing in drawings {
      #expect(drawing.split(separator: " ").map(\.count) == Array(repeating: 5, count: 7), "\(drawing)")
    }
  }

  @Test("Any status can be drawn: on the whole display, and not outside it", arguments: 0..<40)
  func hostileStatus(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let sides = 1...90
    let size = PixelSize(width: .random(in: sides, using: &generator), height: .random(in: sides, using: &generator))
    let pictureSize = PixelSize(
      width: .random(in: sides, using: &generator), height: .random(in: sides, using: &generator))
    var painting = try Painting(size, seed % 2 == 0 ? .fit : .fill, seed % 3 == 0 ? .standing : .builtIn)
    let picture = ColourPicture.noise(pictureSize, &generator)
    for _ in 0..<20 {
      painting.pixels = painting.pixels.map { _ in Painting.untouched }
      _ = try painting.paint(Bool.random(using: &generator) ? picture : nil, .random(&generator))
      let isAllDrawn = painting.isAllDrawn
      #expect(isAllDrawn)
    }
  }

  @Test("Drawing allocates nothing from the heap")
  func heap() throws {
    var generator = SeededGenerator(seed: 4)
    let size = PixelSize(width: 160, height: 120)
    let picture = ColourPicture.noise(PixelSize(width: 200, height: 100), &generator)
    let statuses = (0..<20).map { _ in ViewStatus.random(&generator) }
    var painting = try Painting(size)
    // Warm up: arrays become unique, and Swift creates types at their first use.
    for index in statuses.indices { painting.paintOnly(picture, statuses[index]) }
    let before = heap_meter_count_of_thread()
    for index in statuses.indices { painting.paintOnly(picture, statuses[index]) }
    #expect(heap_meter_count_of_thread() == before)
  }
}

extension Ink {
  fileprivate var colours: [UInt8] { [UInt8(value >> 16), UInt8(value >> 8 & 255), UInt8(value & 255)] }
}

extension ViewStatus {
  /// A status as another program may have written to the memory.
  fileprivate static func random(_ generator: inout SeededGenerator) -> ViewStatus {
    var status = ViewStatus()
    status.isRecording = .random(using: &generator)
    status.takeMilliseconds = generator.next() >> UInt64.random(in: 0...63, using: &generator)
    status.zoomFactor = number(&generator)
    status.orientation = .random(in: 0...255, using: &generator)
    status.viewfinder = ViewFraction(
      x: number(&generator), y: number(&generator), width: number(&generator), height: number(&generator))
    status.peakDecibels = [number(&generator), number(&generator)]
    status.freeByteCount = generator.next() >> UInt64.random(in: 0...63, using: &generator)
    status.faults = .random(in: 0 ... .max, using: &generator)
    status.clipCounts = [.random(in: 0...1, using: &generator), 0]
    status.roomSeconds = Bool.random(using: &generator) ? nil : .random(in: 0 ... .max, using: &generator)
    status.player.state = .init(rawValue: .random(in: 0...2, using: &generator))!
    status.player.positionMilliseconds = generator.next() >> UInt64.random(in: 0...63, using: &generator)
    status.player.durationMilliseconds = generator.next() >> UInt64.random(in: 0...63, using: &generator)
    for _ in 0..<Int.random(in: 0...96, using: &generator) {
      status.player.title.append(byte: .random(in: 0...255, using: &generator))
    }
    status.application = application(&generator)
    return status
  }

  private static func application(_ generator: inout SeededGenerator) -> ViewApplication {
    switch UInt8.random(in: 0..<10, using: &generator) {
    case 0: return .player
    case 1: return .hangulClock(HangulBoardLevels(.init(repeating: .random(in: 0...255, using: &generator))))
    case 2:
      return .tuner(
        TunerReading(
          note: Bool.random(using: &generator) ? nil : .random(in: 0...255, using: &generator),
          cents: number(&generator), hertz: number(&generator), referenceHertz: number(&generator)))
    case 3:
      return .chord(
        ChordReading(
          name: "F#m7b5", frets: .init(repeating: .random(in: -128...127, using: &generator)),
          fingers: .init(repeating: .random(in: -128...127, using: &generator))))
    case 4:
      return .metronome(
        MetronomeReading(
          tempo: number(&generator), beatCount: .random(in: 0...255, using: &generator),
          beat: .random(in: 0...255, using: &generator)))
    default: return .viewfinder
    }
  }

  private static func number(_ generator: inout SeededGenerator) -> Float {
    switch UInt8.random(in: 0..<4, using: &generator) {
    case 0: Float(bitPattern: .random(in: 0 ... .max, using: &generator))
    case 1:
      [.nan, .infinity, -.infinity, 0, -0.0, 1, .greatestFiniteMagnitude, -.greatestFiniteMagnitude].randomElement(
        using: &generator)!
    default: .random(in: -0.2...1.2, using: &generator)
    }
  }
}
