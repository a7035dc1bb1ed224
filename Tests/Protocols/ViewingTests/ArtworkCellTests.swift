import Base
import Synchronization
import TestSupport
import Testing

@Suite struct ArtworkCellTests {
  private static func cell() throws -> ArtworkCell {
    var memory = leakedBootMemory(byteCount: ArtworkCell.byteCount)
    return try unwrapped(ArtworkCell(in: &memory))
  }

  private static func publish(_ pixels: [UInt8], _ width: Int, _ height: Int, to cell: ArtworkCell) {
    cell.publish(unsafe pixels.span.bytes, size: PixelSize(width: width, height: height))
  }

  @Test("What is published is what is read, of any size up to 200 by 200, each with a version of its own")
  func roundTrip() throws {
    var random = SeededGenerator(seed: 3)
    let cell = try Self.cell()
    var versions: Set<UInt64> = [cell.version]
    for (width, height) in [(1, 1), (3, 1), (200, 200), (199, 113), (1, 200)] {
      let pixels = (0..<3 * width * height).map { _ in UInt8.random(in: 0...255, using: &random) }
      Self.publish(pixels, width, height, to: cell)
      let read = try #require(cell.copy())
      #expect(read.size == PixelSize(width: width, height: height))
      #expect(Array(read.bytes.prefix(pixels.count)) == pixels)
      #expect(read.version == cell.version && versions.insert(read.version).inserted)
    }
  }

  @Test("A picture that is too large, empty or too short removes the one before, and so does clear")
  func removes() throws {
    let cell = try Self.cell()
    #expect(cell.copy()?.size == PixelSize(width: 0, height: 0))
    let pixels = [UInt8](repeating: 1, count: 3 * 201 * 201)
    for (width, height) in [(201, 1), (1, 201), (0, 5), (5, -1)] {
      Self.publish(pixels, 2, 2, to: cell)
      #expect(cell.copy()?.size == PixelSize(width: 2, height: 2))
      Self.publish(pixels, width, height, to: cell)
      #expect(cell.copy()?.size == PixelSize(width: 0, height: 0))
    }
    Self.publish(pixels, 2, 2, to: cell)
    Self.publish([1, 2, 3], 2, 2, to: cell)
    #expect(cell.copy()?.size == PixelSize(width: 0, height: 0))
    Self.publish(pixels, 2, 2, to: cell)
    cell.clear()
    #expect(cell.copy()?.size == PixelSize(width: 0, height: 0))
  }

  @Test("A concurrent reader never sees a mixture of two pictures")
  func isNeverTorn() throws {
    let cell = try Self.cell()
    let isDone = Flag()
    var tornCount = 0
    onTwoThreads(writer: cell, reader: cell) { cell in
      let pictures = (0..<250).map { number in
        let side = number % 2 == 0 ? 4 : 5
        return [UInt8](repeating: UInt8(number), count: 3 * side * side)
      }
      var number = 0
      while !isDone.flag.load(ordering: .relaxed) {
        let side = number % 2 == 0 ? 4 : 5
        Self.publish(pictures[number], side, side, to: cell)
        number = (number + 1) % 250
        // A recorder rarely writes, so most of the time is spent without a write.
        for _ in 0..<20 { _ = cell.version }
      }
    } read: { cell in
      var bytes = [UInt8](repeating: 0, count: Artwork.largestByteCount)
      var versions: Set<UInt64> = []
      // The writer may be descheduled between two pictures.
      while versions.count < 2_000 {
        var span = bytes.mutableSpan
        var room = unsafe span.mutableBytes
        guard let read = cell.read(into: &room), read.size.width > 0 else { continue }
        versions.insert(read.version)
        let pixels = bytes.prefix(3 * read.size.width * read.size.height)
        if Set(pixels).count != 1 || (pixels[0] % 2 == 0) != (read.size.width == 4) { tornCount += 1 }
      }
      isDone.flag.store(true, ordering: .relaxed)
    }
    #expect(tornCount == 0)
  }

  @Test("Whatever the memory holds, a reader gets a picture that fits, or none")
  func survivesAnything() throws {
    var random = SeededGenerator(seed: 5)
    let region = SharedRegion(byteCount: ArtworkCell.byteCount)
    let cell = unsafe ArtworkCell(at: region.base)
    var readCount = 0
    for _ in 0..<200 {
      region.fill(from: 0, using: &random)
      guard let read = cell.copy() else { continue }
      readCount += 1
      #expect((0...200).contains(read.size.width) && (0...200).contains(read.size.height))
    }
    #expect(readCount > 20)
  }
}

private final class Flag: Sendable {
  let flag = Atomic<Bool>(false)
}
