import Base

/// The mean luma of each of 16 x 12 cells of a picture.
struct MotionGrid: BitwiseCopyable {
  static var cellCount: Int { 192 }

  var cells = InlineArray<192, Float>(repeating: 0)

  /// - Parameter pixels: three bytes each, red first, in rows without padding.
  @_optimize(speed)
  init(_ pixels: RawSpan, _ size: PixelSize) {
    let (columns, rows) = (MotionZones.columns, MotionZones.rows)
    for cell in cells.indices {
      let (row, column) = cell.quotientAndRemainder(dividingBy: columns)
      let (left, right) = (column * size.width / columns, (column + 1) * size.width / columns)
      let (top, bottom) = (row * size.height / rows, (row + 1) * size.height / rows)
      var sum = 0
      for y in top..<bottom {
        var offset = 3 * (y * size.width + left)
        for _ in left..<right {
          // ITU-R BT.601, in 256ths.
          sum += 77 * pixels.byte(at: offset) + 150 * pixels.byte(at: offset + 1) + 29 * pixels.byte(at: offset + 2)
          offset += 3
        }
      }
      cells[cell] = Float(sum) / Float(max(256 * (right - left) * (bottom - top), 1))
    }
  }

  init(cells: InlineArray<192, Float>) { self.cells = cells }
}

extension RawSpan {
  @inline(__always)
  fileprivate func byte(at offset: Int) -> Int {
    // Safe: every bit pattern is a valid byte.
    Int(unsafe unsafeLoad(fromByteOffset: offset, as: UInt8.self))
  }
}

/// How light changed everywhere: a camera's exposure, a cloud, a lamp.
private struct LightChange {
  var gain: Float = 1
  var offset: Float = 0

  /// What a cell becomes. White stays white.
  func apply(to luma: Float) -> Float { min(max(gain * luma + offset, 0), 255) }

  /// Whether it is so large, within a fifth of a second or so, that nothing can be said about motion.
  var isStep: Bool { !(0.8...1.25).contains(gain) || offset.magnitude > 16 }
}

/// Measures motion from picture to picture, each a fifth of a second or so after the last.
///
/// What is usual in each cell follows the picture slowly, and so does its noise. A change of light is what explains the
/// most cells: a shift, a factor, or both. What it leaves unexplained has moved.
package struct MotionMeter: BitwiseCopyable, Sendable {
  /// So many pictures are only learned from: at first, and after a step of the light.
  private static var firstCount: Int { 20 }
  private static var stepCount: Int { 8 }
  /// A cell must change by this many times its mean noise.
  private static var noiseFactor: Float { 4 }

  private var usual = InlineArray<192, Float>(repeating: 0)
  private var noise = InlineArray<192, Float>(repeating: 0)
  /// How many pictures are still to be learned from; nil before the first.
  private var settlingCount: Int?

  /// Knows nothing yet.
  package init() {}

  /// Follows the next picture.
  /// - Parameters:
  ///   - pixels: three bytes each, red first, in rows without padding.
  ///   - sensitivity: how many steps of luma a cell must change by at least.
  /// - Returns: the part of the zones in which something moved, in percent.
  @export(interface)
  package mutating func percent(
    _ pixels: RawSpan, _ size: PixelSize, sensitivity: UInt8, zones: MotionZones
  ) -> Double {
    percent(MotionGrid(pixels, size), sensitivity: Float(sensitivity), zones: zones)
  }

  /// The same for a grid.
  mutating func percent(_ grid: MotionGrid, sensitivity: Float, zones: MotionZones) -> Double {
    guard let settling = settlingCount else {
      usual = grid.cells
      settlingCount = Self.firstCount
      return 0
    }
    let (light, changedCount) = explain(grid, sensitivity)
    if light.isStep || changedCount * 5 > MotionGrid.cellCount * 3 {
      usual = grid.cells
      settlingCount = max(settling, Self.stepCount)
      return 0
    }
    var (movedCount, enabledCount) = (0, 0)
    for cell in usual.indices {
      let expected = light.apply(to: usual[cell])
      let rest = grid.cells[cell] - expected
      let hasMoved = rest.magnitude > threshold(cell, sensitivity)
      if zones.contains(cell) {
        enabledCount += 1
        if hasMoved { movedCount += 1 }
      }
      // What has come to stay is usual after half a minute.
      usual[cell] = expected + rest / (settling > 0 ? 4 : hasMoved ? 128 : 16)
      noise[cell] += (min(rest.magnitude, 32) - noise[cell]) / (settling > 0 ? 8 : 128)
    }
    settlingCount = max(settling - 1, 0)
    return settling > 0 ? 0 : 100 * Double(movedCount) / Double(max(enabledCount, 1))
  }

  private func threshold(_ cell: Int, _ sensitivity: Float) -> Float {
    max(sensitivity, Self.noiseFactor * noise[cell])
  }

  /// Finds the change of light that leaves the fewest cells changed, and how many those are.
  private func explain(_ grid: MotionGrid, _ sensitivity: Float) -> (LightChange, Int) {
    var numbers = InlineArray<192, Float> { grid.cells[$0] - usual[$0] }
    sort(&numbers)
    let shift = LightChange(offset: numbers[96])
    numbers = InlineArray { grid.cells[$0] / max(usual[$0], 1) }
    sort(&numbers)
    let factor = LightChange(gain: numbers[96])
    numbers = usual
    sort(&numbers)
    let (low, middle, high) = (numbers[48], numbers[96], numbers[144])
    numbers = grid.cells
    sort(&numbers)
    // With little contrast the factor would be chance.
    let gain = high - low < 8 ? 1 : (numbers[144] - numbers[48]) / (high - low)
    var best = (shift, changedCount(grid, shift, sensitivity))
    consider(factor, grid, sensitivity, &best)
    consider(LightChange(gain: gain, offset: numbers[96] - gain * middle), grid, sensitivity, &best)
    return best
  }

  private func consider(
    _ light: LightChange, _ grid: MotionGrid, _ sensitivity: Float, _ best: inout (LightChange, Int)
  ) {
    let count = changedCount(grid, light, sensitivity)
    if count < best.1 { best = (light, count) }
  }

  private func changedCount(_ grid: MotionGrid, _ light: LightChange, _ sensitivity: Float) -> Int {
    var count = 0
    for cell in usual.indices
    where (grid.cells[cell] - light.apply(to: usual[cell])).magnitude > threshold(cell, sensitivity) { count += 1 }
    return count
  }
}

/// By insertion: pictures resemble each other, and 192 numbers take some 10 µs.
@_optimize(speed)
private func sort(_ numbers: inout InlineArray<192, Float>) {
  for index in 1..<numbers.count {
    let number = numbers[index]
    var place = index
    while place > 0, numbers[place - 1] > number {
      numbers[place] = numbers[place - 1]
      place -= 1
    }
    numbers[place] = number
  }
}

/// Asks how much of the newest picture moves.
package struct MotionRequest: BitwiseCopyable, Sendable {
  package var zones: MotionZones
  /// How many steps of luma a cell must change by, 1…255.
  package var sensitivity: UInt8

  package init(zones: MotionZones, sensitivity: UInt8) {
    self.zones = zones
    self.sensitivity = sensitivity
  }
}

/// The part of the zones that moves, in percent; nil if there is no new picture.
package typealias MotionReply = Double?

/// Where motion counts: up to four rectangles of the picture, in percent of its width and height: `50x40+0+60`.
package struct MotionZones: BitwiseCopyable, Sendable {
  /// The most rectangles.
  package static var capacity: Int { 4 }
  static var columns: Int { 16 }
  static var rows: Int { 12 }

  /// The cells that count, a bit for each column.
  private var cells: InlineArray<12, UInt16>

  /// The whole picture.
  package init() { cells = InlineArray(repeating: .max) }

  /// - Returns: nil if one of them is not `WIDTHxHEIGHT+LEFT+TOP` within the picture, or there are too many.
  @export(interface)
  package init?(_ text: Span<UInt8>) {
    cells = InlineArray(repeating: 0)
    var numbers = InlineArray<4, Int>(repeating: 0)
    var (part, digitCount, count) = (0, 0, 0)
    for index in 0...text.count {
      let byte = index < text.count ? text[index] : UInt8(ascii: ",")
      if (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) {
        guard digitCount < 3 else { return nil }
        digitCount += 1
        numbers[part] = numbers[part] * 10 + Int(byte - UInt8(ascii: "0"))
        continue
      }
      if byte == UInt8(ascii: " "), part == 0, digitCount == 0 { continue }
      let separator = UInt8(ascii: part == 0 ? "x" : part < 3 ? "+" : ",")
      guard digitCount > 0, byte == separator else { return nil }
      digitCount = 0
      part = (part + 1) % 4
      guard part == 0 else { continue }
      count += 1
      guard count <= Self.capacity, add(numbers) else { return nil }
      numbers = InlineArray(repeating: 0)
    }
  }

  /// Adds the cells that a rectangle touches.
  private mutating func add(_ numbers: InlineArray<4, Int>) -> Bool {
    let (right, bottom) = (numbers[2] + numbers[0], numbers[3] + numbers[1])
    guard numbers[0] > 0, numbers[1] > 0, right <= 100, bottom <= 100 else { return false }
    for row in numbers[3] * Self.rows / 100..<(bottom * Self.rows + 99) / 100 {
      for column in numbers[2] * Self.columns / 100..<(right * Self.columns + 99) / 100 { cells[row] |= 1 << column }
    }
    return true
  }

  /// Whether motion in this cell counts; cells are numbered by rows.
  func contains(_ cell: Int) -> Bool { cells[cell / Self.columns] & 1 << UInt16(cell % Self.columns) != 0 }
}
