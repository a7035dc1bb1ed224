/// Reads the frame number out of a picture of the simulated camera, decoded by whatever program.
///
/// A grid of 20 × 15 cells lies over the picture. Rows 1 and 2, columns 2…17, hold 32 bits, the most significant first,
/// white for 1 and black for 0; rows 3 and 4 hold the same bits inverted.
public enum FrameNumberReader {
  /// - Returns: nil when a block is neither black nor white, or the two copies contradict each other: a misread is told.
  public static func read(_ picture: LumaPicture) -> UInt32? {
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

/// Reads the zoom factor out of a picture of the simulated camera, decoded by whatever program, at its full size.
///
/// In row 7 of the grid of 20 × 15 cells a white bar lies on black in the middle of the picture, a thirty-second of it
/// wide. Its width is measured by its brightness, to a fraction of a pixel.
public enum ZoomReader {
  /// - Returns: nil when there is no such bar: 1…16 can be read.
  public static func read(_ picture: LumaPicture) -> Double? {
    let middle = picture.widthPixels / 2
    let black = mean(of: picture, columns: 0..<picture.widthPixels / 16)
    let white = mean(of: picture, columns: middle - middle / 64..<middle + middle / 64)
    guard white - black > 100 else { return nil }
    let brightness = mean(of: picture, columns: 0..<picture.widthPixels) - black
    let width = Double(picture.widthPixels) * brightness / (white - black)
    return width / Double(barPixels(widthPixels: picture.widthPixels))
  }

  /// The bar's width where nothing is zoomed: its edges are even, and it is in the middle.
  static func barPixels(widthPixels: Int) -> Int {
    let half = widthPixels / 64
    return 2 * (half + (widthPixels / 2 - half) % 2)
  }

  /// Of the middle half of the row.
  private static func mean(of picture: LumaPicture, columns: Range<Int>) -> Double {
    let rows = picture.heightPixels * 29 / 60..<picture.heightPixels * 31 / 60
    var sum = 0
    for row in rows {
      for column in columns { sum += Int(picture.bytes[picture.bytes.startIndex + row * picture.widthPixels + column]) }
    }
    return Double(sum) / Double(rows.count * columns.count)
  }
}

/// Tells whether the simulated camera's flash is on in a picture: cells of columns 1…8, rows 8…13 of the grid of 20 × 15
/// are white instead of black.
public enum FlashDetector {
  /// Whether this picture shows the flash.
  public static func isFlashing(_ picture: LumaPicture) -> Bool {
    picture.meanBrightness(columns: 1..<9, rows: 8..<14) > 128
  }
}

/// Finds the simulated microphone's clicks: a click starts at full strength, 0.5, out of noise below 0.001.
public enum ClickDetector {
  /// The frames at which clicks start.
  /// - Parameters:
  ///   - samples: interleaved, full scale being 1.
  ///   - quietFrames: how long it must have been quiet before a click, a few milliseconds.
  public static func onsets(_ samples: [Float], channelCount: Int, quietFrames: Int = 480) -> [Int] {
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
