import CJPEG
import TestPictures
import TestSupport
import Testing

@testable import Media

extension TestPicture.Plane {
  /// The middle of the plane, 1 / `factor` of each side, at another size: bilinear, aligned by sample centres.
  func zoomed(_ factor: Double, width: Int, height: Int) -> [Double] {
    (0..<height).flatMap { row in
      let (upper, lower, down) = Self.neighbours(row, of: height, in: self.height, factor)
      return (0..<width).map { column in
        let (left, right, across) = Self.neighbours(column, of: width, in: self.width, factor)
        let above = sample(left, upper) * (1 - across) + sample(right, upper) * across
        let below = sample(left, lower) * (1 - across) + sample(right, lower) * across
        return above * (1 - down) + below * down
      }
    }
  }

  func worstDifference(of expected: [Double]) -> Double {
    guard expected.count == samples.count else { return .infinity }
    return zip(samples, expected).reduce(0) { max($0, abs(Double($1.0) - $1.1)) }
  }

  fileprivate mutating func append(_ rows: cjpeg_rows) {
    for row in unsafe 0..<Int(rows.row_count) {
      let start = unsafe rows.first_row + row * rows.bytes_per_row
      unsafe samples.append(contentsOf: UnsafeBufferPointer(start: start, count: width))
    }
  }

  private func sample(_ column: Int, _ row: Int) -> Double { Double(samples[row * width + column]) }

  private static func neighbours(
    _ target: Int, of targetCount: Int, in sourceCount: Int, _ factor: Double
  ) -> (Int, Int, Double) {
    let middle = Double(sourceCount) / 2
    let place =
      middle + (Double(target) + 0.5 - Double(targetCount) / 2) * Double(sourceCount) / Double(targetCount) / factor
      - 0.5
    let inside = min(max(place, 0), Double(sourceCount - 1))
    let first = Int(inside)
    return (first, min(first + 1, sourceCount - 1), inside - Double(first))
  }
}

extension TestPicture {
  /// The samples from which a JPEG of the picture would be made if its range were full.
  func scaledPlanes(factor: Double) throws -> [Plane] {
    let layout = try #require(PictureLayout(format))
    let copy = UnsafeMutablePointer<UInt8>.allocate(capacity: luma.width + 1)
    defer { unsafe copy.deallocate() }
    return try unsafe bytes.withUnsafeBytes { bytes in
      var rows = unsafe RawRows(bytes, readers: ComponentReaders(layout, colorRange: .full), copy: copy)
      return try ComponentScalers.planes(of: &rows, target: layout, factor: factor)
    }
  }
}

extension ComponentScalers {
  /// Every band of the visible part of `source`.
  static func planes<Source: SampleRows & ~Copyable>(
    of source: inout Source, target: PictureLayout, factor: Double
  ) throws -> [TestPicture.Plane] {
    var memory = leakedBootMemory()
    var scaler = try unwrapped(ComponentScalers(target: target, in: &memory))
    scaler.begin(source, zoomFactor: factor)
    var planes = [target.luma, target.blueDifference, target.redDifference].map {
      TestPicture.Plane(width: $0.widthSamples, height: $0.heightSamples, samples: [])
    }
    for band in 0..<target.bandCount {
      let rows = try unsafe scaler.rows(inBand: band, of: &source)
      unsafe planes[0].append(rows.luma)
      unsafe planes[1].append(rows.blueDifference)
      unsafe planes[2].append(rows.redDifference)
    }
    return planes
  }
}
