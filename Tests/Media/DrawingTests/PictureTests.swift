import Base
import TestSupport
import Testing
import Wire

@testable import Drawing

@Suite("The picture on the display")
struct PictureTests {
  static let orientations: [Orientation] = [.landscapeLeft, .portrait, .landscapeRight, .portraitUpsideDown]

  /// The picture that the camera takes of the world when the device is held in this orientation.
  private static func taken(_ world: ColourPicture, _ orientation: Orientation) throws -> ColourPicture {
    try world.rotated(byDegrees: -Int(orientation.clockwiseDegrees))
  }

  private static func status(_ orientation: Orientation) -> ViewStatus {
    var status = ViewStatus()
    status.orientation = orientation.rawValue
    return status
  }

  /// The arrow in the world, in the proportions that the camera sees in this orientation.
  private static func world(_ orientation: Orientation) throws -> ColourPicture {
    try .arrow(PixelSize(width: 320, height: 240).rotated(by: QuarterTurn(upright: orientation)))
  }

  @Test("An arrow that points up points up on a display that rotates with the device", arguments: orientations)
  func builtIn(orientation: Orientation) throws {
    let world = try Self.world(orientation)
    var painting = try Painting(PixelSize(width: 320, height: 240))
    let display = try painting.paint(Self.taken(world, orientation), Self.status(orientation))
    let seen = try display.rotated(byDegrees: Int(orientation.clockwiseDegrees))
    #expect(seen.size == world.size)
    // The part above the words and the meters at the lower edge.
    #expect(seen.peakSignalToNoise(world, rows: 0..<155) > 60)
    let isAllDrawn = painting.isAllDrawn
    #expect(isAllDrawn)
  }

  @Test("An arrow that points up points up on a standing display, with black on both sides", arguments: orientations)
  func standing(orientation: Orientation) throws {
    let world = try Self.world(orientation)
    var painting = try Painting(PixelSize(width: 320, height: 240), .fit, .standing)
    let seen = try painting.paint(Self.taken(world, orientation), Self.status(orientation))
    let fitted = try ColourPicture(
      [
        "-filter", "triangle", "-resize", "320x240", "-gravity", "center", "-background", "black", "-extent", "320x240",
      ],
      input: world)
    #expect(seen.peakSignalToNoise(fitted, rows: 0..<155) > 32)
    let isAllDrawn = painting.isAllDrawn
    #expect(isAllDrawn)
  }

  @Test("While it is too hot there are words instead of the picture")
  func tooHot() throws {
    var painting = try Painting(PixelSize(width: 320, height: 240))
    var status = ViewStatus()
    status.faults = ViewFault.tooHot.bit
    let hidden = try painting.paint(.arrow(PixelSize(width: 320, height: 240)), status)
    #expect(hidden == (try painting.paint(nil, status)))
    status.faults = ViewFault.underVoltage.bit
    #expect(hidden != (try painting.paint(.arrow(PixelSize(width: 320, height: 240)), status)))
  }

  @Test("Text is upright for the user: after a rotation by 180° it is the same, pixel for pixel")
  func words() throws {
    var status = ViewStatus()
    status.isRecording = true
    status.zoomFactor = 2.5
    status.peakDecibels = [-20, -2]
    status.faults = 0b11011
    var seen: [ColourPicture] = []
    for orientation in Self.orientations {
      status.orientation = orientation.rawValue
      var painting = try Painting(PixelSize(width: 400, height: 300))
      seen.append(try painting.paint(nil, status).rotated(byDegrees: Int(orientation.clockwiseDegrees)))
      var standing = try Painting(seen[seen.count - 1].size, .fit, .standing)
      #expect(try standing.paint(nil, status) == seen[seen.count - 1])
    }
    #expect(seen[0] == seen[2])
    #expect(seen[1] == seen[3])
    #expect(seen[1].size == PixelSize(width: 300, height: 400))
  }

  @Test("Fitted and filled sizes equal ImageMagick's")
  func geometry() throws {
    var generator = SeededGenerator(seed: 0)
    var places: [(placement: PicturePlacement, canvas: PixelSize)] = []
    var arguments: [String] = []
    for _ in 0..<40 {
      let sides = (0..<4).map { _ in Int.random(in: 64...800, using: &generator) }
      let (picture, canvas) = (
        PixelSize(width: sides[0], height: sides[1]), PixelSize(width: sides[2], height: sides[3])
      )
      for (framing, mark) in [(Framing.fit, ""), (.fill, "^")] {
        places.append((PicturePlacement(picture: picture, on: canvas, rotation: .none, framing: framing), canvas))
        arguments += [
          "(", "-size", "\(sides[0])x\(sides[1])", "xc:", "-sample", "\(sides[2])x\(sides[3])\(mark)", ")",
        ]
      }
    }
    let references = try ForeignProgram.text("convert", arguments + ["-format", "%wx%h\n", "info:"])
      .split(separator: "\n")
    try #require(references.count == places.count)
    for ((placement, canvas), reference) in zip(places, references) {
      #expect("\(placement.picture.width)x\(placement.picture.height)" == reference, "on \(canvas)")
      #expect(abs(2 * placement.picture.x + placement.picture.width - canvas.width) <= 1)
      #expect(abs(2 * placement.picture.y + placement.picture.height - canvas.height) <= 1)
    }
  }

  @Test("A picture that fills the display is cropped and scaled as in ImageMagick")
  func filled() throws {
    let world = try ColourPicture.arrow(PixelSize(width: 500, height: 240))
    var painting = try Painting(PixelSize(width: 320, height: 240), .fill)
    let seen = try painting.paint(world, ViewStatus())
    let reference = try ColourPicture(
      ["-filter", "triangle", "-resize", "320x240^", "-gravity", "center", "-extent", "320x240"], input: world)
    #expect(seen.peakSignalToNoise(reference, rows: 0..<155) > 40)
  }

  @Test("A picture is enlarged and reduced as in ImageMagick", arguments: [200, 290, 440, 600])
  func scaled(width: Int) throws {
    let world = try ColourPicture.arrow(PixelSize(width: 320, height: 240))
    var painting = try Painting(PixelSize(width: width, height: width * 3 / 4))
    let reference = try world.scaled("\(width)x\(width * 3 / 4)!")
    #expect(try painting.paint(world, ViewStatus()).peakSignalToNoise(reference, rows: 0..<width / 2) > 34)
  }

  @Test("Around the viewfinder the brightness is exactly 60 %", arguments: orientations)
  func dimming(orientation: Orientation) throws {
    var generator = SeededGenerator(seed: UInt64(orientation.rawValue))
    let size = PixelSize(width: 320, height: 240)
    let upright = size.rotated(by: QuarterTurn(upright: orientation))
    let world = ColourPicture.noise(upright, &generator)
    var status = Self.status(orientation)
    status.viewfinder = ViewFraction(x: 0.25, y: 0.4, width: 0.2, height: 0.3)
    var painting = try Painting(size)
    let seen = try painting.paint(Self.taken(world, orientation), status)
      .rotated(byDegrees: Int(orientation.clockwiseDegrees))
    let dimmed = try world.dimmed()
    let bright = PixelRectangle(
      x: upright.width / 4, y: upright.height * 4 / 10, width: upright.width / 5, height: upright.height * 3 / 10)
    for y in 30..<155 {
      for x in 0..<upright.width {
        let isBright = bright.contains(x, y)
        // The thin white frame is one pixel wide.
        let expected = isBright ? world : bright.grown(by: 1).contains(x, y) ? nil : dimmed
        #expect(seen.pixel(x, y) == expected?.pixel(x, y) ?? [255, 255, 255], "at \(x), \(y)")
      }
    }
  }
}

extension PixelRectangle {
  fileprivate func contains(_ x: Int, _ y: Int) -> Bool {
    self.x <= x && x < self.x + width && self.y <= y && y < self.y + height
  }
}
