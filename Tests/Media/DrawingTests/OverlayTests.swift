import CHeapMeter
import TestSupport
import Testing
import Text
import Values
import Viewing

@testable import Drawing

@Suite("The text and symbols of the live view")
struct OverlayTests {
  @Test("The time of a take, the zoom factor and the free space are shown as text")
  func words() {
    var status = ViewStatus()
    #expect(ShownStatus(status).takeTime == nil)
    #expect(ShownStatus(status).zoom == nil)
    #expect(String(ShownStatus(status).freeSpace) == "0 MB")
    status.isRecording = true
    status.takeMilliseconds = 12_399
    status.zoomFactor = 2.5
    status.freeByteCount = 12_349_999_999
    #expect(ShownStatus(status).takeTime.map { String($0) } == "00:12.3")
    #expect(ShownStatus(status).zoom.map { String($0) } == "2.5x")
    #expect(String(ShownStatus(status).freeSpace) == "12.3 GB")
    status.takeMilliseconds = 3_723_400
    status.zoomFactor = 1.02
    status.freeByteCount = 999_999_999
    #expect(ShownStatus(status).takeTime.map { String($0) } == "1:02:03.4")
    #expect(ShownStatus(status).zoom == nil)
    #expect(String(ShownStatus(status).freeSpace) == "999 MB")
  }

  @Test("Statuses that look the same are equal, so that they are not drawn again")
  func sameness() {
    var one = ViewStatus()
    one.isRecording = true
    one.takeMilliseconds = 1_210
    one.peakDecibels = [-30.2, -70]
    var other = one
    other.takeMilliseconds = 1_290
    other.peakDecibels = [-29.8, -90]
    other.freeByteCount = 1
    #expect(ShownStatus(one) == ShownStatus(other))
    other.takeMilliseconds = 1_300
    #expect(ShownStatus(one) != ShownStatus(other))
  }

  /// The colours of a meter's 60 decibels, from the lowest level.
  private static func meter(_ channel: Int, of display: ColourPicture) -> [[UInt8]] {
    // At 600 x 400 a pixel of a letter is 3 pixels, a decibel 5.
    let y = 400 - 9 - 21 + channel * 12 + 4
    return (0..<60).map { display.pixel(9 + $0 * 5 + 2, y) }
  }

  @Test(
    "A meter is green up to -12 dBFS, yellow up to -3 and red above, and as long as the level",
    arguments: [-90, -60, -59, -31, -12, -11, -3, -2, 0, 20] as [Float])
  func meters(peak: Float) throws {
    var painting = try Painting(PixelSize(width: 600, height: 400))
    var status = ViewStatus()
    status.peakDecibels = [peak, -48]
    let display = try painting.paint(nil, status)
    let lit = Int(min(0, max(-60, peak))) + 60
    let scale = (0..<60).map { $0 < 48 ? Ink.green : $0 < 57 ? .yellow : .red }
    for (channel, length) in [lit, 12].enumerated() {
      let expected = (0..<60).map { $0 < length ? scale[$0] : .grey }
      #expect(Self.meter(channel, of: display) == expected.map(\.colours), "channel \(channel)")
    }
  }

  @Test("The red dot is shown during a take, and only then")
  func dot() throws {
    var painting = try Painting(PixelSize(width: 600, height: 400))
    var status = ViewStatus()
    // Letters are 21 pixels high and start at 9, and so does the dot.
    #expect(try painting.paint(nil, status).pixel(19, 19) == [0, 0, 0])
    status.isRecording = true
    let display = try painting.paint(nil, status)
    #expect(display.pixel(19, 19) == Ink.red.colours)
    #expect(display.pixel(10, 10) == [0, 0, 0])
    let area = (0..<600 * 400).count { display.pixel($0 % 600, $0 / 600) == Ink.red.colours }
    // A disc 21 pixels in diameter has 346.
    #expect((330...360).contains(area))
  }

  @Test("Every fault has its own line, in white on red")
  func faults() throws {
    var painting = try Painting(PixelSize(width: 400, height: 600))
    var status = ViewStatus()
    for count in 0...8 {
      status.faults = (1 << UInt32(count)) - 1
      let display = try painting.paint(nil, status)
      // The upper edge of each line's background, in the middle of the display.
      let lines = (0..<9).filter { display.pixel(200, 9 + ($0 + 1) * 33 - 3) == Ink.red.colours }
      #expect(lines == Array(0..<count))
    }
  }

  @Test("No two characters look alike, and each has seven rows of five")
  func glyphs() {
    let characters = Array("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZx .:-?".utf8)
    let drawings = characters.map { Glyph.drawing(of: $0).description }
    #expect(Set(drawings).count == characters.count)
    for drawing in drawings {
      #expect(drawing.split(separator: " ").map(\.count) == Array(repeating: 5, count: 7), "\(drawing)")
    }
  }

  @Test("The text of every fault has only characters that can be drawn")
  func faultCharacters() {
    var number: UInt32 = 0
    while let fault = ViewFault(rawValue: number) {
      number += 1
      for character in fault.words.description.utf8 {
        #expect(Glyph.drawing(of: character).description != Glyph.drawing(of: 0).description)
      }
    }
    #expect(number == 12)
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
  /// What another program may have written to the memory.
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
    return status
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
