import Base
import Foundation
import TestSupport
import Testing

/// The content of a complete file, and where on the timeline it began.
struct TakeFile {
  var path: String
  var start: TimelinePosition
  /// Nil for a file without pictures.
  var movie: FinishedMovie?
  /// Little-endian.
  var sound: [UInt8]

  var frameCount: UInt64 { UInt64(sound.count / 2) }

  /// Nil if it is not a complete file.
  init?(_ path: String, start: TimelinePosition, on disk: MemoryDisk) {
    guard let content = disk.image[path] else { return nil }
    self.path = path
    self.start = start
    if path.hasSuffix(".mov") {
      guard let movie = FinishedMovie(content) else { return nil }
      self.movie = movie
      sound = movie.audio
    } else if path.hasSuffix(".flac") {
      let options = ["-s", "-d", "-c", "--force-raw-format", "--endian=little", "--sign=signed", "-"]
      guard let decoded = try? ForeignProgram.run("flac", options, input: content) else { return nil }
      sound = decoded
    } else {
      guard content.count > 1024, let byteCount = Self.soundByteCount(content), 1024 + byteCount <= content.count
      else { return nil }
      sound = Array(content[1024..<1024 + byteCount])
      if path.hasSuffix(".aiff") {
        for index in stride(from: 0, to: sound.count, by: 2) { sound.swapAt(index, index + 1) }
      }
    }
  }

  /// The size in the header of the data chunk, which ends the file's header.
  private static func soundByteCount(_ content: [UInt8]) -> Int? {
    func big(_ range: Range<Int>) -> Int { content[range].reduce(0) { $0 << 8 | Int($1) } }
    switch content.prefix(4) {
    case Array("FORM".utf8)[...]: return big(1012..<1016) - 8
    case Array("caff".utf8)[...]: return big(1012..<1020) - 4
    case Array("RIFF".utf8)[...]: return content[1020..<1024].reversed().reduce(0) { $0 << 8 | Int($1) }
    default: return nil
    }
  }

  /// The numbers in the pictures' bytes.
  var pictureNumbers: [Int] {
    (movie?.pictures ?? []).map { bytes in (0..<4).reduce(0) { $0 | Int(bytes[2 + $1]) << (8 * $1) } }
  }
}

/// Compares the files of one take with what the source made.
///
/// - Parameter end: where the take ends on the timeline.
func expectTake(
  _ files: [TakeFile], to end: TimelinePosition, from source: TakeSource, _ comment: Comment,
  sourceLocation: SourceLocation = #_sourceLocation
) {
  guard let start = files.first?.start else {
    Issue.record("no file, \(comment)", sourceLocation: sourceLocation)
    return
  }
  if source.hasAudio { expectSound(files, start..<max(start, end), comment, sourceLocation) }
  guard files[0].movie != nil, source.hasVideo else { return }
  let numbers = files.flatMap(\.pictureNumbers)
  let due = source.made.filter { $0.position >= start && $0.position < end }
  let kept = Array(due.prefix(numbers.count))
  #expect(numbers == kept.map(\.number), comment, sourceLocation: sourceLocation)
  let isByteExact = files.flatMap { $0.movie?.pictures ?? [] } == kept.map(\.bytes)
  #expect(isByteExact, comment, sourceLocation: sourceLocation)
  // Only a picture that arrived after the wait at the take's end may be missing.
  let patience = TakeSource.rateHz / 4
  for late in due.dropFirst(numbers.count) {
    #expect(late.arrival > end + patience, "picture \(late.number), \(comment)", sourceLocation: sourceLocation)
  }
  for file in files { expectTimes(file, source, comment, sourceLocation) }
}

private func expectSound(
  _ files: [TakeFile], _ positions: Range<TimelinePosition>, _ comment: Comment, _ sourceLocation: SourceLocation
) {
  let sound = Data(files.flatMap(\.sound))
  let expected = Data(TakeSource.sound[Int(positions.lowerBound.rawValue) * 2..<Int(positions.upperBound.rawValue) * 2])
  #expect(sound == expected, comment, sourceLocation: sourceLocation)
  var start = positions.lowerBound
  for file in files {
    #expect(file.start == start, comment, sourceLocation: sourceLocation)
    start += file.frameCount
  }
}

/// Expects each picture at its place on the timeline; the first from the file's start on, and one that was not waited
/// for from the start of its fragment.
private func expectTimes(_ file: TakeFile, _ source: TakeSource, _ comment: Comment, _ sourceLocation: SourceLocation) {
  guard let ticks = file.movie?.pictureTicks else { return }
  let made = Dictionary(uniqueKeysWithValues: source.made.map { ($0.number, $0) })
  for (index, number) in file.pictureNumbers.enumerated() {
    guard let picture = made[number] else { continue }
    let due = index == 0 || picture.position < file.start ? 0 as UInt64 : picture.position - file.start
    let lateness = picture.arrival - picture.position
    // After pictures that were not waited for, the others follow tick by tick.
    let tolerance = lateness > TakeSource.rateHz / 4 ? lateness : 40
    #expect(
      ticks[index] >= due && ticks[index] - due <= tolerance,
      "picture \(number) at \(ticks[index]) for \(due), \(comment)",
      sourceLocation: sourceLocation)
  }
}
