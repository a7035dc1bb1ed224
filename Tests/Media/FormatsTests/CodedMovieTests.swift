import Base
import Foundation
import TestSupport
import Testing

@testable import Media

/// Movies of inter-coded pictures, as seen by third-party programs.
@Suite struct CodedMovieTests {
  static let choices: [CodedStream.Choice] = [
    .init("baseline", 64, 48, keyframeInterval: 5), .init("main", 176, 100, keyframeInterval: 250),
    .init("high", 322, 182, keyframeInterval: 12, sliceCount: 3), .init("high", 130, 66, keyframeInterval: 1),
    .init("high422", 98, 50, keyframeInterval: 7, pixels: "yuv422p"),
  ]

  private let stereo = AudioFormat(sampleRateHz: 48_000, channelCount: 2, sampleFormat: .int16)

  private func take(_ stream: CodedStream, picturesPerFragment: Int = 6) throws -> MovieTake {
    MovieTake(
      video: VideoFormat(stream.choice), coded: try CodedPictures(stream), audio: stereo, fragmentCount: 5,
      picturesPerFragment: picturesPerFragment, jitterTicks: 300)
  }

  @Test(
    "ffprobe, ffmpeg and mediainfo find every picture and keyframe of an H.264 stream, growing or finished",
    arguments: choices)
  func avc(choice: CodedStream.Choice) throws {
    let stream = try CodedStream(choice, pictureCount: 30)
    let take = try take(stream)
    for content in [take.recorded(), take.finished()] {
      try withFile(content, "mov") { path in
        let probe = try Probe(path: path, showPackets: true)
        #expect(probe.video?.codecName == "h264")
        #expect(probe.video?.width == choice.widthPixels)
        #expect(probe.video?.height == choice.heightPixels)
        let packets = try #require(probe.packets).filter { $0.codecType == "video" }
        #expect(packets.map { UInt64($0.pts) } == take.pictureTicks)
        #expect(try CodedStream.keyframes(path) == stream.keyframes)
        #expect(try CodedStream.digests(path) == stream.digests)
        let tag = try ForeignProgram.probe(path, stream: "v:0", entry: "codec_tag_string")
        #expect(tag.hasPrefix("avc1"))
        let video = try mediaInfo(path)["Video"]
        #expect(video?["Format"] == "AVC")
        #expect(video?["Width"] == String(choice.widthPixels))
        #expect(video?["Height"] == String(choice.heightPixels))
      }
    }
    let movie = try #require(FinishedMovie(take.finished()))
    #expect(movie.keyframes == stream.keyframes.indices.filter { stream.keyframes[$0] })
    #expect(movie.pictures == take.pictures)
  }

  @Test("the sample description says of the stream what ffmpeg says of it, to the byte", arguments: choices)
  func configuration(choice: CodedStream.Choice) throws {
    let stream = try CodedStream(choice, pictureCount: 30)
    let folder = try TemporaryFolder()
    let path = try folder.write(stream.bytes, as: "stream.h264")
    let other = folder.path(of: "other.mp4")
    try ForeignProgram.run("ffmpeg", ["-v", "error", "-i", path, "-c", "copy", other])
    let theirs = try #require(configuration(try folder.read("other.mp4")))
    let ours = configuration(try take(stream).finished())
    #expect(ours == theirs)
  }

  /// The first `avcC` box.
  private func configuration(_ content: [UInt8]) -> [UInt8]? {
    let type = Array("avcC".utf8)
    guard let start = content.indices.first(where: { content[$0...].starts(with: type) }) else { return nil }
    return Array(content[start..<start - 4 + Int(content[start - 1]) + Int(content[start - 2]) << 8])
  }

  @Test("packets of the kernel's test codec lie in the file as they came, under its own name")
  func fwht() throws {
    var generator = SeededGenerator(seed: 3)
    let packets = (0..<30).map { _ in
      (0..<Int.random(in: 1...400, using: &generator)).map { _ in UInt8.random(in: 0...255, using: &generator) }
    }
    let coded = CodedPictures(coding: .fwht, samples: packets, keyframes: (0..<30).map { $0 % 8 == 0 })
    let take = MovieTake(coded: coded, audio: stereo, fragmentCount: 6, picturesPerFragment: 5)
    let movie = try #require(FinishedMovie(take.finished()))
    #expect(movie.pictures == packets)
    #expect(movie.keyframes == [0, 8, 16, 24])
    try withFile(take.finished(), "mov") { path in
      let tag = try ForeignProgram.probe(path, stream: "v:0", entry: "codec_tag_string")
      let count = try ForeignProgram.probe(path, stream: "v:0", entry: "nb_frames")
      #expect(tag.hasPrefix("fwht"))
      #expect(count.hasPrefix("30"))
    }
  }

  @Test("a movie of JPEG pictures has no table of keyframes: all are")
  func noTable() throws {
    #expect(try #require(FinishedMovie(MovieTake(audio: stereo).finished())).keyframes == nil)
  }

  @Test("the longest header with H.264 has the length foretold, and so have fragments")
  func headerLengths() throws {
    func set(_ start: [UInt8]) -> [UInt8] {
      [0, 0, 1] + start + [UInt8](repeating: 0xFF, count: ParameterSet.maximumByteCount - start.count)
    }
    let sets = try unwrapped(parameterSets(of: set([0x67, 100, 0, 40]) + set([0x68])))
    let longest = Provenance(
      device: MovieTake.provenance.device, createdUnixSeconds: 2_300_000_000,
      software: "0123456789012345678901234567890123456789012345678901234567890123")
    let description = MovieDescription(
      video: MovieVideo(format: MovieTake.camera, coding: .avc(sets)), audio: MovieFileTests.longestStereo,
      orientation: .portrait, provenance: longest)
    let header = encoded(capacityByteCount: 4_096) { description.encodeHeader(into: &$0) }
    #expect(header.count == 2_481)
    var linked = description
    linked.provenance.continues = "01234567890123456789012345678901"
    linked.provenance.place = "-37.56650 -126.97800"
    let longestHeader = encoded(capacityByteCount: 4_096) { linked.encodeHeader(into: &$0) }
    #expect(longestHeader.count == 2_658 && longestHeader.count <= MovieLimits.headerByteCount)
    let samples = [MovieSample](repeating: MovieSample(byteCount: 9, durationTicks: 1), count: 120)
    let fragment = MovieFragment(
      sequenceNumber: 1, videoStartTicks: 0, audioStartTicks: 0, audioFrameCount: MovieLimits.audioFramesPerFragment)
    let bytes = encoded(capacityByteCount: 4_096) {
      description.encodeFragmentHeader(fragment, videoSamples: samples.span, into: &$0)
    }
    #expect(bytes.count == MovieLimits.fragmentHeaderByteCount)
  }
}
