import Foundation
import TestSupport
import Testing

extension ApplianceRig {
  /// Where on the timeline a movie begins: its sound is like that of no other place.
  func startFrame(of movie: FinishedMovie) -> Int? {
    let heard = Data(world.heard)
    return heard.range(of: Data(movie.audio.prefix(64))).map { $0.lowerBound / 2 }
  }

  /// Checks that all in a movie is what microphone and camera delivered, nothing is missing, and both go together.
  ///
  /// - Parameter partsPerMillion: how far the microphone's crystal is off; nil where the timeline began anew.
  func expectWhole(_ movie: FinishedMovie, partsPerMillion: Int32?, _ comment: Comment) throws {
    let start = try #require(startFrame(of: movie), comment)
    let isExact = Data(world.heard).dropFirst(start * 2).starts(with: movie.audio)
    #expect(isExact, "sound differs, \(comment)")
    let numbers = movie.pictures.map(NumberedCamera.number)
    #expect(zip(numbers, numbers.dropFirst()).allSatisfy { $0 + 1 == $1 }, "pictures \(numbers), \(comment)")
    guard let partsPerMillion else { return }
    for (index, number) in numbers.enumerated().dropFirst() {
      let seconds = Double(UInt64(number) * NumberedCamera.periodNanoseconds) / 1e9
      let place = seconds * Double(Self.rateHz) * (1 + Double(partsPerMillion) * 1e-6)
      let error = Double(start) + Double(movie.pictureTicks[index]) - place
      // Far below the frame of 33 ms: a millisecond and a tick.
      #expect(error.magnitude <= 10, "picture \(number) is \(error) samples off, \(comment)")
    }
    // Both tracks begin and end within a picture of each other.
    let end = movie.pictureTicks.last ?? 0
    #expect(movie.audio.count / 2 - Int(end) <= 330, "the last picture lasts too long, \(comment)")
  }

  /// How many degrees ffprobe says that a movie is to be turned by.
  func rotation(of path: String) throws -> Int {
    let folder = try TemporaryFolder()
    let file = try folder.write(try #require(world.disk.image[path]), as: "take.mov")
    let text = try ForeignProgram.text(
      "ffprobe",
      ["-v", "error", "-select_streams", "v:0", "-show_entries", "stream_side_data=rotation", "-of", "csv=p=0", file])
    return Int(text.filter { $0.isNumber || $0 == "-" }) ?? 0
  }

  /// By how many degrees the picture is to be turned clockwise, from the video track's matrix: that track is the first.
  func matrixDegrees(of path: String) -> Int? {
    guard let content = world.disk.image[path], let range = Data(content).range(of: Data("tkhd".utf8)) else {
      return nil
    }
    // Version and flags, dates, number and length of the track, 16 bytes more, then nine numbers of 32 bits.
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
