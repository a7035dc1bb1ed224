import Base
import Foundation
import Media
import TestSupport

/// A raw picture whose planes are known: waves with a little noise, like a camera's.
///
/// Bytes not specified by V4L2 (the ends of rows) are filled with values that would show in the picture.
package struct TestPicture {
  package var format: VideoFormat
  package let luma: Plane
  package let blueDifference: Plane
  package let redDifference: Plane
  /// In the layout documented by V4L2 for the format.
  package let bytes: [UInt8]

  package var planes: [Plane] { [luma, blueDifference, redDifference] }

  package struct Plane: Equatable {
    package var width: Int
    package var height: Int
    package var samples: [UInt8]

    package init(width: Int, height: Int, samples: [UInt8]) {
      self.width = width
      self.height = height
      self.samples = samples
    }
  }

  /// - Parameter rowPadding: bytes after the pixels of each row of the first plane.
  package init(_ pixelFormat: PixelFormat, width: Int, height: Int, rowPadding: Int = 0, seed: UInt64 = 1) {
    let rowBytes = (pixelFormat == .yuyv ? 2 * width : width) + rowPadding
    format = VideoFormat(
      widthPixels: UInt16(width), heightPixels: UInt16(height), pixelFormat: pixelFormat,
      bytesPerRow: UInt32(rowBytes), frameRate: FrameRate(frames: 30))
    let chromaHeight = pixelFormat == .yuyv ? height : height / 2
    luma = Self.waves(width: width, height: height, seed: seed)
    blueDifference = Self.waves(width: width / 2, height: chromaHeight, seed: seed + 1)
    redDifference = Self.waves(width: width / 2, height: chromaHeight, seed: seed + 2)
    bytes = Self.layOut(pixelFormat, luma, blueDifference, redDifference, rowBytes: rowBytes)
  }

  private static func waves(width: Int, height: Int, seed: UInt64) -> Plane {
    var random = SeededGenerator(seed: seed)
    let wave = { (index: Int) in Int(55 * sin(Double(index) / 9 + Double(seed))) }
    let across = (0..<width).map(wave)
    let down = (0..<height).map(wave)
    var samples: [UInt8] = []
    samples.reserveCapacity(width * height)
    for y in 0..<height {
      for x in 0..<width { samples.append(UInt8(124 + across[x] + down[y] + Int(random.next() % 8))) }
    }
    return Plane(width: width, height: height, samples: samples)
  }

  private static func layOut(
    _ pixelFormat: PixelFormat, _ luma: Plane, _ blue: Plane, _ red: Plane, rowBytes: Int
  ) -> [UInt8] {
    switch pixelFormat {
    case .yuyv:
      rows(luma.height, of: rowBytes) { row in
        interleave(
          interleave(luma.row(row), everySecondFrom: 0), interleave(luma.row(row), everySecondFrom: 1),
          blue.row(row), red.row(row))
      }
    case .nv12:
      rows(luma.height, of: rowBytes) { luma.row($0) }
        + rows(blue.height, of: rowBytes) { row in zip(blue.row(row), red.row(row)).flatMap { [$0, $1] } }
    case .yuv420, .mjpeg:
      rows(luma.height, of: rowBytes) { luma.row($0) } + rows(blue.height, of: rowBytes / 2) { blue.row($0) }
        + rows(red.height, of: rowBytes / 2) { red.row($0) }
    }
  }

  private static func interleave(_ samples: ArraySlice<UInt8>, everySecondFrom first: Int) -> [UInt8] {
    stride(from: samples.startIndex + first, to: samples.endIndex, by: 2).map { samples[$0] }
  }

  private static func interleave(
    _ even: [UInt8], _ odd: [UInt8], _ blue: ArraySlice<UInt8>, _ red: ArraySlice<UInt8>
  ) -> ArraySlice<UInt8> {
    var row: [UInt8] = []
    for (pair, chroma) in zip(zip(even, odd), zip(blue, red)) { row += [pair.0, chroma.0, pair.1, chroma.1] }
    return row[...]
  }

  private static func rows<Row: Collection<UInt8>>(_ count: Int, of rowBytes: Int, _ row: (Int) -> Row) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(count * rowBytes)
    for index in 0..<count {
      let pixels = row(index)
      bytes += pixels
      for column in pixels.count..<max(rowBytes, pixels.count) { bytes.append(column % 2 == 0 ? 0 : 255) }
    }
    return bytes
  }
}

extension TestPicture.Plane {
  package func row(_ index: Int) -> ArraySlice<UInt8> { samples[index * width..<(index + 1) * width] }

  /// Peak signal-to-noise ratio in dB of another plane of the same size, over the given rows and columns.
  package func psnr(of other: Self, columns: Range<Int>, rows: Range<Int>) -> Double {
    var squares = 0
    for row in rows {
      for index in row * width + columns.lowerBound..<row * width + columns.upperBound {
        let difference = Int(samples[index]) - Int(other.samples[index])
        squares += difference * difference
      }
    }
    let meanSquare = Double(max(squares, 1)) / Double(columns.count * rows.count)
    return 10 * log10(255 * 255 / meanSquare)
  }

  package func psnr(of other: Self) -> Double { psnr(of: other, columns: 0..<width, rows: 0..<height) }

  /// The lower ratio of the last eight columns and the last eight rows.
  package func psnrAtEdges(of other: Self) -> Double {
    min(
      psnr(of: other, columns: max(width - 8, 0)..<width, rows: 0..<height),
      psnr(of: other, columns: 0..<width, rows: max(height - 8, 0)..<height))
  }
}
