import TestSupport
import Testing
import Values

@testable import Formats

/// Movies left open in which a part cannot be read.
@Suite struct MovieDamageTests {
  private let take = MovieTake(
    audio: AudioFormat(sampleRateHz: 8_000, channelCount: 1, sampleFormat: .int16), fragmentCount: 8)

  /// Where the header of each fragment starts.
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
