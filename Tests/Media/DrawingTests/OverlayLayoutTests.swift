import Base
import TestSupport
import Testing
import Wire

@testable import Drawing

@Suite("The layout of the live view")
struct OverlayLayoutTests {
  private static let sizes: [PixelSize] = [(320, 240), (800, 480), (1280, 720), (1920, 1080)].flatMap {
    [PixelSize(width: $0.0, height: $0.1), PixelSize(width: $0.1, height: $0.0)]
  }

  private static let applications: [ViewApplication] = [
    .viewfinder, .player, .hangulClock(HangulBoardLevels(.init(repeating: 255))),
    .tuner(TunerReading(note: 46, cents: 50, hertz: 4_000, referenceHertz: 442)),
    .chord(ChordReading(name: "D#maj7#11/G#", frets: [24, -1, 0, 23, 22, 21], fingers: [4, 0, 0, 3, 2, 1])),
    .metronome(MetronomeReading(tempo: 399.5, beatCount: 16, beat: 15)),
  ]

  /// One of the display sizes, or a size of random proportions.
  private static func anySize(_ generator: inout SeededGenerator) -> PixelSize {
    if UInt8.random(in: 0..<4, using: &generator) == 0 { return sizes.randomElement(using: &generator)! }
    return PixelSize(
      width: .random(in: 240...1920, using: &generator), height: .random(in: 240...1920, using: &generator))
  }

  private static func anyStatus(_ generator: inout SeededGenerator) -> ViewStatus {
    var status = ViewStatus()
    status.isRecording = .random(using: &generator)
    status.takeMilliseconds = generator.next() >> UInt64.random(in: 30...63, using: &generator)
    status.zoomFactor = .random(in: 1...16, using: &generator)
    status.roomSeconds = Bool.random(using: &generator) ? nil : .random(in: 0 ... .max, using: &generator)
    status.batteryPercent = Bool.random(using: &generator) ? nil : .random(in: 0...100, using: &generator)
    status.freeByteCount = generator.next() >> UInt64.random(in: 0...40, using: &generator)
    status.faults = .random(in: 0 ... .max, using: &generator) & .random(in: 0 ... .max, using: &generator)
    status.peakDecibels = [.random(in: -90...0, using: &generator), .random(in: -90...0, using: &generator)]
    status.player.state = .init(rawValue: .random(in: 0...2, using: &generator))!
    status.player.positionMilliseconds = generator.next() >> UInt64.random(in: 20...63, using: &generator)
    status.player.durationMilliseconds = generator.next() >> UInt64.random(in: 20...63, using: &generator)
    status.player.title = FixedText(
      [
        "봄날", "밤편지 아이유 겨울잠 이런 엔딩 삐삐 가을 아침 너의 의미 금요일에 만나요",
        "A title that is far too long for a display of this width, and then some more of it",
      ]
      .randomElement(using: &generator)!)
    return status
  }

  @Test("Nothing overlaps, nothing is cut, and no text is wider than its place", arguments: 0..<20)
  func placement(seed: UInt64) throws {
    let lettering = try Fonts.lettering()
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<500 {
      let size = Self.anySize(&generator)
      let status = ShownStatus(Self.anyStatus(&generator))
      let layout = OverlayLayout(status, size: size, lettering)
      let places = [
        layout.take, layout.zoom, layout.faults, layout.middle, layout.title, layout.times, layout.room, layout.battery,
        layout.meters,
      ].filter { $0.width > 0 && $0.height > 0 }
      for (index, place) in places.enumerated() {
        #expect(place.intersection(PixelRectangle(size)) == place, "\(place) on \(size)")
        for other in places[..<index] {
          let common = place.intersection(other)
          #expect(common.width == 0 || common.height == 0, "\(place) and \(other) on \(size)")
        }
      }
      #expect(layout.faults.width == 0 || layout.faultLineCount > 0)
      #expect(status.faults == 0 || layout.faultLineCount > 0, "on \(size)")
    }
  }

  @Test(
    "A frame of the margin stays black around all that is drawn", arguments: Cases.some(12, of: 0..<48 as Range<UInt64>)
  )
  func margin(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let size = Self.sizes[Int(seed) % Self.sizes.count]
    let lettering = try Fonts.lettering()
    var drawn = Drawn(size)
    for _ in 0..<3 {
      var status = Self.anyStatus(&generator)
      status.application = Self.applications[Int(seed) / Self.sizes.count]
      let shown = ShownStatus(status)
      drawn.draw { canvas in
        canvas.fill(PixelRectangle(size), rotated: .none, with: .black)
        Overlay(shown, rotation: .none, canvas: size, lettering).draw(hasPicture: false, onto: &canvas)
      }
      let width = OverlayLayout(shown, size: size, lettering).unit * 2
      for y in 0..<size.height {
        for x in 0..<size.width where min(x, y, size.width - 1 - x, size.height - 1 - y) < width {
          guard drawn.pixel(x, y) != 0 else { continue }
          Issue.record("ink at \(x), \(y) of \(size): \(shown.application)")
          return
        }
      }
    }
  }

  @Test(
    "A digit of the take's time is a tenth of the display's shorter side high, at any length of a day", arguments: sizes
  )
  func takeIsLegible(size: PixelSize) throws {
    let lettering = try Fonts.lettering()
    var status = ViewStatus()
    status.isRecording = true
    func digitHeight() throws -> Int {
      let layout = OverlayLayout(ShownStatus(status), size: size, lettering)
      return try #require(lettering.ink(of: "1", layout.takeSize)).height
    }
    for hours in [0, 1, 9] as [UInt64] {
      status.takeMilliseconds = hours * 3_600_000
      #expect(try 10 * digitHeight() >= min(size.width, size.height))
    }
    // More digits may need to be smaller on a portrait display, but never by more than a fifth.
    status.takeMilliseconds = 999 * 3_600_000
    #expect(try 12 * digitHeight() >= min(size.width, size.height))
  }

  @Test("Letters are as high as their sizes promise: at two metres, on a display of 7 inches", arguments: sizes)
  func isLegible(size: PixelSize) throws {
    let lettering = try Fonts.lettering()
    let layout = OverlayLayout(ShownStatus(ViewStatus()), size: size, lettering)
    // The official 7-inch display is 86 mm high; a minute of arc at 2 m is 0.5818 mm.
    let minutes = { (height: Int) in Double(height) * 86 / Double(min(size.width, size.height)) / 0.5818 }
    #expect(minutes(try #require(lettering.ink(of: "x", layout.titleSize)).height) >= 10)
    #expect(minutes(try #require(lettering.ink(of: "한", layout.titleSize)).height) >= 15)
    #expect(minutes(try #require(lettering.ink(of: "1", layout.meterSize)).height) >= 10)
    #expect(minutes(try #require(lettering.ink(of: "1", layout.textSize)).height) >= 8)
    #expect(minutes(layout.barHeight) >= 6)
  }

  @Test("Numbers that run do not move what stands beside them: all digits are equally wide, at every size")
  func digits() throws {
    let lettering = try Fonts.lettering()
    for em in 10...200 {
      let widths = (0...9).map { lettering.advance(of: Unicode.Scalar(UInt8(ascii: "0") + $0), LetterSize(em: em)) }
      #expect(Set(widths).count == 1, "\(em)")
    }
  }

  @Test("A title that does not fit ends with an ellipsis before the edge, whatever it is written in", arguments: sizes)
  func longTitles(size: PixelSize) throws {
    let lettering = try Fonts.lettering()
    var status = ViewStatus()
    status.player.state = .playing
    for title in [String(repeating: "가", count: 32), String(repeating: "W", count: 96), "봄날", "가W 나W"] {
      status.player.title = FixedText(title)
      let layout = OverlayLayout(ShownStatus(status), size: size, lettering)
      let limit = layout.title(layout.title.width)
      let fitted = status.player.title.fitted(limit)
      #expect(limit.width(of: fitted.bytes) <= layout.title.width)
      let isWhole = fitted == status.player.title
      #expect(isWhole == limit.holds(status.player.title.bytes))
      #expect(isWhole || String(fitted).hasSuffix("…"))
    }
  }
}
