import Base
import Foundation
import MediaZoo
import TestSupport
import Testing

/// WAV, AIFF and MP4 as other programs write them, or leave them behind.
@Suite struct ForeignFileTests {
  private static let format = AudioFormat(sampleRateHz: 44_100, channelCount: 2, sampleFormat: .float32)
  private static let signal = Signal(frameCount: 88_200)

  private func find(_ path: String) throws -> FileFindings { try FileFindings(of: path, Self.format) }

  /// Expects that both lengths are that of the sound.
  private func expectLength(_ found: FileFindings) {
    let seconds = Double(found.heard.count / 8) / 44_100
    #expect(abs(found.listedSeconds - seconds) < 1e-4)
    #expect(abs(found.seconds - seconds) < 1e-4)
  }

  private func bytes(_ path: String) throws -> [UInt8] { try [UInt8](Data(contentsOf: URL(fileURLWithPath: path))) }

  private func made(_ name: String, _ bytes: [UInt8]) throws -> String {
    try Zoo.shared.made(name) { try Data(bytes).write(to: URL(fileURLWithPath: $0)) }
  }

  private static func number(_ value: Int, _ byteCount: Int, isBigEndian: Bool = false) -> [UInt8] {
    let bytes = (0..<byteCount).map { UInt8(value >> (8 * $0) & 0xFF) }
    return isBigEndian ? bytes.reversed() : bytes
  }

  /// A file of chunks.
  /// - Parameter pad: what follows a chunk of odd length.
  private static func chunks(
    _ form: String, _ kind: String, _ chunks: [(String, [UInt8])], pad: [UInt8] = [0]
  ) -> [UInt8] {
    let isBigEndian = form == "FORM"
    let content = chunks.flatMap { name, bytes in
      [UInt8](name.utf8) + number(bytes.count, 4, isBigEndian: isBigEndian) + bytes + (bytes.count % 2 == 1 ? pad : [])
    }
    return [UInt8](form.utf8) + number(4 + content.count, 4, isBigEndian: isBigEndian) + [UInt8](kind.utf8) + content
  }

  private static func title(_ text: String) -> (String, [UInt8]) {
    let text = [UInt8](text.utf8) + [0]
    return ("LIST", [UInt8]("INFOINAM".utf8) + number(text.count, 4) + text)
  }

  @Test(
    "MPEG audio in a WAV is played as ffmpeg plays it, and has that length, whatever the file says",
    arguments: ["mp3", "mp2"], [nil, 88_200, 70_000])
  func mpegInWAV(codec: String, told: Int?) throws {
    let source = try Zoo.shared.path(of: Self.signal)
    let sound = try Zoo.shared.made("bare.\(codec)") { path in
      let options = codec == "mp3" ? ["-write_xing", "0", "-id3v2_version", "0"] : []
      try ForeignProgram.run("ffmpeg", ["-nostdin", "-v", "error", "-i", source, "-b:a", "128k"] + options + [path])
    }
    // Its tag, 128 kbit/s, and for MP3 the size of a frame and the encoder's delay.
    let rest = codec == "mp3" ? [12, 0, 1, 0, 2, 0, 0, 0, 0xA1, 1, 1, 0, 0x71, 5] as [UInt8] : [0, 0]
    let format =
      Self.number(codec == "mp3" ? 0x55 : 0x50, 2) + Self.number(2, 2) + Self.number(44_100, 4)
      + Self.number(16_000, 4) + [1, 0, 0, 0] + rest
    let count = told.map { [("fact", Self.number($0, 4))] } ?? []
    let path = try made(
      "\(codec)-\(told ?? 0).wav",
      Self.chunks("RIFF", "WAVE", [("fmt ", format)] + count + [("data", bytes(sound)), Self.title("봄날")]))
    let found = try find(path)
    #expect(try firstDifference(found.heard, Reference(path: path).samples) == nil)
    #expect(found.title == "봄날")
    expectLength(found)
  }

  @Test(
    "the chunk after one of odd length is found, whether or not there is a byte of padding, and whatever it is",
    arguments: [[], [0], [0x20]] as [[UInt8]])
  func odd(pad: [UInt8]) throws {
    let wav = Self.signal.wav()
    let sound = Array(wav[44...])
    let path = try made(
      "odd\(pad).wav",
      Self.chunks(
        "RIFF", "WAVE",
        [
          Self.title("Hell"), ("fmt ", Array(wav[20..<36])), ("abcd", [UInt8](repeating: 0x61, count: 7)),
          ("data", sound),
        ], pad: pad))
    let swapped = stride(from: 0, to: sound.count, by: 2).flatMap { [sound[$0 + 1], sound[$0]] }
    let common =
      [0, 2] + Self.number(88_200, 4, isBigEndian: true) + [0, 16, 0x40, 0x0E, 0xAC, 0x44, 0, 0, 0, 0, 0, 0]
    let aiff = try made(
      "odd\(pad).aiff",
      Self.chunks(
        "FORM", "AIFF",
        [
          ("NAME", [UInt8]("Hello".utf8)), ("COMM", common), ("ANNO", [UInt8]("abc".utf8)),
          ("SSND", [UInt8](repeating: 0, count: 8) + swapped),
        ], pad: pad))
    let expected = try Reference(path: Zoo.shared.path(of: Self.signal)).samples
    for (path, title) in [(path, "Hell"), (aiff, "Hello")] {
      let found = try find(path)
      #expect(firstDifference(found.heard, expected) == nil)
      #expect(found.title == title)
      expectLength(found)
    }
  }

  @Test("integers with 24 valid bits of 32 are not taken for floating-point numbers")
  func paddedPCM() throws {
    let wav = Self.signal.wav()
    var sound: [UInt8] = []
    for place in stride(from: 44, to: wav.count, by: 2) { sound += [0, 0, wav[place], wav[place + 1]] }
    let format: [UInt8] =
      [0xFE, 0xFF, 2, 0] + Self.number(44_100, 4) + Self.number(352_800, 4) + [8, 0, 32, 0, 22, 0, 24, 0, 3, 0, 0, 0]
      + [1, 0, 0, 0, 0, 0, 0x10, 0, 0x80, 0, 0, 0xAA, 0, 0x38, 0x9B, 0x71]
    let path = try made("padded.wav", Self.chunks("RIFF", "WAVE", [("fmt ", format), ("data", sound)]))
    let expected = try Reference(path: Zoo.shared.path(of: Self.signal)).samples
    #expect(try firstDifference(find(path).heard, expected) == nil)
  }

  @Test("of a WAV nothing is heard but its sound, whether it ends before its chunk or is followed by another one")
  func soundAlone() throws {
    let wav = Self.signal.wav()
    let (format, sound) = (("fmt ", Array(wav[20..<36])), Array(wav[44...]))
    let followed = try made(
      "followed.wav", Self.chunks("RIFF", "WAVE", [format, ("data", Array(sound[..<200_000])), ("abcd", sound)]))
    let cut = try made("cut.wav", Array(wav[..<200_045]))
    let expected = try Reference(path: Zoo.shared.path(of: Self.signal)).samples
    for path in [followed, cut] {
      let heard = try find(path).heard
      #expect(heard.count == 50_000 * 8)
      #expect(firstDifference(heard, Array(expected.prefix(heard.count))) == nil)
    }
  }

  @Test("tags are found after sound of odd length", arguments: [[], [0]] as [[UInt8]])
  func oddSound(pad: [UInt8]) throws {
    let format = [1, 0, 1, 0] + Self.number(44_100, 4) + Self.number(44_100, 4) + [1, 0, 8, 0]
    let path = try made(
      "odd sound\(pad).wav",
      Self.chunks(
        "RIFF", "WAVE",
        [("fmt ", format), ("data", [UInt8](repeating: 0x90, count: 44_101)), Self.title("Title")], pad: pad))
    let found = try find(path)
    #expect(found.heard.count == 44_101 * 8)
    #expect(found.title == "Title")
  }

  /// A description, which is no title.
  private static let description = ("bext", [UInt8]("A wren".utf8) + [UInt8](repeating: 0, count: 596))

  /// - Parameter index: of a size in a WAV; after these of one in an RF64.
  private func unknown(_ index: Int) throws -> String {
    let wav = Self.signal.wav()
    let sound = Array(wav[44...])
    let format = ("fmt ", Array(wav[20..<36]))
    let sizes = [0, 0xFFFF_FFFF, 0x7FFF_F000, 0, sound.count / 2]
    let isLarge = index >= 3
    let counts = isLarge ? [("ds64", Self.number(0, 8) + Self.number(sizes[index], 8) + Self.number(0, 12))] : []
    var file = Self.chunks(
      isLarge ? "BW64" : "RIFF", "WAVE", counts + [format, ("data", sound), Self.description, Self.title("봄날")])
    let told = isLarge ? 0xFFFF_FFFF : sizes[index]
    let place = try #require((0..<file.count - 8).first { file[$0..<$0 + 4].elementsEqual("data".utf8) })
    file.replaceSubrange(place + 4..<place + 8, with: Self.number(told, 4))
    return try made("unknown \(index).wav", file)
  }

  @Test(
    "of a WAV that does not tell the size of its sound, what follows the sound is read and not heard", arguments: 0..<5)
  func unknownSize(index: Int) throws {
    let found = try find(unknown(index))
    #expect(try firstDifference(found.heard, Reference(path: Zoo.shared.path(of: Self.signal)).samples) == nil)
    #expect(found.title == "봄날")
    expectLength(found)
  }

  @Test(
    "an ID3 tag in a chunk of its own is read in a BW64, and after sound of unknown size", arguments: ["RIFF", "BW64"])
  func tagInChunk(form: String) throws {
    let wav = Self.signal.wav()
    let tag = [UInt8]("ID3".utf8) + [3, 0, 0, 0, 0, 0, 14] + [UInt8]("TIT2".utf8) + [0, 0, 0, 4, 0, 0, 3] + "Elm".utf8
    let counts =
      form == "BW64" ? [("ds64", Self.number(0, 8) + Self.number(wav.count - 44, 8) + Self.number(0, 12))] : []
    var file = Self.chunks(
      form, "WAVE", counts + [("fmt ", Array(wav[20..<36])), ("data", Array(wav[44...])), ("id3 ", tag)])
    let place = form == "BW64" ? 76 : 40
    file.replaceSubrange(place..<place + 4, with: form == "BW64" ? [0xFF, 0xFF, 0xFF, 0xFF] : [0, 0, 0, 0])
    let found = try find(made("chunk of \(form).wav", file))
    #expect(found.heard.count == 88_200 * 8)
    #expect(found.title == "Elm")
  }

  @Test("an ID3 tag in a chunk of one-bit sound is read")
  func tagOfOneBit() throws {
    func chunk(_ name: String, _ bytes: [UInt8]) -> [UInt8] {
      [UInt8](name.utf8) + Self.number(bytes.count, 8, isBigEndian: true) + bytes + (bytes.count % 2 == 1 ? [0] : [])
    }
    let tag = [UInt8]("ID3".utf8) + [3, 0, 0, 0, 0, 0, 14] + [UInt8]("TIT2".utf8) + [0, 0, 0, 4, 0, 0, 3] + "Elm".utf8
    let rate = chunk("FS  ", Self.number(2_822_400, 4, isBigEndian: true))
    let properties =
      [UInt8]("SND ".utf8) + rate + chunk("CHNL", [0, 2] + "SLFTSRGT".utf8)
      + chunk("CMPR", [UInt8]("DSD ".utf8) + [14] + "not compressed\0".utf8)
    let sound = (0..<32_768).map { UInt8(truncatingIfNeeded: $0 * 0x69 >> 3) }
    let content = chunk("FVER", [1, 5, 0, 0]) + chunk("PROP", properties) + chunk("DSD ", sound) + chunk("ID3 ", tag)
    #expect(try find(made("tag.dff", chunk("FRM8", [UInt8]("DSD ".utf8) + content))).title == "Elm")
  }

  @Test("a WAV of 16-bit samples opens about as cheaply as one of 24-bit samples")
  func cheap() throws {
    let bench = try DecoderBench(Self.format)
    func seconds(_ coding: String) throws -> Double {
      let source = try Zoo.shared.path(of: Self.signal)
      let path = try Zoo.shared.made("cheap-\(coding).wav") { path in
        try ForeignProgram.run("ffmpeg", ["-nostdin", "-v", "error", "-i", source, "-c:a", coding, path])
      }
      _ = try bench.open(path).get()
      let start = try bench.processorSeconds()
      for _ in 0..<40 { _ = try bench.open(path).get() }
      return try bench.processorSeconds() - start
    }
    let (long, short) = try (seconds("pcm_s24le"), seconds("pcm_s16le"))
    // FFmpeg's search for other codings in 16-bit samples made it thirty times as much.
    #expect(short < 6 * long + 0.04)
  }

  @Test(
    "the length of a movie whose end is missing is that of what is heard",
    arguments: [
      ("aac.m4a", ["-c:a", "aac", "-movflags", "+faststart"]),
      ("fragments.m4a", ["-c:a", "aac", "-movflags", "frag_keyframe+empty_moov", "-frag_duration", "300000"]),
      ("alac.m4a", ["-c:a", "alac", "-movflags", "+faststart"]),
      ("pcm.mov", ["-c:a", "pcm_s16le", "-movflags", "+faststart"]),
    ])
  func cut(name: String, options: [String]) throws {
    let source = try Zoo.shared.path(of: Self.signal)
    let whole = try Zoo.shared.made("whole.\(name)") { path in
      try ForeignProgram.run("ffmpeg", ["-nostdin", "-v", "error", "-i", source] + options + [path])
    }
    let file = try bytes(whole)
    let found = try find(made("cut.\(name)", Array(file.prefix(file.count * 6 / 10 + 1))))
    #expect(found.heard.count > 44_100 * 8 && found.heard.count < 80_000 * 8)
    expectLength(found)
  }
}
