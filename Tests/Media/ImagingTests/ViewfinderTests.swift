import Base
import Media
import TestSupport
import Testing

@Suite struct ViewfinderTests {
  @Test("until it is placed it is a centred square of a hundred units, or as large as a smaller view")
  func beginsCentred() {
    let viewfinder = Viewfinder()
    #expect(
      viewfinder.rectangle(in: PictureView(width: 640, height: 480))
        == PixelRectangle(x: 270, y: 190, width: 100, height: 100))
    #expect(
      viewfinder.rectangle(in: PictureView(x: 1000, y: 50, width: 480, height: 640))
        == PixelRectangle(x: 1190, y: 320, width: 100, height: 100))
    #expect(
      viewfinder.rectangle(in: PictureView(x: 7, y: 8, width: 40, height: 300))
        == PixelRectangle(x: 7, y: 108, width: 40, height: 100))
  }

  @Test("it goes where it is placed, and stops at the edges with its size kept")
  func stopsAtEdges() {
    let view = PictureView(x: 10, y: 20, width: 640, height: 480)
    var viewfinder = Viewfinder()
    viewfinder.place(x: 30, y: 40, width: 200, height: 90, in: view)
    #expect(viewfinder.rectangle(in: view) == PixelRectangle(x: 30, y: 40, width: 200, height: 90))
    viewfinder.move(x: 5, y: -7, in: view)
    #expect(viewfinder.rectangle(in: view) == PixelRectangle(x: 35, y: 33, width: 200, height: 90))
    viewfinder.move(x: -1000, y: 1000, in: view)
    #expect(viewfinder.rectangle(in: view) == PixelRectangle(x: 10, y: 410, width: 200, height: 90))
    viewfinder.place(x: 0, y: 60_000, width: 1000, height: 1, in: view)
    #expect(viewfinder.rectangle(in: view) == PixelRectangle(x: 10, y: 499, width: 640, height: 1))
  }

  @Test("after a rotation it is inside the new view; rotated back, it is where it was")
  func survivesTurns() {
    var viewfinder = Viewfinder()
    let lying = PictureView(width: 640, height: 480)
    viewfinder.place(x: 500, y: 300, width: 120, height: 100, in: lying)
    let standing = PictureView(width: 480, height: 640)
    #expect(viewfinder.rectangle(in: standing) == PixelRectangle(x: 360, y: 300, width: 120, height: 100))
    #expect(viewfinder.rectangle(in: lying) == PixelRectangle(x: 500, y: 300, width: 120, height: 100))
  }

  @Test("ten thousand random commands, with rotations and zooms, never move it or its pixels out of the picture")
  func staysInside() {
    var generator = SeededGenerator(seed: 20)
    var viewfinder = Viewfinder()
    for _ in 0..<10_000 {
      let camera = Camera(using: &generator)
      let view = camera.view
      switch Int.random(in: 0..<3, using: &generator) {
      case 0: viewfinder.move(x: anything(using: &generator), y: anything(using: &generator), in: view)
      case 1:
        viewfinder.place(
          x: anything(using: &generator), y: anything(using: &generator), width: anything(using: &generator),
          height: anything(using: &generator), in: view)
      default: break
      }
      let place = viewfinder.rectangle(in: view)
      #expect(place.width >= 1 && place.height >= 1)
      #expect(place.x >= view.x && place.x + place.width <= view.x + view.width)
      #expect(place.y >= view.y && place.y + place.height <= view.y + view.height)
      let pixels = camera.pixels(of: place)
      #expect(pixels.width >= 1 && pixels.height >= 1 && pixels.x >= 0 && pixels.y >= 0)
      #expect(pixels.x + pixels.width <= camera.width && pixels.y + pixels.height <= camera.height)
    }
  }

  @Test("the whole view is the whole picture at factor 1, and its middle at others")
  func showsWhole() {
    for orientation in [.landscapeLeft, .portrait, .landscapeRight, .portraitUpsideDown] as [Orientation] {
      var camera = Camera(width: 640, height: 480, orientation: orientation, zoomFactor: 1)
      let whole = PixelRectangle(x: 0, y: 0, width: camera.view.width, height: camera.view.height)
      #expect(camera.pixels(of: whole) == PixelRectangle(x: 0, y: 0, width: 640, height: 480))
      camera.zoomFactor = 4
      #expect(camera.pixels(of: whole) == PixelRectangle(x: 240, y: 180, width: 160, height: 120))
    }
  }

  @Test(
    "the upper left corner of the view is the matching corner of the camera's picture in each orientation",
    arguments: [
      (.landscapeLeft, 0, 0), (.portrait, 0, 470), (.landscapeRight, 620, 470), (.portraitUpsideDown, 620, 0),
    ] as [(Orientation, Int, Int)])
  func turns(orientation: Orientation, x: Int, y: Int) {
    let camera = Camera(width: 640, height: 480, orientation: orientation, zoomFactor: 1)
    let isOnItsSide = camera.view.width == 480
    let corner = PixelRectangle(x: 0, y: 0, width: isOnItsSide ? 10 : 20, height: isOnItsSide ? 20 : 10)
    #expect(camera.pixels(of: corner) == PixelRectangle(x: x, y: y, width: 20, height: 10))
  }

  @Test("corners are rounded to the nearest pixel, half a pixel upwards; a sliver is one pixel wide")
  func rounds() {
    let view = PictureView(x: 3, y: 0, width: 320, height: 100)
    let pixels = { (x: Int, width: Int) in
      view.cameraPixels(
        of: PixelRectangle(x: x, y: 0, width: width, height: 100), widthPixels: 80, heightPixels: 60,
        orientation: .landscapeLeft, zoomFactor: 1)
    }
    #expect(pixels(3, 5) == PixelRectangle(x: 0, y: 0, width: 1, height: 60))
    #expect(pixels(4, 8) == PixelRectangle(x: 0, y: 0, width: 2, height: 60))
    #expect(pixels(5, 8) == PixelRectangle(x: 1, y: 0, width: 2, height: 60))
    #expect(pixels(322, 1) == PixelRectangle(x: 79, y: 0, width: 1, height: 60))
  }

  private func anything(using generator: inout SeededGenerator) -> Int32 {
    switch Int.random(in: 0..<4, using: &generator) {
    case 0: .random(in: .min ... .max, using: &generator)
    case 1: [Int32.min, .max, 0, -1, 1].randomElement(using: &generator)!
    default: .random(in: -2000...2000, using: &generator)
    }
  }
}

/// A camera and the user's view of it.
private struct Camera {
  var width: Int
  var height: Int
  var orientation: Orientation
  var zoomFactor: Double
  var origin = (x: 0, y: 0)
  /// Nil for the picture's own size.
  var viewSize: (width: Int, height: Int)?

  init(width: Int, height: Int, orientation: Orientation, zoomFactor: Double) {
    self.width = width
    self.height = height
    self.orientation = orientation
    self.zoomFactor = zoomFactor
  }

  init(using generator: inout SeededGenerator) {
    width = 2 * Int.random(in: 8...2048, using: &generator)
    height = 2 * Int.random(in: 8...2048, using: &generator)
    orientation = Orientation(rawValue: UInt8.random(in: 0...3, using: &generator))!
    zoomFactor = Bool.random(using: &generator) ? 1 : .random(in: 1...1000, using: &generator)
    if Bool.random(using: &generator) {
      origin = (Int.random(in: 0...32_767, using: &generator), Int.random(in: 0...32_767, using: &generator))
      viewSize = (Int.random(in: 1...32_767, using: &generator), Int.random(in: 1...150, using: &generator))
    }
  }

  var view: PictureView {
    let size = viewSize ?? (width, height)
    let isOnItsSide = orientation == .portrait || orientation == .portraitUpsideDown
    return PictureView(
      x: origin.x, y: origin.y, width: isOnItsSide ? size.height : size.width,
      height: isOnItsSide ? size.width : size.height)
  }

  func pixels(of rectangle: PixelRectangle) -> PixelRectangle {
    view.cameraPixels(
      of: rectangle, widthPixels: width, heightPixels: height, orientation: orientation, zoomFactor: zoomFactor)
  }
}
