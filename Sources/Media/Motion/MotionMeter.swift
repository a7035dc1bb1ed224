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
