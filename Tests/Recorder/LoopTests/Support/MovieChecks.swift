import Base
import Foundation
import Machine
import TestSupport
import Testing

/// The simulated camera's pictures that contain only a number.
enum NumberedPicture {
  /// Whether it is a stand-in for a camera picture: a JPEG that begins with a JFIF segment.
  static func isStandIn(_ picture: [UInt8]) -> Bool { picture.starts(with: [0xFF, 0xD8, 0xFF, 0xE0]) }

  static func number(of picture: [UInt8]) -> Int { (0..<4).reduce(0) { $0 | Int(picture[6 + $1]) << (8 * $1) } }

  /// The number of the picture from which a still was made: the Exif segment follows the first two bytes.
  static func stillNumber(of still: [UInt8]) -> Int {
    number(of: Array(still.prefix(2)) + still.dropFirst(4 + Int(still[4]) << 8 + Int(still[5])))
  }
}

extension ApplianceRig {
  /// The frame of the world's sound at which a movie begins; nil if the sound is not the world's.
  ///
  /// The second picture determines where to search, as the sound is unique at every place. The first one is shown from
  /// the movie's start, however late it came.
  func startFrame(of movie: FinishedMovie) -> Int? {
    guard let picture = movie.pictures.prefix(2).last, let tick = movie.pictureTicks.prefix(2).last else { return nil }
    return startFrame(
      ofSound: movie.audio, near: Int(soundPlace(ofPicture: NumberedPicture.number(of: picture))) - Int(tick))
  }

  /// The frame of the world's sound at which these bytes begin, within 50 ms of `frame`; nil if not found.
  func startFrame(ofSound bytes: [UInt8], near frame: Int) -> Int? {
    let bytesPerFrame = board.audioFormat.bytesPerFrame
    let margin = Int(board.audioFormat.sampleRateHz) / 20
    let earliest = max(frame - margin, 0)
    let heard = Data(sound(frameCount: bytes.count / bytesPerFrame + 2 * margin, from: earliest))
    let places = heard.startIndex..<min(2 * margin * bytesPerFrame + 64, heard.endIndex)
    guard let start = heard.range(of: Data(bytes.prefix(64)), in: places)?.lowerBound else { return nil }
    let isExact = heard[start...].prefix(bytes.count) == Data(bytes)
    return start % bytesPerFrame == 0 && isExact ? earliest + start / bytesPerFrame : nil
  }

  /// The sample frame of the world at the time of a picture's content.
  func soundPlace(ofPicture number: Int) -> Double {
    let seconds = Double(number) / board.frameRate.framesPerSecond
    let offsetSeconds = Double(settings.video.offsetMilliseconds) / 1000
    let rateHz = Double(board.audioFormat.sampleRateHz)
    return (seconds - offsetSeconds) * rateHz * (1 + Double(board.microphonePartsPerMillion) * 1e-6)
  }

  private func sound(frameCount: Int, from frame: Int) -> [UInt8] {
    let sound = SimSound(
      seed: board.seed, worldStart: 0, sampleRateHz: board.audioFormat.sampleRateHz,
      partsPerMillion: board.microphonePartsPerMillion)
    var bytes = [UInt8](repeating: 0, count: frameCount * board.audioFormat.bytesPerFrame)
    var span = bytes.mutableSpan
    var space = unsafe span.mutableBytes
    sound.write(frameCount: frameCount, from: UInt64(frame), as: board.audioFormat, into: &space)
    return bytes
  }

  /// Checks that a movie is exactly what microphone and camera delivered, with nothing missing, and both in sync.
  ///
  /// - Parameter isInSync: false if the timeline was restarted.
  func expectWhole(_ movie: FinishedMovie, isInSync: Bool = true, _ comment: Comment) throws {
    // Computed outside the expectation, which would print the whole movie on failure.
    let found = startFrame(of: movie)
    let start = try #require(found, "sound differs, \(comment)")
    let numbers = movie.pictures.map(NumberedPicture.number)
    #expect(zip(numbers, numbers.dropFirst()).allSatisfy { $0 + 1 == $1 }, "pictures \(numbers), \(comment)")
    guard isInSync else { return }
    for (index, number) in numbers.enumerated().dropFirst() {
      let error = Double(start) + Double(movie.pictureTicks[index]) - soundPlace(ofPicture: number)
      // Far below the frame period of 33 ms: a millisecond and a tick.
      #expect(error.magnitude <= 10, "picture \(number) is \(error) samples off, \(comment)")
    }
    // Both tracks begin and end within a picture of each other.
    let end = movie.pictureTicks.last ?? 0
    #expect(movie.audio.count / 2 - Int(end) <= 330, "the last picture lasts too long, \(comment)")
  }

  /// The rotation in degrees that ffprobe reports for a movie.
  func rotation(of path: String) throws -> Int {
    let folder = try TemporaryFolder()
    let file = try folder.write(try #require(host.disk.image[path]), as: "take.mov")
    let text = try ForeignProgram.text(
      "ffprobe",
      ["-v", "error", "-select_streams", "v:0", "-show_entries", "stream_side_data=rotation", "-of", "csv=p=0", file])
    return Int(text.filter { $0.isNumber || $0 == "-" }) ?? 0
  }

  /// The clockwise rotation in degrees from the matrix of the video track, which is the first track.
  func matrixDegrees(of path: String) -> Int? {
    guard let content = host.disk.image[path], let range = Data(content).range(of: Data("tkhd".utf8)) else {
      return nil
    }
    // Version and flags, dates, number and length of the track, 16 more bytes, then nine numbers of 32 bits.
    let matrix = range.upperBound + 4 + (content[range.upperBound] == 0 ? 20 : 32) + 16
    let a = Int32(truncatingIfNeeded: (0..<4).reduce(0) { $0 << 8 | Int(content[matrix + $1]) }) >> 16
    let b = Int32(truncatingIfNeeded: (0..<4).reduce(0) { $0 << 8 | Int(content[matrix + 4 + $1]) }) >> 16
    switch (a, b) {
    case (1, 0): return 0
    case (0, 1): return 90
    case (-1, 0): return 180
    case (0, -1): return 270
    default: return nil
    }
  }
}
