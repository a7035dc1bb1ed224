import Base
import Foundation
import TestSupport
import Testing

@testable import Media

/// Boxes with two versions: the older one is written wherever it suffices, and both are read.
@Suite struct OldFormTests {
  /// 2026, and 2042: seconds since 1904 fit 32 bits until February 2040.
  static let dates: [(UInt64, UInt8)] = [(1_795_221_521, 0), (2_300_000_000, 1)]

  private func take(created: UInt64) -> MovieTake {
    var take = MovieTake(audio: MovieFileTests.stereo, orientation: .portrait)
    take.description.provenance.createdUnixSeconds = created
    return take
  }

  private func text(_ date: UInt64) -> String {
    ISO8601DateFormatter().string(from: Date(timeIntervalSince1970: Double(date)))
  }

  private func place(_ type: String, _ content: [UInt8], from start: Int = 0) throws -> Int {
    try #require(content.indices[start...].last { content[$0...].starts(with: type.utf8) })
  }

  @Test("dates and durations have 32 bits until 2040, and are the same either way", arguments: dates)
  func widthOfTimes(created: UInt64, version: UInt8) throws {
    let take = take(created: created)
    let content = take.finished()
    for type in ["mvhd", "tkhd", "mdhd"] { #expect(content[try place(type, content) + 4] == version) }
    #expect(try #require(FinishedMovie(content)).pictures == take.pictures)
    try withFile(content, "mov") { path in
      let probe = try Probe(path: path)
      #expect(probe.audio?.durationTs == take.audioFrameCount)
      #expect(
        probe.format.tags?["creation_time"]
          == text(created).dropLast() + ".000000Z")
      #expect(try mediaInfo(path)["General"]?["Duration"] == "0.800")
    }
  }

  @Test("what the head of a movie says is read in both forms", arguments: dates)
  func summary(created: UInt64, version: UInt8) throws {
    let content = take(created: created).finished()
    let moov = Array(content[(try place("moov", content) - 4)...])
    let summary = try #require(unsafe MovieSummary(moov.span.bytes))
    #expect(summary.milliseconds == 800)
    #expect(summary.clockwiseDegrees == 90)
  }

  @Test("a movie gets another date in both forms; one that does not fit is none, but for its text", arguments: dates)
  func dateCorrection(created: UInt64, version: UInt8) throws {
    for corrected in [1_795_308_000, 2_310_000_000] as [Int64] {
      var file = MemoryFile(content: take(created: created).finished())
      var scratch = [UInt8](repeating: 0, count: DateCorrection.scratchByteCount)
      var span = scratch.mutableSpan
      var bytes = unsafe span.mutableBytes
      #expect(DateCorrection(from: Int64(created), to: corrected).correct(movie: &file, scratch: &bytes))
      try withFile(file.content, "mov") { path in
        let tags = try #require(Probe(path: path).format.tags)
        let date = text(UInt64(corrected))
        let fits = version == 1 || corrected < 2_212_122_496
        #expect(tags["creation_time"] == (fits ? date.dropLast() + ".000000Z" : nil))
        #expect(tags["com.apple.quicktime.creationdate"] == date)
      }
    }
  }

  @Test("a movie whose front is lost is found in both forms", arguments: dates)
  func recovery(created: UInt64, version: UInt8) throws {
    let take = take(created: created)
    var content = take.finished()
    for index in 0..<512 { content[index] = 0xA5 }
    var file = MemoryFile(content: content)
    #expect(finish(&file) == .damaged)
    #expect(try #require(FinishedMovie(file.content)).audio.count == take.audio.count)
  }

  @Test(
    "chunks are found by 32 bits in a movie of less than 4 GiB, and by 64 in a larger one", arguments: [false, true])
  func widthOfOffsets(isLarge: Bool) throws {
    var take = MovieTake(audio: MovieFileTests.stereo, fragmentCount: 3, picturesPerFragment: 1)
    // Two pictures of more than 2 GiB, which are holes in the file.
    if isLarge {
      for index in 0..<2 { take.fragments[index].samples[0].byteCount = 0x9000_0000 }
    }
    let folder = try TemporaryFolder()
    let path = folder.path(of: "take.mov")
    var file = try DiskFile(path: path)
    let header = encoded(capacityByteCount: MovieLimits.headerByteCount) { take.description.encodeHeader(into: &$0) }
    try file.write(header, at: 0)
    var end = header.count
    for fragment in take.fragments {
      let place = take.place(of: fragment, at: end)
      let start = encoded(capacityByteCount: MovieLimits.fragmentStartByteCount) { writer in
        take.description.encodeFragmentStart(
          fragment.fragment, videoSamples: fragment.samples.span, at: place, into: &writer)
      }
      try file.write(start, at: end)
      end = Int(place.mediaStart) + Int(fragment.samples[0].byteCount) + fragment.audio.count
      try file.write([0] as [UInt8], at: end - 1)
    }
    let lastPicture = end - Int(take.fragments[2].samples[0].byteCount) - take.fragments[2].audio.count
    #expect(try finish(&file) == .finished)
    let handle = try #require(FileHandle(forReadingAtPath: path))
    try handle.seek(toOffset: UInt64(end))
    let moov = [UInt8](try #require(try handle.readToEnd()))
    let type = isLarge ? "co64" : "stco"
    let other = isLarge ? "stco" : "co64"
    #expect(!moov.indices.contains { moov[$0...].starts(with: other.utf8) })
    let table = try #require(moov.indices.first { moov[$0...].starts(with: type.utf8) })
    let width = isLarge ? 8 : 4
    #expect(moov[table + 8..<table + 12].elementsEqual([0, 0, 0, 3]))
    let last = moov[table + 12 + 2 * width..<table + 12 + 3 * width].reduce(0) { $0 << 8 | Int($1) }
    #expect(last == lastPicture)
  }

  @Test(
    "a growing movie tells no size of samples, and one of an earlier version, which does, is finished as well",
    arguments: [(.int16, 48_000), (.int24, 48_000), (.float32, 48_000), (.int24, 96_000)] as [(SampleFormat, UInt32)])
  func sampleSize(sampleFormat: SampleFormat, rateHz: UInt32) throws {
    let format = AudioFormat(sampleRateHz: rateHz, channelCount: 3, sampleFormat: sampleFormat)
    let take = MovieTake(audio: format)
    var content = take.recorded()
    let size = try place("stsz", content) + 8
    #expect(content[size..<size + 4].allSatisfy { $0 == 0 })
    for told in [0, UInt8(format.bytesPerFrame)] {
      content[size + 3] = told
      var file = MemoryFile(content: content)
      #expect(finish(&file) == .finished)
      #expect(try #require(FinishedMovie(file.content)).audio == take.audio)
      let table = try place("stsz", file.content)
      #expect(file.content[table + 11] == UInt8(format.bytesPerFrame))
    }
  }

  @Test("libquicktime, which knows the oldest forms alone, finds the sound", arguments: [SampleFormat.int16, .int24])
  func libquicktime(sampleFormat: SampleFormat) throws {
    let take = MovieTake(
      video: nil, audio: AudioFormat(sampleRateHz: 48_000, channelCount: 2, sampleFormat: sampleFormat))
    try withFile(take.finished(), "mov") { path in
      let tracks = try ForeignProgram.text("qtinfo", [path])
      #expect(tracks.contains("length \(take.audioFrameCount) samples"))
    }
  }
}
