import Base
import TestSupport
import Testing

@testable import Media

/// Motion in scenes made from a seed, five pictures a second.
@Suite struct MotionMeterTests {
  /// A scene of 16 x 12 cells, and what happens to it.
  private struct Scene {
    var meter = MotionMeter()
    var generator: SeededGenerator
    let cells: [Float]
    var sensitivity: Float = 12
    var zones = MotionZones()

    init(seed: UInt64, luma: ClosedRange<Float> = 20...200) {
      var generator = SeededGenerator(seed: seed)
      cells = (0..<192).map { _ in .random(in: luma, using: &generator) }
      self.generator = generator
    }

    /// Shows a picture with noise of some steps.
    mutating func show(noise: Float = 2, _ change: (Int, Float) -> Float = { $1 }) -> Double {
      let values = cells.indices.map { cell in
        min(max(change(cell, cells[cell]) + .random(in: -noise...noise, using: &generator), 0), 255)
      }
      return meter.percent(MotionGrid(cells: InlineArray { values[$0] }), sensitivity: sensitivity, zones: zones)
    }

    mutating func settle() { for _ in 0..<40 { _ = show() } }

    /// The highest value of some pictures.
    mutating func highest(_ count: Int, noise: Float = 2, _ change: (Int, Int, Float) -> Float) -> Double {
      var highest = 0.0
      for index in 0..<count { highest = max(highest, show(noise: noise) { change(index, $0, $1) }) }
      return highest
    }
  }

  @Test("a blob that moves is as large as it is", arguments: 1...30 as ClosedRange<UInt64>)
  func seesBlob(seed: UInt64) {
    var scene = Scene(seed: seed, luma: 20...150)
    scene.settle()
    let size = Int(seed % 4) + 2
    for step in 0..<10 {
      let value = scene.show { cell, luma in
        (step..<step + size).contains(cell % 16) && (3..<3 + size).contains(cell / 16) ? luma + 60 : luma
      }
      let share = 100 * Double(min(size, 16 - step) * size) / 192
      // What it has just left may be taken for changed too.
      #expect((0.9 * share...1.6 * share + 1).contains(value), "seed \(seed): \(value) of \(share)")
    }
  }

  @Test("an hour of noise is not motion", arguments: 1...3 as ClosedRange<UInt64>)
  func ignoresNoise(seed: UInt64) {
    var scene = Scene(seed: seed)
    scene.settle()
    let highest = scene.highest(18_000, noise: 8) { $2 }
    #expect(highest < 1, "\(highest)")
  }

  @Test(
    "steps of the exposure are not motion", arguments: 1...30 as ClosedRange<UInt64>, [0.5, 0.73, 1.37, 2] as [Float])
  func ignoresExposure(seed: UInt64, factor: Float) {
    var scene = Scene(seed: seed)
    scene.settle()
    let highest = scene.highest(100) { factor * $2 }
    #expect(highest < 3, "\(highest)")
    // It looks again soon afterwards.
    let blob = scene.show { (cell, luma) in factor * luma + (cell / 16 == 5 ? luma > 100 ? -80 : 80 : 0) }
    #expect(blob > 4, "\(blob)")
  }

  @Test("flicker of lamps in bands is not motion once it is usual", arguments: 1...10 as ClosedRange<UInt64>)
  func ignoresFlicker(seed: UInt64) {
    var scene = Scene(seed: seed)
    func flicker(_ index: Int, _ cell: Int, _ luma: Float) -> Float {
      // Each picture has the bands elsewhere.
      let phase = (cell / 16 + index * 5) % 7
      return luma * (1 + 0.1 * Float(abs(phase - 3) - 2))
    }
    _ = scene.highest(60, flicker)
    let highest = scene.highest(500, flicker)
    #expect(highest < 3, "\(highest)")
  }

  @Test("clouds that pass are not motion", arguments: 1...10 as ClosedRange<UInt64>)
  func ignoresClouds(seed: UInt64) {
    var scene = Scene(seed: seed)
    scene.settle()
    // The whole picture becomes darker by a third and brighter again, in ten seconds each.
    let highest = scene.highest(300) { index, _, luma in luma * (1 - Float(abs(index % 100 - 50)) / 150) }
    #expect(highest < 3, "\(highest)")
  }

  @Test("what comes to stay is usual after a minute")
  func learns() {
    var scene = Scene(seed: 1, luma: 50...150)
    scene.settle()
    let first = scene.show { $0 < 16 ? $1 + 80 : $1 }
    #expect(first > 8)
    _ = scene.highest(300) { $1 < 16 ? $2 + 80 : $2 }
    let last = scene.show { $0 < 16 ? $1 + 80 : $1 }
    #expect(last < 1)
  }

  @Test("only the zones count, and all of them")
  func hasZones() throws {
    let text: StaticString = "50x50+0+0, 1x1+99+99"
    let parsed = MotionZones(text.utf8Bytes)
    let zones = try #require(parsed)
    #expect((0..<192).count { zones.contains($0) } == 8 * 6 + 1)
    var scene = Scene(seed: 2, luma: 50...150)
    scene.zones = zones
    scene.settle()
    let outside = scene.show { $0 / 16 == 8 ? $1 + 60 : $1 }
    #expect(outside == 0)
    let value = scene.show { $0 / 16 == 2 ? $1 + 60 : $1 }
    #expect((15...18).contains(value), "\(value)")
  }

  @Test("a cell is the mean of its pixels, whatever the size", arguments: [(16, 12), (240, 135), (80, 60), (20, 15)])
  func averages(width: Int, height: Int) {
    let pixels = (0..<3 * width * height).map { index in UInt8(index / 3 % width * 16 / width * 15) }
    let grid = unsafe MotionGrid(pixels.span.bytes, PixelSize(width: width, height: height))
    for cell in 0..<192 { #expect(abs(grid.cells[cell] - Float(cell % 16 * 15)) <= 15) }
  }
}
