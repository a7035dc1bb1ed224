import Base
import Foundation
import TestSupport
import Testing

@testable import Media

/// The timecode track and the chapters of a finished movie, as other programs read them.
@Suite struct MovieTimecodeTests {
  private static let sound = AudioFormat(sampleRateHz: 48_000, channelCount: 1, sampleFormat: .int16)

  private static func ledger(_ entries: [String]) -> String {
    let head = "device \(MovieTake.deviceText); recorded \(MovieTake.createdText)Z; software fieldcorder 0.1.0"
    return ([head] + entries + ["ended: stopped"]).map { $0 + "\n" }.joined()
  }

  /// A growing movie that begins 125 ms after 00:38:41.
  private func take(_ rate: FrameRate, place: FixedText<32> = "") -> MovieTake {
    var take = MovieTake(audio: Self.sound)
    take.description.video?.format.frameRate = rate
    take.description.provenance.createdFrames = 6_000
    take.description.provenance.place = place
    return take
  }

  private func finished(_ take: MovieTake, _ entries: [String] = []) -> MemoryFile {
    var file = MemoryFile()
    take.record(to: &file)
    #expect(finish(&file, text: Self.ledger(entries)) == .finished)
    return file
  }

  /// The timecode of the first picture according to ffprobe, and according to mediainfo.
  private func expect(_ timecode: String, _ content: [UInt8]) throws {
    let movie = try #require(FinishedMovie(content))
    #expect(movie.pictures.count == 20)
    try withFile(content, "mov") { path in
      let streams = try Probe(path: path).streams
      #expect(streams.map(\.codecType) == ["video", "audio", "data"])
      #expect(streams.map { $0.tags?["timecode"] } == [timecode, timecode, timecode])
      #expect(try mediaInfo(path)["Other"]?["TimeCode_FirstFrame"] == timecode)
    }
  }

  @Test(
    "the timecode of a movie is the time of day of its first picture, drop-frame at 29.97 and 59.94",
    arguments: [
      (30, 1, "00:38:41:03"), (25, 1, "00:38:41:03"), (15, 1, "00:38:41:01"), (50, 1, "00:38:41:06"),
      (30_000, 1_001, "00:38:41;04"), (60_000, 1_001, "00:38:41;08"), (24_000, 1_001, "00:38:41:03"),
    ])
  func timeOfDay(frames: UInt32, seconds: UInt32, timecode: String) throws {
    try expect(timecode, finished(take(FrameRate(frames: frames, seconds: seconds))).content)
  }

  @Test(
    "the timecode that was heard is that of the first picture, at its own rate",
    arguments: [
      ("10:00:00:12 at 25, 345 samples into the frame", 0, "10:00:00:12"),
      ("10:00:00:12 at 25, 345 samples into the frame", 346, "10:00:00:11"),
      ("10:00:00:12 at 24, 0 samples into the frame", 48_000, "09:59:59:12"),
      ("00:00:00:00 at 30, 5 samples into the frame", 48_000, "23:59:59:00"),
      ("10:01:00;02 at 29.97-drop, 0 samples into the frame", 1_602, "10:00:59;29"),
      ("10:00:01:05 at 23.976, 0 samples into the frame", 2_002, "10:00:01:04"),
    ])
  func heard(entry: String, frame: Int, timecode: String) throws {
    let entries = ["0:00:00.000 sample \(frame) 2026-11-21T00:38:41.125Z timecode: \(entry)"]
    try expect(timecode, finished(take(FrameRate(frames: 30)), entries).content)
  }

  @Test("a corrected date moves the time of day, once, and no timecode that was heard", arguments: [false, true])
  func correctedDate(isHeard: Bool) throws {
    let entry = "0:00:00.000 sample 0 x timecode: 10:00:00:12 at 25, 345 samples into the frame"
    var file = finished(take(FrameRate(frames: 30)), isHeard ? [entry] : [])
    for _ in 0..<2 {
      var scratch = [UInt8](repeating: 0, count: DateCorrection.scratchByteCount)
      var span = scratch.mutableSpan
      var bytes = unsafe span.mutableBytes
      let old: Int64 = 1_795_221_521
      let correction = DateCorrection(from: old, to: old + 3_600, shiftNanoseconds: 3_600_500_000_000)
      _ = correction.correct(movie: &file, scratch: &bytes)
    }
    try expect(isHeard ? "10:00:00:12" : "01:38:41:18", file.content)
  }

  @Test("marks are chapters with their times, and the place is where phones write it")
  func chapters() throws {
    let entries = [
      "0:00:00.000 sample 0 2026-11-21T00:38:41.125Z position: -33.86880 151.20930",
      "0:00:00.250 sample 12000 2026-11-21T00:38:41.375Z mark: 올빼미, an owl",
      "0:00:00.500 sample 24000 2026-11-21T00:38:41.625Z mark",
    ]
    try withFile(finished(take(FrameRate(frames: 30), place: "-33.86880 151.20930"), entries).content, "mov") { path in
      let chapters = try ForeignProgram.text(
        "ffprobe",
        ["-v", "error", "-show_entries", "chapter=start_time:chapter_tags=title", "-of", "csv=p=0", path])
      #expect(
        chapters.split(whereSeparator: \.isNewline) == ["0.000000,", "0.250000,\"올빼미, an owl\"", "0.500000,mark 2"],
        "\(chapters)")
      // Once, not once more from another list.
      let menus = try ForeignProgram.text("mediainfo", [path]).split(whereSeparator: \.isNewline)
      #expect(menus.filter { $0 == "Menu" || $0.hasPrefix("Menu #") } == ["Menu"])
      // It adds the timecode of the first picture, 00:38:41:03.
      #expect(menus.contains { $0.hasPrefix("00:38:41.350") && $0.hasSuffix(": 올빼미, an owl") }, "\(menus)")
      let tags = try #require(Probe(path: path).format.tags)
      let place = "-33.86880+151.20930/"
      #expect(tags["com.apple.quicktime.location.ISO6709"] == place && tags["location"] == place)
    }
  }

  @Test(
    "chapters are a text track that is not shown, to the sample, up to the end, and named by every other track",
    arguments: [
      ([12_000, 24_000], [0, 12_000, 24_000]), ([0, 24_000], [0, 1, 24_000]), ([0, 0, 12_000], [0, 1, 2, 12_000]),
      ([24_000, 12_000], [0, 24_000, 24_001]), ([38_399], [0, 38_399]), ([90_000], [0, 90_000]),
    ])
  func chapterTrack(frames: [UInt64], ticks: [UInt64]) throws {
    let marks = frames.map { "0 sample \($0) x mark: at \($0)" }
    let movie = try #require(FinishedMovie(finished(take(FrameRate(frames: 30)), marks).content))
    #expect(movie.chapters.map(\.ticks) == ticks)
    let texts = frames.map { "at \($0)" }
    #expect(movie.chapters.map(\.text) == [""] + texts)
    #expect(movie.chaptersEndTicks == max(movie.pictureEndTicks, ticks[ticks.count - 1] + 1))
    #expect(movie.chapterReferenceCount == 2 && movie.pictures.count == 20)
  }

  @Test("more marks than there is room for are left out, and a time lapse has none")
  func manyMarks() throws {
    let marks = (0..<1_200).map { "0 sample \($0 * 30) x mark" }
    for (entries, count) in [
      (marks, 1_000...1_199), (["0 sample 0 x time lapse: a picture every 10 s"] + marks, 0...0),
    ] {
      let content = finished(take(FrameRate(frames: 30)), entries).content
      let chapters = try #require(FinishedMovie(content)).chapters
      #expect(
        count.contains(chapters.count) && chapters.last?.text == (count == 0...0 ? nil : "mark \(chapters.count - 1)"))
      try withFile(content, "mov") { path in
        let starts = try ForeignProgram.text(
          "ffprobe", ["-v", "error", "-show_entries", "chapter=start_time", "-of", "csv=p=0", path])
        #expect(starts.split(whereSeparator: \.isNewline).count == chapters.count)
      }
    }
  }

  @Test("a take of an earlier version, or without pictures, gets a timecode too")
  func withoutRate() throws {
    var file = MemoryFile()
    take(FrameRate(frames: 30)).record(to: &file)
    let place = try #require(file.content.firstRange(of: Array("rate".utf8)))
    file.write([0, 0, 0, 0], at: place.lowerBound)
    #expect(finish(&file, text: Self.ledger([])) == .finished)
    // The average of its pictures; the fraction of the second is not known.
    try expect("00:38:41:00", file.content)
    var sound = MemoryFile()
    MovieTake(video: nil, audio: Self.sound).record(to: &sound)
    #expect(finish(&sound, text: Self.ledger([])) == .finished)
    try withFile(sound.content, "mov") { path in
      let streams = try Probe(path: path).streams
      #expect(streams.map { $0.tags?["timecode"] } == ["00:38:41:00", "00:38:41:00"])
    }
  }

  @Test("what a card has damaged in a ledger does no harm")
  func damaged() throws {
    let entries = [
      "0 sample 18446744073709551615 x timecode: 10:00:00:12 at 25, 4294967295 samples into the frame",
      "0 sample 18446744073709551615 x mark",
    ]
    let file = finished(take(FrameRate(frames: .max, seconds: 0)), entries)
    try withFile(file.content, "mov") { path in
      let streams = try Probe(path: path).streams
      #expect(streams.count == 3)
    }
  }

  @Test("after every cut the finisher ends with the same timecode and chapters")
  func cuts() throws {
    var whole = MemoryFile()
    take(FrameRate(frames: 30)).record(to: &whole)
    let recorded = whole.operations.count
    let text = Self.ledger(["0 sample 12000 x mark: owl", "0 sample 24000 x mark"])
    #expect(finish(&whole, text: text) == .finished)
    for count in recorded...whole.operations.count {
      var file = MemoryFile(content: Cut(operationCount: count).content(whole.operations))
      let progress = finish(&file, text: text)
      let isSame = file.content == whole.content
      #expect((progress == .finished || progress == .alreadyFinished) && isSame, "\(count) operations")
    }
  }
}
