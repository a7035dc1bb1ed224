/// Reads the frame number from a picture of the simulated camera, decoded by any program.
///
/// The picture is divided into a grid of 20 × 15 cells. Rows 1 and 2, columns 2…17, hold 32 bits, most significant
/// first, white for 1 and black for 0; rows 3 and 4 hold the same bits inverted.
package enum FrameNumberReader {
  /// - Returns: nil if a cell is neither black nor white, or the two copies disagree: a misread is detected.
  package static func read(_ picture: LumaPicture) -> UInt32? {
    var number: UInt32 = 0
    for index in 0..<32 {
      guard let bit = bit(index, firstRow: 1, of: picture), let inverted = self.bit(index, firstRow: 3, of: picture),
        bit != inverted
      else { return nil }
      number = number << 1 | (bit ? 1 : 0)
    }
    return number
  }

  private static func bit(_ index: Int, firstRow: Int, of picture: LumaPicture) -> Bool? {
    let column = 2 + index % 16
    let row = firstRow + index / 16
    let brightness = picture.meanBrightness(columns: column..<column + 1, rows: row..<row + 1)
    guard brightness < 90 || brightness > 165 else { return nil }
    return brightness > 128
  }
}

/// Reads the zoom factor from a picture of the simulated camera, decoded by any program, at full size.
///
/// Row 7 of the grid of 20 × 15 cells has a white bar on black in the middle of the picture, 1/32 of it wide. Its width
/// is measured by brightness, to a fraction of a pixel.
package enum ZoomReader {
  /// - Returns: nil if there is no such bar. Factors of 1…16 can be read.
  package static func read(_ picture: LumaPicture) -> Double? {
    let middle = picture.widthPixels / 2
    let black = mean(of: picture, columns: 0..<picture.widthPixels / 16)
    let white = mean(of: picture, columns: middle - middle / 64..<middle + middle / 64)
    guard white - black > 100 else { return nil }
    let brightness = mean(of: picture, columns: 0..<picture.widthPixels) - black
    let width = Double(picture.widthPixels) * brightness / (white - black)
    return width / Double(barPixels(widthPixels: picture.widthPixels))
  }

  /// The bar's width without zoom: its edges are at even pixels, and it is centered.
  static func barPixels(widthPixels: Int) -> Int {
    let half = widthPixels / 64
    return 2 * (half + (widthPixels / 2 - half) % 2)
  }

  /// The mean brightness of the middle half of the row.
  private static func mean(of picture: LumaPicture, columns: Range<Int>) -> Double {
    let rows = picture.heightPixels * 29 / 60..<picture.heightPixels * 31 / 60
    var sum = 0
    for row in rows {
      for column in columns { sum += Int(picture.bytes[picture.bytes.startIndex + row * picture.widthPixels + column]) }
    }
    return Double(sum) / Double(rows.count * columns.count)
  }
}

/// Detects the simulated camera's flash in a picture: cells of columns 1…8, rows 8…13 of the grid of 20 × 15 are white
/// instead of black.
package enum FlashDetector {
  /// Whether this picture shows the flash.
  package static func isFlashing(_ picture: LumaPicture) -> Bool {
    picture.meanBrightness(columns: 1..<9, rows: 8..<14) > 128
  }
}

/// Finds the simulated microphone's clicks: a click starts at full strength, 0.5, out of noise below 0.001.
package enum ClickDetector {
  /// The frames at which clicks start.
  /// - Parameters:
  ///   - samples: interleaved; full scale is 1.
  ///   - quietFrames: the quiet time required before a click, a few milliseconds.
  package static func onsets(_ samples: [Float], channelCount: Int, quietFrames: Int = 480) -> [Int] {
    var onsets: [Int] = []
    var quiet = quietFrames
    for frame in 0..<samples.count / channelCount {
      if abs(samples[frame * channelCount]) > 0.1 {
        if quiet >= quietFrames { onsets.append(frame) }
        quiet = 0
      } else {
        quiet += 1
      }
    }
    return onsets
  }
}
