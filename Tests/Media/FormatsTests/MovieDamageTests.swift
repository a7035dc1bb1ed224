import Base
import TestSupport
import Testing

@testable import Media

/// Movies left open, with a part that cannot be read.
@Suite struct MovieDamageTests {
  private let take = MovieTake(
    audio: AudioFormat(sampleRateHz: 8_000, channelCount: 1, sampleFormat: .int16), fragmentCount: 8)

  /// The offset of each fragment's header.
  private var starts: [Int] { take.places.map { Int($0.headerStart) } }

  private func kept(without damaged: Int) -> [MovieTake.Fragment] {
    take.fragments.enumerated().filter { $0.offset != damaged }.map(\.element)
  }

  @Test("a fragment whose header was altered costs only itself", arguments: [0, 3, 6])
  func oneHeader(damaged: Int) throws {
    for offset in [0, 5, 40] {
      var content = take.recorded()
      content[starts[damaged] + offset] ^= 4
      var file = MemoryFile(content: content)
      _ = finish(&file)
      let movie = try #require(FinishedMovie(file.content))
      let hasPictures = movie.pictures == kept(without: damaged).flatMap(\.pictures)
      let hasSound = movie.audio == kept(without: damaged).flatMap(\.audio)
      #expect(hasPictures && hasSound, "byte \(offset)")
    }
  }

  @Test("ffprobe and ffmpeg read all of a mended movie but the fragment whose first sector was lost")
  func foreignReaders() throws {
    var content = take.recorded()
    content.replaceSubrange(starts[3]..<starts[3] + 512, with: [UInt8](repeating: 0, count: 512))
    var file = MemoryFile(content: content)
    _ = finish(&file)
    try withFile(file.content, "mov") { path in
      #expect(try Probe(path: path).video?.nbReadPackets == "35")
      let pictureByteCount = Int(Pictures.widthPixels) * Int(Pictures.heightPixels)
      #expect(try ForeignProgram.decodeLuma(path).count == 35 * pictureByteCount)
      #expect(try ForeignProgram.decodeSamples(path).count == kept(without: 3).flatMap(\.audio).count / 2)
      // What follows the damage keeps its time: the last picture is shown 39 periods after the first.
      let packets = try #require(try Probe(path: path, showPackets: true).packets)
      #expect(packets.filter { $0.codecType == "video" }.last?.pts == Int(take.pictureTicks[39]))
    }
  }

  @Test("one wrong read while a take is completed costs nothing, whichever it is")
  func oneWrongRead() throws {
    let content = take.recorded()
    var number = 1
    while true {
      var file = MisreadFile(content: content, wrongRead: number)
      _ = finish(&file)
      guard file.readCount >= number else { break }
      let movie = try #require(FinishedMovie(file.base.content), "read \(number)")
      let isWhole = movie.pictures == take.pictures && movie.audio == take.audio
      #expect(isWhole, "read \(number)")
      number += 1
    }
    #expect(number > 20)
  }

  enum Garbage: CaseIterable {
    case noise, zeros, ones, anotherMovie

    func bytes(_ count: Int) -> [UInt8] {
      var generator = SeededGenerator(seed: 11)
      return switch self {
      case .noise: (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
      case .zeros: [UInt8](repeating: 0, count: count)
      case .ones: [UInt8](repeating: 0xFF, count: count)
      case .anotherMovie: Array(MovieTake(audio: nil, fragmentCount: 40).recorded().dropFirst(3_000).prefix(count))
      }
    }
  }

  /// The file's content after each write of its completion that touches the beginning.
  private func contentsAfterFrontWrites() -> [[UInt8]] {
    let recorded = take.recorded()
    var file = MemoryFile(content: recorded)
    _ = finish(&file)
    return file.operations.indices.filter { file.operations[$0].offset.map { $0 < 512 } ?? false }.map { index in
      Cut(operationCount: index + 1).content(file.operations, from: recorded)
    }
  }

  @Test(
    "a movie whose beginning turns to garbage while its front is written plays all that is behind",
    arguments: Garbage.allCases, [512, 1_024, 20_000])
  func lostFront(garbage: Garbage, byteCount: Int) throws {
    let contents = contentsAfterFrontWrites()
    #expect(contents.count == 2)
    let lostFragmentCount = starts.filter { $0 < byteCount }.count
    #expect(lostFragmentCount < 4)
    for content in contents {
      var file = MemoryFile(content: garbage.bytes(byteCount) + content.dropFirst(byteCount))
      #expect(finish(&file) == .damaged)
      let movie = try #require(FinishedMovie(file.content))
      #expect(movie.pictureTicks == take.pictureTicks)
      let isKept = movie.pictures.dropFirst(5 * lostFragmentCount) == take.pictures.dropFirst(5 * lostFragmentCount)
      #expect(isKept)
      let pictureCount = try withFile(file.content, "mov") { path in try Probe(path: path).video?.nbReadPackets }
      #expect(pictureCount == "40")
    }
  }

  @Test("a new front that is cut off at any byte is written again")
  func lostFrontTwice() throws {
    for content in contentsAfterFrontWrites() {
      let start = Garbage.noise.bytes(600) + content.dropFirst(600)
      var first = MemoryFile(content: start)
      _ = finish(&first)
      for count in 0...first.operations.count {
        for tornByteCount in 0..<48 {
          if tornByteCount > 0, count == first.operations.count || first.operations[count].offset == nil { continue }
          let cut = Cut(operationCount: count, tornByteCount: tornByteCount)
          var file = MemoryFile(content: cut.content(first.operations, from: start))
          _ = finish(&file)
          let isSame = file.content == first.content
          #expect(isSame, "\(cut)")
        }
      }
    }
  }

  @Test("a file of which the first sector or the size of the header was lost stays as it is")
  func damagedFileHeader() {
    var withoutSector = take.recorded()
    withoutSector.replaceSubrange(0..<512, with: [UInt8](repeating: 0, count: 512))
    var withWrongSize = take.recorded()
    withWrongSize[42] ^= 1
    for content in [withoutSector, withWrongSize] {
      var file = MemoryFile(content: content)
      _ = finish(&file)
      let isUntouched = file.content == content && file.operations.isEmpty
      #expect(isUntouched)
    }
  }
}
