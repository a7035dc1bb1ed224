import Base
import TestSupport
import Testing

@testable import Record

/// Which pictures count as black, and which as frozen.
@Suite struct PictureWatchTests {
  private static let format = VideoFormat(
    widthPixels: 160, heightPixels: 120, pixelFormat: .nv12, bytesPerRow: 160, frameRate: FrameRate(frames: 30),
    colorRange: .limited)

  /// Feeds a watch with seconds of pictures, ten a second, and returns its first complaint.
  private func firstTrouble(
    _ format: VideoFormat = format, seconds: Int = 12, _ picture: (_ number: Int) -> [UInt8]
  ) -> (trouble: PictureTrouble, seconds: Double)? {
    var watch = PictureWatch()
    watch.start(format)
    for number in 0..<seconds * 10 {
      let bytes = picture(number)
      unsafe watch.see(bytes.span.bytes, at: Instant(1_000_000_000 + UInt64(number) * 100_000_000))
      if let trouble = watch.trouble { return (trouble, Double(number) / 10) }
    }
    return nil
  }

  /// A picture of one level, with noise of at most this deviation.
  private func plain(_ level: Int, noise: Int, _ generator: inout SeededGenerator) -> [UInt8] {
    var picture = [UInt8](repeating: 128, count: 160 * 120 * 3 / 2)
    for index in 0..<160 * 120 {
      picture[index] = UInt8(max(level + Int.random(in: -noise...noise, using: &generator), 0))
    }
    return picture
  }

  @Test("a covered sensor is black between 4.5 and 5 s, whatever its noise", arguments: [0, 3, 8])
  func covered(noise: Int) throws {
    var generator = SeededGenerator(seed: 1)
    let first = try #require(firstTrouble { _ in plain(16, noise: noise, &generator) })
    #expect(first.trouble == .black && (4.5..<5).contains(first.seconds))
  }

  @Test("a night with one lamp in a hundredth of the picture is not black")
  func night() {
    var generator = SeededGenerator(seed: 2)
    #expect(
      firstTrouble { _ in
        var picture = plain(18, noise: 4, &generator)
        for row in 50..<62 { for column in 75..<91 { picture[row * 160 + column] = 200 } }
        return picture
      } == nil)
  }

  @Test("a still scene with a sensor's noise is not frozen; without any it is, within 5 s")
  func still() throws {
    var generator = SeededGenerator(seed: 3)
    #expect(firstTrouble { _ in plain(90, noise: 1, &generator) } == nil)
    let one = plain(90, noise: 1, &generator)
    let first = try #require(firstTrouble { _ in one })
    #expect(first.trouble == .frozen && (4.5..<5).contains(first.seconds))
  }

  @Test("a clock in a two-hundredth of an otherwise frozen picture keeps it from being frozen")
  func clock() {
    var generator = SeededGenerator(seed: 4)
    let one = plain(90, noise: 0, &generator)
    #expect(
      firstTrouble { number in
        var picture = one
        for row in 2..<10 { for column in 3..<15 { picture[row * 160 + column] = UInt8(number * 37 % 200) } }
        return picture
      } == nil)
  }

  @Test("a camera's JPEGs are frozen when they repeat, and not when a byte differs; one of no bytes ends nothing")
  func jpegs() throws {
    let format = VideoFormat(
      widthPixels: 640, heightPixels: 480, pixelFormat: .mjpeg, bytesPerRow: 0, frameRate: FrameRate(frames: 30))
    let one = [UInt8](repeating: 7, count: 300)
    #expect(firstTrouble(format) { _ in one }?.trouble == .frozen)
    #expect(firstTrouble(format) { [UInt8](repeating: UInt8($0), count: 1) + one } == nil)
    #expect(firstTrouble(format) { _ in [] }?.trouble == .frozen)
  }

  @Test("a picture that is cut short is passed over")
  func cutShort() {
    #expect(firstTrouble { _ in [UInt8](repeating: 16, count: 1_000) } == nil)
  }
}
