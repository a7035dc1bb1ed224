import Base
import CLinux
import Drawing
import Machine

/// `--picture`: draws one view into a file.
enum PictureCommand {
  private static let longestSide = 4096

  static func run(_ words: inout ArgumentList) -> Int32 {
    guard let output: FixedText<256> = words.next(), let width = words.number(1...longestSide),
      let height = words.number(1...longestSide), let framing: Framing = words.choice(),
      let mounting: Mounting = words.choice(), let input: FixedText<256> = words.next()
    else {
      return ViewProgram.refuse("--picture OUTPUT WIDTH HEIGHT fit|fill built-in|standing JPEG|none [KEY=VALUE...]")
    }
    var settings = PictureSettings()
    while let word: FixedText<256> = words.next() {
      guard settings.set(word.bytes) else { return ViewProgram.refuse("a key of --picture has no such value") }
    }
    let size = PixelSize(width: width, height: height)
    return draw(input, settings.shown, size: size, framing, mounting, into: output)
  }

  private static func draw(
    _ input: FixedText<256>, _ shown: ShownStatus, size: PixelSize, _ framing: Framing, _ mounting: Mounting,
    into output: FixedText<256>
  ) -> Int32 {
    let largest = PixelSize(width: longestSide, height: longestSide)
    let side = max(size.width, size.height)
    var memory = unsafe BootMemory(source: lockedPages)
    guard var source = PictureSource(largest: largest, in: &memory),
      var painter = ViewPainter(
        framing: framing, mounting: mounting, longestPictureLine: longestSide, longestCanvasSide: side, in: &memory),
      let pixels = unsafe memory.cut(byteCount: size.width * size.height * 4)
    else { return ViewProgram.fail("there is no memory") }
    guard input == "none" || source.read({ buffer in read(input, into: &buffer) }, for: largest) else {
      return ViewProgram.refuse("the picture is not a readable JPEG")
    }
    let span = unsafe MutableSpan<UInt32>(_unsafeElements: pixels.bindMemory(to: UInt32.self))
    guard var canvas = Canvas(span, size: size, pixelsPerLine: size.width) else { return ExitStatus.failed }
    // An application has no use for the camera's picture.
    if shown.showsPicture {
      painter.paint(source.picture, artwork: nil, shown, onto: &canvas)
    } else {
      painter.paint(nil, artwork: source.picture, shown, onto: &canvas)
    }
    return unsafe write(pixels, size, to: output) ? ExitStatus.done : ViewProgram.fail("cannot write")
  }

  /// - Returns: how many bytes of the file fit; 0 when it cannot be read.
  private static func read(_ path: FixedText<256>, into buffer: inout MutableRawSpan) -> Int {
    guard let file = FileDescriptor(path: path, flags: O_RDONLY) else { return 0 }
    var byteCount = 0
    while byteCount < buffer.byteCount {
      let count = unsafe buffer.withUnsafeMutableBytes { buffer in
        retryingWhenInterrupted {
          unsafe CLinux.read(file.number, buffer.baseAddress! + byteCount, buffer.count - byteCount)
        }
      }
      guard count > 0 else { break }
      byteCount += count
    }
    return byteCount
  }

  /// As PPM (netpbm's portable pixmap, P6): the pixels are converted to red, green and blue in place.
  private static func write(_ pixels: UnsafeMutableRawBufferPointer, _ size: PixelSize, to path: FixedText<256>) -> Bool
  {
    let count = size.width * size.height
    for index in 0..<count {
      let pixel = unsafe pixels.load(fromByteOffset: index * 4, as: UInt32.self)
      unsafe pixels.storeBytes(of: UInt8(truncatingIfNeeded: pixel >> 16), toByteOffset: index * 3, as: UInt8.self)
      unsafe pixels.storeBytes(of: UInt8(truncatingIfNeeded: pixel >> 8), toByteOffset: index * 3 + 1, as: UInt8.self)
      unsafe pixels.storeBytes(of: UInt8(truncatingIfNeeded: pixel), toByteOffset: index * 3 + 2, as: UInt8.self)
    }
    guard let file = FileDescriptor(path: path, flags: O_WRONLY | O_CREAT | O_TRUNC, mode: 0o644) else { return false }
    let header: FixedText<64> = "P6\n\(size.width) \(size.height)\n255\n"
    let headerCount = unsafe header.bytes.withUnsafeBufferPointer {
      unsafe CLinux.write(file.number, $0.baseAddress, $0.count)
    }
    return unsafe headerCount == header.byteCount
      && CLinux.write(file.number, pixels.baseAddress, count * 3) == count * 3
  }
}
