import Base

/// A camera buffer to draw on, in any pixel format.
@safe struct SimCanvas {
  // Sound: the memory is a piece of the camera's own, cut for this format, and every row's bounds are checked.
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

  /// - Parameters: the differences of blue and red from the luma; 128 is none.
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
  /// A rectangle with even edges, so that it holds whole chroma samples: odd edges are moved up or to the left.
  init(evenColumns columns: Range<Int>, rows: Range<Int>) {
    let (x, y) = (columns.lowerBound & ~1, rows.lowerBound & ~1)
    self.init(x: x, y: y, width: columns.upperBound & ~1 - x, height: rows.upperBound & ~1 - y)
  }
}
