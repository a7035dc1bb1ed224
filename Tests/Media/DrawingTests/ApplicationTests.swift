import Base
import TestSupport
import Testing
import Wire

@testable import Drawing

@Suite("Applications on the display")
struct ApplicationTests {
  private static func drawn(_ status: ViewStatus, _ size: PixelSize, _ lettering: Lettering) -> Drawn {
    var drawn = Drawn(size)
    let shown = ShownStatus(status)
    drawn.draw { canvas in
      canvas.fill(PixelRectangle(size), rotated: .none, with: .black)
      Overlay(shown, rotation: .none, canvas: size, lettering).draw(hasPicture: false, onto: &canvas)
    }
    return drawn
  }

  private static func status(_ application: ViewApplication) -> ViewStatus {
    var status = ViewStatus()
    status.application = application
    return status
  }

  @Test(
    "The Hangul clock's board is as large as fits, each syllable in its brightness, the unlit ones still to be seen",
    arguments: [(320, 240), (480, 800), (1280, 720), (1920, 1080)])
  func board(width: Int, height: Int) throws {
    let lettering = try Fonts.lettering()
    var levels = InlineArray<36, UInt8>(repeating: 0)
    for index in 0..<36 { levels[index] = UInt8(index * 7) }
    let size = PixelSize(width: width, height: height)
    let status = Self.status(.hangulClock(HangulBoardLevels(levels)))
    let drawn = Self.drawn(status, size, lettering)
    let place = OverlayLayout(ShownStatus(status), size: size, lettering).middle
    let pitch = min(place.width, place.height) / 6
    let left = place.x + (place.width - 6 * pitch) / 2
    let top = place.y + (place.height - 6 * pitch) / 2
    for index in 0..<36 {
      let (row, column) = index.quotientAndRemainder(dividingBy: 6)
      var brightest: UInt32 = 0
      // A syllable does not extend beyond its cell.
      for y in top + row * pitch..<top + (row + 1) * pitch {
        for x in left + column * pitch..<left + (column + 1) * pitch { brightest = max(brightest, drawn.pixel(x, y)) }
      }
      #expect(brightest == Ink(grey: UInt8(48 + index * 7 * 207 / 255)).value, "\(index)")
    }
    let total = (0..<width * height).count { drawn.pixel($0 % width, $0 / width) != 0 }
    let inside = (top..<top + 6 * pitch).reduce(0) { sum, y in
      sum + (left..<left + 6 * pitch).count { drawn.pixel($0, y) != 0 }
    }
    #expect(total == inside)
  }

  @Test("Whatever has the display, the take's time, its meters and the faults are on it while a take runs")
  func takeStays() throws {
    let lettering = try Fonts.lettering()
    let applications: [ViewApplication] = [
      .player, .hangulClock(HangulBoardLevels(.init(repeating: 0))),
      .tuner(TunerReading(note: nil, cents: 0, hertz: 0, referenceHertz: 440)),
    ]
    for application in applications {
      var status = Self.status(application)
      status.faults = ViewFault.cardFull.bit
      let size = PixelSize(width: 800, height: 480)
      let idle = OverlayLayout(ShownStatus(status), size: size, lettering)
      #expect(idle.take.width == 0 && idle.meters.width == 0 && idle.faultLineCount == 1)
      status.isRecording = true
      let layout = OverlayLayout(ShownStatus(status), size: size, lettering)
      #expect(layout.take.width > 0 && layout.meters.width > 0 && layout.faultLineCount == 1)
      let drawn = Self.drawn(status, size, lettering)
      let middle = layout.takeSize.digitHeight / 2
      #expect(drawn.pixel(layout.take.x + middle, layout.take.y + middle) == Ink.red.value)
      #expect(drawn.pixel(layout.meters.x + 2, layout.meters.y + 2) == Ink.darkGreen.value)
      #expect(drawn.pixel(400, layout.faults.y) == Ink.red.value)
    }
  }

  @Test(
    "The needle stands where the pitch is, green when nobody hears that it is out of tune, and is absent without one")
  func needle() throws {
    let lettering = try Fonts.lettering()
    for (cents, ink) in [(-50, Ink.yellow), (-3, .green), (0, .green), (12, .yellow), (50, .yellow)] as [(Float, Ink)] {
      let reading = TunerReading(note: 45, cents: cents, hertz: 110, referenceHertz: 440)
      let drawn = Self.drawn(Self.status(.tuner(reading)), PixelSize(width: 320, height: 240), lettering)
      // 310 pixels for 100 cents, around the middle of the display.
      let x = 160 + Int(cents * 154 / 50)
      let column = (0..<240).count { drawn.pixel(x, $0) == ink.value }
      #expect(column > 70, "\(cents)")
    }
    let silence = TunerReading(note: nil, cents: 0, hertz: 0, referenceHertz: 440)
    let drawn = Self.drawn(Self.status(.tuner(silence)), PixelSize(width: 320, height: 240), lettering)
    let inks = Set((0..<320 * 240).map { drawn.pixel($0 % 320, $0 / 320) })
    #expect(!inks.contains(Ink.green.value) && !inks.contains(Ink.yellow.value))
  }

  @Test("A chord has a disc where a finger presses, and starts at its lowest fret when it is farther up the neck")
  func chord() throws {
    let lettering = try Fonts.lettering()
    let size = PixelSize(width: 320, height: 240)
    // Cells of 28 pixels; the lowest string at x 90, the first row's middle at y 101.
    func hasDisc(_ drawn: Drawn, _ string: Int, _ row: Int) -> Bool {
      drawn.pixel(90 + string * 28 - 8, 101 + row * 28) == Ink.white.value
    }
    let discs = { (frets: InlineArray<6, Int8>) -> [String] in
      let reading = ChordReading(name: "C", frets: frets, fingers: .init(repeating: 0))
      let drawn = Self.drawn(Self.status(.chord(reading)), size, lettering)
      return (0..<5).map { row in
        String((0..<6).map { hasDisc(drawn, $0, row) ? "#" : "." })
      }
    }
    #expect(discs([-1, 3, 2, 0, 1, 0]) == ["....#.", "..#...", ".#....", "......", "......"])
    #expect(discs([8, 10, 10, 9, 8, 8]) == ["#...##", "...#..", ".##...", "......", "......"])
  }

  @Test("An application draws in its own place alone, however small it is", arguments: 0..<24)
  func place(seed: UInt64) throws {
    let lettering = try Fonts.lettering()
    var generator = SeededGenerator(seed: seed)
    let applications: [ViewApplication] = [
      .player, .tuner(TunerReading(note: 46, cents: -50, hertz: 4_000, referenceHertz: 442)),
      .chord(ChordReading(name: "D#maj7#11/G#", frets: [24, -1, 0, 23, 22, 21], fingers: [4, 0, 0, 3, 2, 1])),
      .metronome(MetronomeReading(tempo: 399.5, beatCount: 16, beat: 15)),
    ]
    for _ in 0..<6 {
      let size = PixelSize(
        width: .random(in: 240...700, using: &generator), height: .random(in: 240...700, using: &generator))
      var status = Self.status(.hangulClock(HangulBoardLevels(.init(repeating: 255))))
      status.isRecording = .random(using: &generator)
      status.faults = .random(in: 0 ... .max, using: &generator) & .random(in: 0 ... .max, using: &generator)
      let place = OverlayLayout(ShownStatus(status), size: size, lettering).middle
      let board = Self.drawn(status, size, lettering)
      status.application = applications[Int(seed) % applications.count]
      if status.application == .player {
        status.player.state = .playing
        status.player.title = "밤편지 아이유 겨울잠 이런 엔딩 삐삐 가을 아침"
      }
      let drawn = Self.drawn(status, size, lettering)
      for y in 0..<size.height {
        for x in 0..<size.width where !(x >= place.x && x < place.x + place.width && y >= place.y && y < place.bottom) {
          guard drawn.pixel(x, y) != board.pixel(x, y) else { continue }
          Issue.record("\(status.application) draws at \(x), \(y) of \(size), beyond \(place)")
          return
        }
      }
    }
  }

  @Test(
    "The artwork of what is played is as large as its place, upright and in its own proportions",
    arguments: [Mounting.builtIn, .standing], [Orientation.landscapeLeft, .portrait])
  func artwork(mounting: Mounting, orientation: Orientation) throws {
    let size = PixelSize(width: 320, height: 240)
    let artwork = try ColourPicture.arrow(PixelSize(width: 200, height: 100))
    var status = Self.status(.player)
    status.player.state = .playing
    status.player.title = "봄날"
    status.orientation = orientation.rawValue
    // There is no camera, and so no camera picture.
    var painting = try Painting(size, .fit, mounting, longestPictureLine: 1)
    painting.paintOnly(nil, artwork: artwork, ShownStatus(status))
    let turn = mounting == .builtIn ? Int(orientation.clockwiseDegrees) : 0
    let seen = try painting.display.rotated(byDegrees: turn)
    // Beside the words on a landscape display, above them on a portrait one.
    let side = seen.size.width > seen.size.height ? 124 : 225
    let layout = try OverlayLayout(ShownStatus(status), size: seen.size, Fonts.lettering())
    let player = try #require(ShownStatus(status).player)
    let place = try #require(PlayerScreen(player, layout).artworkPlace)
    #expect(place.width == side)
    let expected = try artwork.scaled("\(side)x\(side / 2)!")
    var difference = 0
    for y in 0..<side / 2 {
      for x in 0..<side {
        let pixel = seen.pixel(place.x + x, place.y + side / 4 + y)
        difference += zip(pixel, expected.pixel(x, y)).map { abs(Int($0) - Int($1)) }.max()!
      }
    }
    #expect(difference / (side * side / 2) < 6)
    // Above and below it the area is unchanged.
    #expect(seen.pixel(place.x + 2, place.y + 2) == [0x18, 0x18, 0x18])
    status.application = .viewfinder
    painting.paintOnly(nil, artwork: artwork, ShownStatus(status))
    let without = painting.display
    painting.paintOnly(nil, ShownStatus(status))
    #expect(painting.display == without)
  }

  @Test("Titles are broken at their spaces, and within a word only where there is none")
  func lines() throws {
    let lettering = try Fonts.lettering()
    func limit(_ text: String) -> LineWidth {
      let size = LetterSize(em: 32)
      let width = lettering.width(of: FixedText<96>(text).bytes, size)
      return LineWidth(pixels: width, size: size, lettering: lettering)
    }
    var title = FixedText<96>("봄날 (Spring Day) from the album")
    #expect(title.lineCount(limit("봄날 (Spring Day) fr")) == 2 && title.lineCount(limit(String(title))) == 1)
    #expect(title.lineCount(limit("i")) == 0)
    #expect(String(title.takeLine(limit("봄날 (Spring Day) fr"))) == "봄날 (Spring Day)")
    #expect(String(title.takeLine(limit("from"))) == "from")
    #expect(String(title.takeLine(limit("the"))) == "the")
    #expect(String(title.takeLine(limit("alb"))) == "alb")
    #expect(String(title.takeLine(limit("um"))) == "um")
    #expect(title.isEmpty)
  }
}
