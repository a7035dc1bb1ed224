import Base
import Foundation
import TestSupport
import Testing

@testable import Media

/// Movies before and after completion, as seen by third-party programs.
@Suite struct MovieFileTests {
  struct Sound: CustomTestStringConvertible, Sendable {
    var format: AudioFormat
    var codec: String
    var testDescription: String { "\(codec), \(format.channelCount) channels, \(format.sampleRateHz) Hz" }
  }

  static let sounds: [Sound] = [
    (SampleFormat.int16, "pcm_s16le"), (.int24, "pcm_s24le"), (.float32, "pcm_f32be"),
  ].flatMap { sampleFormat, codec in
    [(1, 44_100), (2, sampleFormat == .int24 ? 96_000 : 48_000)].map { channels, rate in
      Sound(
        format: AudioFormat(sampleRateHz: rate, channelCount: channels, sampleFormat: sampleFormat), codec: codec)
    }
  }

  static let stereo = AudioFormat(sampleRateHz: 48_000, channelCount: 2, sampleFormat: .int16)
  /// The stereo format with the longest description.
  static let longestStereo = AudioFormat(sampleRateHz: 48_000, channelCount: 2, sampleFormat: .int24)

  @Test(
    "sound is described by the oldest form that can say it, which old readers know",
    arguments: [
      (SampleFormat.int16, 48_000, "sowt", 0), (.int16, 65_535, "sowt", 0), (.int24, 8_000, "in24", 1),
      (.int16, 96_000, "lpcm", 2), (.int24, 192_000, "lpcm", 2), (.float32, 48_000, "fl32", 1),
      (.float32, 96_000, "lpcm", 2),
    ] as [(SampleFormat, UInt32, String, UInt8)])
  func oldestSoundDescription(sampleFormat: SampleFormat, rateHz: UInt32, type: String, version: UInt8) throws {
    let description = MovieDescription(
      video: nil, audio: AudioFormat(sampleRateHz: rateHz, channelCount: 2, sampleFormat: sampleFormat),
      orientation: .portrait, provenance: MovieTake.provenance)
    let header = encoded(capacityByteCount: 4_096) { description.encodeHeader(into: &$0) }
    let start = try #require(header.indices.first { header[$0...].starts(with: type.utf8) })
    #expect(header[start + 12..<start + 14].elementsEqual([0, version]))
    // The byte order of samples that have more than two bytes: 1 is little-endian.
    let order = header.indices.first { header[$0...].starts(with: "enda".utf8) }
    #expect(order.map { header[$0 + 5] } == (version == 1 ? (sampleFormat == .float32 ? 0 : 1) : nil))
    #expect(description.hasBigEndianSamples == (type == "fl32"))
  }

  @Test("a finished movie has every picture at its time and every audio sample", arguments: sounds)
  func finishedMovie(sound: Sound) throws {
    let take = MovieTake(audio: sound.format, jitterTicks: 300)
    try withFile(take.finished(), "mov") { path in
      let probe = try Probe(path: path, showPackets: true)
      try expectStreams(probe, take, sound)
      #expect(probe.video?.nbFrames == "20")
      #expect(probe.audio?.nbFrames == String(take.audioFrameCount))
      #expect(probe.audio?.durationTs == take.audioFrameCount)
      #expect(try decodedAudio(path, sound) == take.audio)
      let tracks = try mediaInfo(path)
      #expect(tracks["Video"]?["Format"] == "JPEG")
      #expect(tracks["Video"]?["FrameCount"] == "20")
      #expect(tracks["Audio"]?["Format"] == "PCM")
      #expect(tracks["Audio"]?["SamplingRate"] == String(sound.format.sampleRateHz))
      #expect(tracks["Audio"]?["BitDepth"] == String(sound.format.sampleFormat.bitsPerSample))
      #expect(tracks["Audio"]?["SamplingCount"] == String(take.audioFrameCount))
    }
  }

  @Test("a movie that still grows has the same pictures and samples", arguments: sounds)
  func growingMovie(sound: Sound) throws {
    let take = MovieTake(audio: sound.format)
    try withFile(take.recorded(), "mov") { path in
      let probe = try Probe(path: path, showPackets: true)
      try expectStreams(probe, take, sound)
      #expect(try decodedAudio(path, sound) == take.audio)
      #expect(try mediaInfo(path)["Video"]?["Format"] == "JPEG")
    }
  }

  private func expectStreams(_ probe: Probe, _ take: MovieTake, _ sound: Sound) throws {
    let rate = sound.format.sampleRateHz
    #expect(probe.streams.count == 2)
    #expect(probe.video?.codecName == "mjpeg")
    #expect(probe.video?.width == 64)
    #expect(probe.video?.height == 48)
    #expect(probe.video?.timeBase == "1/\(rate)")
    #expect(probe.video?.startPts == 0)
    #expect(probe.audio?.codecName == sound.codec)
    #expect(probe.audio?.sampleRate == String(rate))
    #expect(probe.audio?.channels == Int(sound.format.channelCount))
    #expect(probe.audio?.startPts == 0)
    let packets = try #require(probe.packets).filter { $0.codecType == "video" }
    #expect(packets.map { UInt64($0.pts) } == take.pictureTicks)
    #expect(packets.map(\.size) == take.pictures.map { String($0.count) })
  }

  private func decodedAudio(_ path: String, _ sound: Sound) throws -> [UInt8] {
    let format = sound.codec.dropFirst("pcm_".count)
    return try [UInt8](
      ForeignProgram.run(
        "ffmpeg",
        [
          "-v", "error", "-i", path, "-map", "0:a", "-c:a", sound.codec, "-f", String(format), "-",
        ]))
  }

  @Test("ffmpeg decodes every picture of a finished movie without a complaint")
  func picturesDecode() throws {
    let take = MovieTake(audio: Self.stereo, jitterTicks: 300)
    try withFile(take.finished(), "mov") { path in
      let hashes = try ForeignProgram.text(
        "ffmpeg",
        [
          "-v", "error", "-xerror", "-i", path, "-map", "0:v", "-fps_mode", "passthrough", "-f", "framehash",
          "-",
        ])
      let lines = hashes.split(separator: "\n").filter { !$0.hasPrefix("#") }
      #expect(lines.count == 20)
      #expect(Set(lines.map { $0.split(separator: ",").last }).count == 20)
    }
  }

  @Test(
    "players turn the picture clockwise by the orientation's degrees: ffprobe counts anticlockwise",
    arguments: [
      (Orientation.landscapeLeft, Int?.none), (.portrait, -90), (.landscapeRight, -180), (.portraitUpsideDown, 90),
    ])
  func rotation(orientation: Orientation, rotation: Int?) throws {
    let take = MovieTake(audio: Self.stereo, orientation: orientation)
    for content in [take.recorded(), take.finished()] {
      try withFile(content, "mov") { path in
        let video = try #require(Probe(path: path).video)
        #expect(video.sideDataList?.compactMap(\.rotation).first == rotation)
        #expect(video.width == 64)
        let mediaInfoRotation = try mediaInfo(path)["Video"]?["Rotation"].flatMap(Double.init) ?? 0
        #expect(mediaInfoRotation == Double(orientation.clockwiseDegrees))
      }
    }
  }

  @Test("a turned picture lies at positive coordinates, its corner at the origin")
  func rotationTranslates() {
    for orientation in [Orientation.landscapeLeft, .portrait, .landscapeRight, .portraitUpsideDown] {
      let matrix = TrackMatrix(orientation: orientation, widthPixels: 640, heightPixels: 480).elements
      let corners = [(0, 0), (640, 0), (0, 480), (640, 480)].map { x, y in
        (
          (Int(matrix[0]) * x + Int(matrix[3]) * y + Int(matrix[6])) / 65_536,
          (Int(matrix[1]) * x + Int(matrix[4]) * y + Int(matrix[7])) / 65_536
        )
      }
      let isUpright = orientation.clockwiseDegrees % 180 == 0
      #expect(corners.map(\.0).min() == 0)
      #expect(corners.map(\.1).min() == 0)
      #expect(corners.map(\.0).max() == (isUpright ? 640 : 480))
      #expect(corners.map(\.1).max() == (isUpright ? 480 : 640))
    }
  }

  @Test("date, device and software stand in the file, growing or finished")
  func tags() throws {
    let take = MovieTake(audio: Self.stereo)
    for content in [take.recorded(), take.finished()] {
      try withFile(content, "mov") { path in
        let tags = try #require(Probe(path: path).format.tags)
        #expect(tags["creation_time"] == MovieTake.createdText + ".000000Z")
        #expect(tags["com.apple.quicktime.creationdate"] == MovieTake.createdText + "Z")
        #expect(tags["com.apple.quicktime.software"] == "fieldcorder 0.1.0")
        #expect(tags["org.fieldcorder.device"] == MovieTake.deviceText)
      }
    }
  }

  @Test("a movie has pictures without sound, or sound without pictures")
  func oneTrack() throws {
    let silent = MovieTake(audio: nil)
    try withFile(silent.finished(), "mov") { path in
      let probe = try Probe(path: path, showPackets: true)
      #expect(probe.streams.count == 1)
      #expect(probe.packets?.map { UInt64($0.pts) } == silent.pictureTicks)
    }
    let blind = MovieTake(video: nil, audio: Self.stereo)
    try withFile(blind.finished(), "mov") { path in
      let probe = try Probe(path: path)
      #expect(probe.streams.count == 1)
      #expect(probe.audio?.durationTs == blind.audioFrameCount)
    }
  }

  @Test("headers have the length foretold, and the longest fit their limits")
  func headerLengths() {
    let longest = Provenance(
      device: MovieTake.provenance.device, createdUnixSeconds: 2_300_000_000,
      software: "0123456789012345678901234567890123456789012345678901234567890123")
    let description = MovieDescription(
      video: MovieVideo(format: MovieTake.camera, coding: .jpeg), audio: Self.longestStereo, orientation: .portrait,
      provenance: longest)
    let header = encoded(capacityByteCount: 4_096) { description.encodeHeader(into: &$0) }
    #expect(header.count == 1_930)
    #expect(header.count <= MovieLimits.headerByteCount)
    let frameCounts = [0, 1, 4_096, 4_097, MovieLimits.audioFramesPerFragment]
    for (samples, frames) in [0, 1, 7, 120].flatMap({ samples in frameCounts.map { (samples, $0) } })
    where samples + frames > 0 {
      let list = [MovieSample](repeating: MovieSample(byteCount: 9, durationTicks: 1), count: samples)
      let fragment = MovieFragment(
        sequenceNumber: 1, videoStartTicks: 0, audioStartTicks: 0, audioFrameCount: frames)
      let bytes = encoded(capacityByteCount: MovieLimits.fragmentHeaderByteCount) {
        description.encodeFragmentHeader(fragment, videoSamples: list.span, into: &$0)
      }
      let foretold = description.fragmentHeaderByteCount(videoSampleCount: samples, audioFrameCount: frames)
      #expect(bytes.count == foretold)
    }
    #expect(MovieLimits.fragmentHeaderByteCount == 1_984)
  }
}
