import Base
import Foundation
import MediaZoo
import TestSupport
import Testing

/// Files that need more than their header to be understood.
@Suite struct OddFileTests {
  private static let format = AudioFormat(sampleRateHz: 44_100, channelCount: 2, sampleFormat: .float32)
  private static let long = Signal(frameCount: 30 * 44_100)

  private func whole(_ path: String, _ format: AudioFormat = Self.format) throws -> (seconds: Double, heard: [UInt8]) {
    let bench = try DecoderBench(format)
    let properties = try bench.open(path).get()
    var heard: [UInt8] = []
    #expect(try bench.play { heard += $0 }.hasEnded)
    return (properties.durationSeconds, heard)
  }

  /// Changes the stream's type in the program tables to private data without a description.
  private func hide(_ stream: [UInt8]) -> [UInt8] {
    var stream = stream
    for packet in stride(from: 0, to: stream.count - 187, by: 188) {
      let number = Int(stream[packet + 1] & 0x1F) << 8 | Int(stream[packet + 2])
      guard number == 0x1000, stream[packet + 1] & 0x40 != 0 else { continue }
      let table = packet + 5
      let end = table + 3 + (Int(stream[table + 1] & 0x0F) << 8 | Int(stream[table + 2]))
      let entry = table + 12 + (Int(stream[table + 10] & 0x0F) << 8 | Int(stream[table + 11]))
      stream[entry] = 6
      var descriptor = entry + 5
      let last = descriptor + (Int(stream[entry + 3] & 0x0F) << 8 | Int(stream[entry + 4]))
      while descriptor < last {
        stream[descriptor] = 0xF0
        descriptor += 2 + Int(stream[descriptor + 1])
      }
      let sum = Self.checksum(stream[table..<end - 4])
      for index in 0..<4 { stream[end - 4 + index] = UInt8(sum >> (24 - 8 * UInt32(index)) & 0xFF) }
    }
    return stream
  }

  private static func checksum(_ bytes: ArraySlice<UInt8>) -> UInt32 {
    bytes.reduce(UInt32.max) { sum, byte in
      (0..<8).reduce(sum ^ UInt32(byte) << 24) { sum, _ in sum & 1 << 31 != 0 ? sum << 1 ^ 0x04C1_1DB7 : sum << 1 }
    }
  }

  @Test("sound in a private stream of a transport stream is found", arguments: ["ac3", "mp2", "aac"])
  func hidden(codec: String) throws {
    let source = try Zoo.shared.path(of: Signal.ordinary)
    let path = try Zoo.shared.made("hidden-\(codec).ts") { path in
      try ForeignProgram.run("ffmpeg", ["-v", "error", "-i", source, "-c:a", codec, path])
      let stream = try [UInt8](Data(contentsOf: URL(fileURLWithPath: path)))
      try Data(hide(stream)).write(to: URL(fileURLWithPath: path))
    }
    #expect(try firstDifference(whole(path).heard, Reference(path: path).samples) == nil)
  }

  @Test("a file of one-bit sound plays as ffmpeg decodes it")
  func oneBit() throws {
    func number(_ value: Int, _ byteCount: Int) -> [UInt8] {
      (0..<byteCount).map { UInt8(value >> (8 * $0) & 0xFF) }
    }
    var noise = SeededGenerator(seed: 5)
    let sound = (0..<8 * 4096).map { _ in UInt8.random(in: 0...255, using: &noise) }
    var file = [UInt8]("DSD ".utf8) + number(28, 8) + number(92 + sound.count, 8) + number(0, 8)
    file += [UInt8]("fmt ".utf8) + number(52, 8) + number(1, 4) + number(0, 4) + number(2, 4) + number(2, 4)
    file += number(2_822_400, 4) + number(1, 4) + number(4 * 4096 * 8, 8) + number(4096, 4) + number(0, 4)
    file += [UInt8]("data".utf8) + number(12 + sound.count, 8) + sound
    let path = try Zoo.shared.made("noise.dsf") { [file] in try Data(file).write(to: URL(fileURLWithPath: $0)) }
    let format = AudioFormat(sampleRateHz: 352_800, channelCount: 2, sampleFormat: .float32)
    let (seconds, heard) = try whole(path, format)
    #expect(heard.count == 4 * 4096 * 8)
    #expect(abs(seconds - 4 * 4096 / 352_800) < 1e-6)
    #expect(try firstDifference(heard, Reference(path: path).samples) == nil)
  }

  @Test("a file with hundreds of chapters plays", arguments: ["mp3", "mka"])
  func chapters(kind: String) throws {
    let source = try Zoo.shared.path(of: Signal.ordinary)
    let path = try Zoo.shared.made("chapters.\(kind)") { path in
      let list = (0..<300).map { "[CHAPTER]\nTIMEBASE=1/1000\nSTART=\($0 * 5)\nEND=\($0 * 5 + 5)\n" }
      let description = path + ".txt"
      try Data((";FFMETADATA1\n" + list.joined()).utf8).write(to: URL(fileURLWithPath: description))
      try ForeignProgram.run(
        "ffmpeg", ["-v", "error", "-i", source, "-i", description, "-map_metadata", "1", "-c:a", "libmp3lame", path])
    }
    #expect(try firstDifference(whole(path).heard, Reference(path: path).samples) == nil)
  }

  @Test(
    "the length of Windows Media is that of its sound, though its times are rounded", arguments: ["wmav1", "wmav2"])
  func windowsMedia(codec: String) throws {
    let source = try Zoo.shared.path(of: Self.long)
    let path = try Zoo.shared.made("\(codec).wma") { path in
      try ForeignProgram.run("ffmpeg", ["-v", "error", "-i", source, "-c:a", codec, path])
    }
    let (seconds, heard) = try whole(path)
    #expect(abs(seconds - Double(heard.count / 8) / 44_100) < 1e-6)
  }

  /// Two seconds of silence, made by `mpcenc`.
  private static let musepack = """
    4d50434b53480e2bbe1f4f0885b108001b1b52470c010000000000000000454907a0011e01534f08190000000041500c0fffffffffffffff
    e04150050fff5354060112d0534503
    """

  @Test("the length of Musepack is that of its sound, not of its blocks of 1.7 s")
  func musepackLength() throws {
    let digits = Self.musepack.compactMap(\.hexDigitValue)
    let bytes = stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0] * 16 + digits[$0 + 1]) }
    let path = try Zoo.shared.made("silence.mpc") { try Data(bytes).write(to: URL(fileURLWithPath: $0)) }
    let (seconds, heard) = try whole(path)
    #expect(seconds == Double(heard.count / 8) / 44_100)
    #expect(try firstDifference(heard, Reference(path: path).samples) == nil)
  }

  @Test("what follows the sound of a CAF file does not count as time")
  func tailOfCAF() throws {
    let source = try Zoo.shared.path(of: Signal(frameCount: 88_200))
    let path = try Zoo.shared.made("tail.caf") { path in
      try ForeignProgram.run("sox", [source, path])
      try Data(Data(contentsOf: URL(fileURLWithPath: path)) + Data(count: 10_000)).write(to: URL(fileURLWithPath: path))
    }
    #expect(try abs(expectToldLength(of: path) - 2) < 1e-6)
  }

  @Test("what follows the sound that the header of an AU file tells is not heard")
  func tailOfAU() throws {
    let source = try Zoo.shared.path(of: Signal(frameCount: 88_200))
    let path = try Zoo.shared.made("tail.au") { path in
      try ForeignProgram.run("ffmpeg", ["-v", "error", "-i", source, path])
      try Data(Data(contentsOf: URL(fileURLWithPath: path)) + Data(count: 10_000)).write(to: URL(fileURLWithPath: path))
    }
    #expect(try abs(expectToldLength(of: path) - 2) < 1e-6)
  }

  @Test(
    "files that were put together have the length that is heard", arguments: ["ts", "mka", "mpg", "avi"],
    ["flac", "libmp3lame"])
  func joined(ending: String, codec: String) throws {
    let codec = ending != "mka" && codec == "flac" ? "mp2" : codec
    let source = try Zoo.shared.path(of: Signal(frameCount: 88_200))
    let path = try Zoo.shared.made("joined.\(codec).\(ending)") { path in
      try ForeignProgram.run("ffmpeg", ["-v", "error", "-i", source, "-c:a", codec, path])
      let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
      try (bytes + bytes).write(to: URL(fileURLWithPath: path))
    }
    let listed = try DecoderBench(Self.format).probe(path).get().durationSeconds
    let (seconds, heard) = try whole(path)
    #expect(heard.count / 8 > 170_000)
    // The times of FLAC in Matroska have milliseconds, and none for the last packet of each file.
    #expect(abs(listed - Double(heard.count / 8) / 44_100) < (codec == "flac" ? 0.05 : 0.002))
    #expect(abs(seconds - listed) < 0.002)
  }

  @Test("PCM in Matroska whose end is missing has the length that is heard")
  func cutMatroska() throws {
    let source = try Zoo.shared.path(of: Signal(frameCount: 88_200))
    let path = try Zoo.shared.made("cut pcm.mka") { path in
      try ForeignProgram.run("ffmpeg", ["-nostdin", "-v", "error", "-i", source, "-c:a", "pcm_s16le", path])
      let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
      try bytes.prefix(bytes.count / 2).write(to: URL(fileURLWithPath: path))
    }
    #expect(try abs(expectToldLength(of: path) - 1) < 0.1)
  }

  @Test("the length of an AIFF is that of its sound, where it tells less")
  func shortAIFF() throws {
    let source = try Zoo.shared.path(of: Signal(frameCount: 88_200))
    let path = try Zoo.shared.made("short.aiff") { path in
      try ForeignProgram.run("ffmpeg", ["-v", "error", "-i", source, path])
      var bytes = try [UInt8](Data(contentsOf: URL(fileURLWithPath: path)))
      let common = try #require((0..<bytes.count - 4).first { bytes[$0..<$0 + 4].elementsEqual("COMM".utf8) })
      bytes.replaceSubrange(common + 10..<common + 14, with: [0, 0, 0xAC, 0x44])
      try Data(bytes).write(to: URL(fileURLWithPath: path))
    }
    #expect(try abs(expectToldLength(of: path) - 2) < 1e-6)
  }

  @Test("of a WAV with two chunks of sound the first is heard, as in other programs")
  func secondSound() throws {
    let source = try Zoo.shared.path(of: Signal.ordinary)
    let path = try Zoo.shared.made("two sounds.wav") { path in
      let bytes = try Data(contentsOf: URL(fileURLWithPath: source))
      let more = Data("data".utf8) + Data([0x10, 0x27, 0, 0]) + Data(count: 10_000)
      try (bytes + more).write(to: URL(fileURLWithPath: path))
    }
    #expect(try firstDifference(whole(path).heard, Reference(path: source).samples) == nil)
  }

  @Test("a WAV of more than 4 GiB whose sizes wrapped has the length of all its sound")
  func wrappedSizes() throws {
    let source = try Zoo.shared.path(of: Signal.ordinary)
    let bytes = try [UInt8](Data(contentsOf: URL(fileURLWithPath: source)))
    let chunk = try #require((36..<bytes.count - 8).first { bytes[$0..<$0 + 4].elementsEqual("data".utf8) })
    let bytesPerSecond = (0..<4).reduce(0) { $0 | Int(bytes[28 + $1]) << (8 * $1) }
    let path = try Zoo.shared.made("wrapped.wav") { path in
      // 1 KiB more than fits, nearly all of it a hole in the file.
      try Data(bytes[..<(chunk + 4)] + [0, 4, 0, 0]).write(to: URL(fileURLWithPath: path))
      let file = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
      try file.truncate(atOffset: UInt64(chunk) + 8 + (1 << 32) + 1_024)
      try file.close()
    }
    let bench = try DecoderBench(Self.format)
    let seconds = try bench.probe(path).get().durationSeconds
    #expect(abs(seconds - Double((1 << 32) + 1_024) / Double(bytesPerSecond)) < 0.01)
  }

  @Test(
    "a file whose sizes were never filled in, as of a killed program, plays to its end",
    arguments: [
      ("aiff", ["-f", "aiff"]), ("24.aiff", ["-f", "aiff", "-c:a", "pcm_s24be"]), ("w64", ["-f", "w64"]),
      ("rf64.wav", ["-f", "wav", "-rf64", "always"]), ("caf", ["-f", "caf"]), ("wav", ["-f", "wav"]),
    ])
  func unfinished(name: String, options: [String]) throws {
    let source = try Zoo.shared.path(of: Signal.ordinary)
    let path = try Zoo.shared.made("unfinished.\(name)") { path in
      // Written into a pipe, so that nothing can be filled in afterwards.
      let bytes = try ForeignProgram.run("ffmpeg", ["-nostdin", "-v", "error", "-i", source] + options + ["-"])
      try Data(bytes).write(to: URL(fileURLWithPath: path))
    }
    let expected = try Reference(path: source).samples
    #expect(try firstDifference(whole(path).heard, expected) == nil)
    try expectToldLength(of: path)
  }

  @Test("a file that is nothing but an encoder's padding is not called damaged")
  func padding() throws {
    let path = try Zoo.shared.made("padding.mp3") { path in
      let source = path + ".wav"
      try ForeignProgram.run("sox", ["-n", "-r", "8000", "-c", "1", "-b", "16", source, "synth", "2s", "sine", "440"])
      try ForeignProgram.run("lame", ["--quiet", "-V", "5", source, path])
    }
    let (seconds, heard) = try whole(path)
    #expect(seconds == 0)
    #expect(heard.isEmpty)
  }

  @Test(
    "the length of a file is that of what is heard, without what its coding puts before and after it",
    arguments: ["opus", "webm", "mka", "mp4", "m4a", "mp3", "ogg"])
  func heardLength(ending: String) throws {
    let source = try Zoo.shared.path(of: Signal(frameCount: 88_200))
    let path = try Zoo.shared.made("length.\(ending)") { path in
      let codec = ["webm", "mka", "mp4"].contains(ending) ? ["-c:a", "libopus"] : []
      try ForeignProgram.run("ffmpeg", ["-nostdin", "-v", "error", "-i", source] + codec + [path])
    }
    let (seconds, heard) = try whole(path)
    // Opus is resampled from its own rate.
    #expect(abs(heard.count / 8 - 88_200) <= 1)
    #expect(abs(seconds - 2) < 1e-6)
  }

  @Test(
    "the length that is told of a file, when it is listed and when it is opened, is that of its sound",
    arguments: [
      ("ac3", []), ("eac3", []), ("vorbis.mp4", ["-c:a", "libvorbis"]), ("ac3.mp4", ["-c:a", "ac3"]),
      ("fragments.m4a", ["-movflags", "frag_keyframe+empty_moov"]), ("opus.webm", ["-c:a", "libopus"]),
      ("opus.mka", ["-c:a", "libopus"]), ("alac.caf", ["-c:a", "alac"]), ("ac3.mka", ["-c:a", "ac3"]),
      ("spx", ["-c:a", "libspeex", "-ar", "16000"]), ("aac.mka", ["-c:a", "aac"]), ("v1.wma", ["-c:a", "wmav1"]),
      ("v2.wma", ["-c:a", "wmav2"]), ("alac.mka", ["-c:a", "alac"]), ("mp3.w64", ["-c:a", "libmp3lame"]),
      ("mp3.mka", ["-c:a", "libmp3lame"]),
    ])
  func toldLength(name: String, options: [String]) throws {
    let source = try Zoo.shared.path(of: Signal(frameCount: 88_200))
    let path = try Zoo.shared.made("told.\(name)") { path in
      try ForeignProgram.run("ffmpeg", ["-nostdin", "-v", "error", "-i", source] + options + [path])
    }
    // ffmpeg drops the last 5 ms that a Speex decoder outputs.
    try expectToldLength(of: path, missingFrameCount: name == "spx" ? 220 : 0)
  }

  @Test("what a CAF file's table of packets leaves out before and after the sound is not heard")
  func applePadding() throws {
    let source = try Zoo.shared.path(of: Signal(frameCount: 88_200))
    let path = try Zoo.shared.made("padded.caf") { path in
      let plain = path + ".plain.caf"
      try ForeignProgram.run("ffmpeg", ["-nostdin", "-v", "error", "-i", source, "-c:a", "libopus", plain])
      var bytes = try [UInt8](Data(contentsOf: URL(fileURLWithPath: plain)))
      let table = try #require((0..<bytes.count - 4).last { bytes[$0..<$0 + 4].elementsEqual("pakt".utf8) })
      // 96,000 frames after 312: as written by Apple's programs, but not by ffmpeg.
      let numbers: [(offset: Int, value: Int, byteCount: Int)] = [(20, 96_000, 8), (28, 312, 4), (32, 648, 4)]
      for (offset, value, byteCount) in numbers {
        for index in 0..<byteCount {
          bytes[table + offset + index] = UInt8(value >> (8 * (byteCount - 1 - index)) & 0xFF)
        }
      }
      try Data(bytes).write(to: URL(fileURLWithPath: path))
    }
    #expect(try abs(expectToldLength(of: path) - 2) < 1e-6)
  }

  @discardableResult private func expectToldLength(of path: String, missingFrameCount: Int = 0) throws -> Double {
    let bench = try DecoderBench(Self.format)
    let listed = try bench.probe(path).get().durationSeconds
    let (seconds, heard) = try whole(path)
    #expect(abs(heard.count / 8 + missingFrameCount - Int((seconds * 44_100).rounded())) <= 1)
    #expect(abs(listed - seconds) < 0.002)
    return seconds
  }
}
