import Base

/// The scene: a test picture for programs and people.
///
/// The picture is divided into a grid of 20 × 15 cells, with (0, 0) in the upper left corner:
///
/// - Rows 1 and 2 of columns 2…17 hold the frame's number, 32 bits, most significant first, one cell each: white is 1.
///   Rows 3 and 4 hold the same bits inverted, so that a misread is detected.
/// - In row 6 a bar moves to the right.
/// - Row 7 is black, with a white bar in the middle, 1/32 of the picture wide. The factor by which it appears wider is
///   the zoom factor, up to 16.
/// - Columns 1…8 of rows 8…13 are black, or white in a frame that flashes.
/// - Columns 11…18 of rows 8…13 hold an arrow that points up when the picture is upright.
///
/// All of these are grey; around them are colour bars that darken towards the bottom.
struct SimScene: Sendable {
  var number: UInt32
  var isFlashing: Bool
  /// Whether it shows only the noise of a covered sensor.
  var isBlack = false
  /// How much brighter the black square is, in steps of luma: the noise of a sensor, where nothing else changes.
  var noise: UInt8 = 0

  private static var black: UInt8 { 16 }
  private static var grey: UInt8 { 64 }
  private static var white: UInt8 { 235 }

  /// Draws the scene, or only the differences from `drawn`, the scene that is already on the canvas.
  func draw(over drawn: SimScene?, on canvas: SimCanvas) {
    if isBlack { return drawBlack(on: canvas) }
    if let drawn, !drawn.isBlack { change(drawn, on: canvas) } else { draw(on: canvas) }
  }

  private func drawBlack(on canvas: SimCanvas) {
    let whole = PixelRectangle(x: 0, y: 0, width: canvas.widthPixels, height: canvas.heightPixels)
    canvas.fill(whole, blue: 128, red: 128)
    canvas.fill(whole, luma: Self.black + UInt8(number % 3))
  }

  private func draw(on canvas: SimCanvas) {
    Self.drawBackground(on: canvas)
    Self.drawArrow(on: canvas)
    Self.drawZoomBar(on: canvas)
    drawNumber(bits: .max, on: canvas)
    drawFlash(on: canvas)
    canvas.fill(barPlace(on: canvas), luma: Self.white)
  }

  private func change(_ drawn: SimScene, on canvas: SimCanvas) {
    drawNumber(bits: number ^ drawn.number, on: canvas)
    if isFlashing != drawn.isFlashing || noise != drawn.noise { drawFlash(on: canvas) }
    canvas.fill(drawn.barPlace(on: canvas), luma: Self.grey)
    canvas.fill(barPlace(on: canvas), luma: Self.white)
  }

  private func drawNumber(bits: UInt32, on canvas: SimCanvas) {
    for index in 0..<32 {
      let bit: UInt32 = 1 << UInt32(31 - index)
      guard bits & bit != 0 else { continue }
      let isWhite = number & bit != 0
      let column = 2 + index % 16
      let row = 1 + index / 16
      canvas.fill(Self.cells(column..<column + 1, row..<row + 1, canvas), luma: isWhite ? Self.white : Self.black)
      canvas.fill(Self.cells(column..<column + 1, row + 2..<row + 3, canvas), luma: isWhite ? Self.black : Self.white)
    }
  }

  private func drawFlash(on canvas: SimCanvas) {
    canvas.fill(Self.cells(1..<9, 8..<14, canvas), luma: isFlashing ? Self.white : Self.black + noise)
  }

  /// One cell wide, moving an eighth of a cell per frame.
  private func barPlace(on canvas: SimCanvas) -> PixelRectangle {
    let track = Self.cells(0..<20, 6..<7, canvas)
    let left = Int(number % 152) * canvas.widthPixels / 160
    return PixelRectangle(evenColumns: left..<left + canvas.widthPixels / 20, rows: track.y..<track.y + track.height)
  }

  private static func drawBackground(on canvas: SimCanvas) {
    for bar in 0..<8 { drawColourBar(bar, on: canvas) }
    for panel in 0..<4 {
      let area =
        switch panel {
        case 0: cells(2..<18, 1..<5, canvas)
        case 1: cells(0..<20, 6..<7, canvas)
        case 2: cells(1..<9, 8..<14, canvas)
        default: cells(11..<19, 8..<14, canvas)
        }
      canvas.fill(area, blue: 128, red: 128)
      canvas.fill(area, luma: grey)
    }
  }

  /// White, yellow, cyan, green, magenta, red, blue, black at 75 % (ITU-R BT.601), from full at the top to half.
  private static func drawColourBar(_ bar: Int, on canvas: SimCanvas) {
    let luma: InlineArray<8, Int> = [180, 162, 131, 112, 84, 65, 35, 16]
    let blue: InlineArray<8, UInt8> = [128, 44, 156, 72, 184, 100, 212, 128]
    let red: InlineArray<8, UInt8> = [128, 142, 44, 58, 198, 212, 114, 128]
    let columns = bar * canvas.widthPixels / 8..<(bar + 1) * canvas.widthPixels / 8
    let whole = PixelRectangle(evenColumns: columns, rows: 0..<canvas.heightPixels)
    canvas.fill(whole, blue: blue[bar], red: red[bar])
    for row in stride(from: 0, to: canvas.heightPixels, by: 2) {
      let dimmed = luma[bar] * (2 * canvas.heightPixels - row) / (2 * canvas.heightPixels)
      canvas.fill(PixelRectangle(evenColumns: columns, rows: row..<row + 2), luma: UInt8(dimmed))
    }
  }

  private static func drawArrow(on canvas: SimCanvas) {
    let head = cells(12..<18, 8..<11, canvas)
    let middle = head.x + head.width / 2
    for row in stride(from: head.y, to: head.y + head.height, by: 2) {
      let half = (row - head.y + 2) * head.width / (2 * head.height)
      canvas.fill(PixelRectangle(evenColumns: middle - half..<middle + half, rows: row..<row + 2), luma: white)
    }
    canvas.fill(cells(14..<16, 11..<14, canvas), luma: white)
  }

  /// Both halves of the bar have the same whole number of pixels; like all others, its edges are even.
  private static func drawZoomBar(on canvas: SimCanvas) {
    let band = cells(0..<20, 7..<8, canvas)
    canvas.fill(band, blue: 128, red: 128)
    canvas.fill(band, luma: black)
    let middle = canvas.widthPixels / 2
    let half = canvas.widthPixels / 64
    let edge = (middle - half) & 1
    let columns = middle - half - edge..<middle + half + edge
    canvas.fill(PixelRectangle(evenColumns: columns, rows: band.y..<band.y + band.height), luma: white)
  }

  private static func cells(_ columns: Range<Int>, _ rows: Range<Int>, _ canvas: SimCanvas) -> PixelRectangle {
    PixelRectangle(
      evenColumns: columns.lowerBound * canvas.widthPixels / 20..<columns.upperBound * canvas.widthPixels / 20,
      rows: rows.lowerBound * canvas.heightPixels / 15..<rows.upperBound * canvas.heightPixels / 15)
  }
}

/// A camera buffer to draw on, in any pixel format.
@safe struct SimCanvas {
  // Safe: the memory is a piece of the camera's own, cut for this format, and every row's bounds are checked.
  private let memory: UnsafeMutableRawBufferPointer
  private let pixelFormat: PixelFormat
  let widthPixels: Int
  let heightPixels: Int

  init(memory: UnsafeMutableRawBufferPointer, format: VideoFormat) {
    unsafe self.memory = memory
    pixelFormat = format.pixelFormat
    widthPixels = Int(format.widthPixels)
    heightPixels = Int(format.heightPixels)
  }

  static func byteCount(_ format: VideoFormat) -> Int {
    let pixelCount = Int(format.widthPixels) * Int(format.heightPixels)
    return format.pixelFormat == .yuyv ? pixelCount * 2 : pixelCount * 3 / 2
  }

  func fill(_ area: PixelRectangle, luma: UInt8) {
    for row in area.y..<area.y + area.height {
      let start = row * widthPixels + area.x
      if pixelFormat == .yuyv {
        fill(from: 2 * start, count: area.width, stride: 2, with: luma)
      } else {
        fill(from: start, count: area.width, with: luma)
      }
    }
  }

  /// - Parameters: the blue and red differences from the luma; 128 is neutral.
  func fill(_ area: PixelRectangle, blue: UInt8, red: UInt8) {
    let count = area.width / 2
    let rowsPerSample = pixelFormat == .yuyv ? 1 : 2
    for row in area.y / rowsPerSample..<(area.y + area.height) / rowsPerSample {
      switch pixelFormat {
      case .yuyv:
        let start = 2 * (row * widthPixels + area.x)
        fill(from: start + 1, count: count, stride: 4, with: blue)
        fill(from: start + 3, count: count, stride: 4, with: red)
      case .nv12:
        let start = (heightPixels + row) * widthPixels + area.x
        fill(from: start, count: count, stride: 2, with: blue)
        fill(from: start + 1, count: count, stride: 2, with: red)
      case .yuv420, .mjpeg:
        let start = heightPixels * widthPixels + (row * widthPixels + area.x) / 2
        fill(from: start, count: count, with: blue)
        fill(from: start + heightPixels * widthPixels / 4, count: count, with: red)
      }
    }
  }

  private func fill(from start: Int, count: Int, with byte: UInt8) {
    _ = unsafe UnsafeMutableRawBufferPointer(rebasing: memory[start..<start + count])
      .initializeMemory(as: UInt8.self, repeating: byte)
  }

  private func fill(from start: Int, count: Int, stride: Int, with byte: UInt8) {
    for index in 0..<count { unsafe memory[start + index * stride] = byte }
  }
}

extension PixelRectangle {
  /// A rectangle with even edges, so that it covers whole chroma samples: odd edges are moved up or to the left.
  init(evenColumns columns: Range<Int>, rows: Range<Int>) {
    let (x, y) = (columns.lowerBound & ~1, rows.lowerBound & ~1)
    self.init(x: x, y: y, width: columns.upperBound & ~1 - x, height: rows.upperBound & ~1 - y)
  }
}
