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

  /// All of them, and others of any proportions.
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
  func placement(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<500 {
      let size = Self.anySize(&generator)
      let status = ShownStatus(Self.anyStatus(&generator))
      let layout = OverlayLayout(status, size: size)
      let places = [
        layout.take, layout.zoom, layout.faults, layout.middle, layout.title, layout.times, layout.room, layout.meters,
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
    var drawn = Drawn(size)
    for _ in 0..<3 {
      var status = Self.anyStatus(&generator)
      status.application = Self.applications[Int(seed) / Self.sizes.count]
      let shown = ShownStatus(status)
      drawn.draw { canvas in
        canvas.fill(PixelRectangle(size), rotated: .none, with: .black)
        Overlay(shown, rotation: .none, canvas: size).draw(hasPicture: false, onto: &canvas)
      }
      let width = OverlayLayout(shown, size: size).scale * 2
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
  func isLegible(size: PixelSize) {
    var status = ViewStatus()
    status.isRecording = true
    for hours in [0, 1, 9] as [UInt64] {
      status.takeMilliseconds = hours * 3_600_000
      let layout = OverlayLayout(ShownStatus(status), size: size)
      #expect(10 * layout.takeScale * 10 >= min(size.width, size.height))
    }
    // Two more digits may need to be smaller on a display that stands, but never by more than a fifth.
    status.takeMilliseconds = 99 * 3_600_000
    #expect(12 * OverlayLayout(ShownStatus(status), size: size).takeScale * 10 >= min(size.width, size.height))
  }

  @Test("A title that does not fit ends with an ellipsis before the edge, whatever it is written in", arguments: sizes)
  func longTitles(size: PixelSize) {
    var status = ViewStatus()
    status.player.state = .playing
    for title in [String(repeating: "가", count: 32), String(repeating: "W", count: 96)] {
      status.player.title = FixedText(title)
      let layout = OverlayLayout(ShownStatus(status), size: size)
      let limit = layout.title.width / layout.width(columns: 1)
      let fitted = status.player.title.fitted(columns: limit)
      #expect(layout.width(columns: columnCount(of: fitted.bytes)) <= layout.title.width)
      let isWhole = fitted == status.player.title
      #expect(isWhole == (columnCount(of: status.player.title.bytes) <= limit))
      #expect(isWhole || String(fitted).hasSuffix("…"))
    }
  }
}
