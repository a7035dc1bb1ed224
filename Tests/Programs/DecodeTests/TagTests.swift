import Base
import Foundation
import MediaZoo
import TestSupport
import Testing

/// Titles in tags that do not state their charset.
@Suite struct TagTests {
  /// Each title, and its bytes as written by Windows, Unix or DOS programs in the language's country, and in UTF-8.
  private static let titles = [
    ("Café", "436166e9"),
    ("Für Elise", "46fc7220456c697365"),
    ("Señorita", "5365f16f72697461"),
    ("Füße süß", "46fcdf652073fcdf"),
    ("CRÉÉE", "4352c9c945"),
    ("Göttingen läuft", "47947474696e67656e206c84756674"),
    ("Señorita Única", "5365a46f7269746120e96e696361"),
    ("Déjà vécu", "44826a852076826375"),
    ("Göttingen läuft", "479a7474696e67656e206c8a756674"),
    ("Señorita", "5365966f72697461"),
    ("Déjà vécu", "448e6a8820768e6375"),
    ("¿Él?", "bfc96c3f"),
    ("naïve", "6e61ef7665"),
    ("Don’t Stop ’Til You", "446f6e92742053746f70209254696c20596f75"),
    ("Cœur de pirate", "439c757220646520706972617465"),
    ("Cœur de pirate", "43bd757220646520706972617465"),
    ("Œil pour œil", "bc696c20706f757220bd696c"),
    ("10 € pour toi", "313020a420706f757220746f69"),
    ("10 € pour toi", "3130208020706f757220746f69"),
    ("Rock ´n´ Roll", "526f636b20b46eb420526f6c6c"),
    ("Don´t Stop", "446f6eb4742053746f70"),
    ("Ostatni liść", "4f737461746e69206c699ce6"),
    ("Już śpij", "4a75bf209c70696a"),
    ("“Heroes” – Live", "934865726f6573942096204c697665"),
    ("½", "bd"),
    ("아리랑", "bec6b8aeb6fb"),
    ("봄날", "babdb3af"),
    ("꽃", "b2c9"),
    ("너에게 난 나에게 넌", "b3cabfa1b0d420b3ad20b3aabfa1b0d420b3cd"),
    ("똠방각하", "8c63b9e6b0a2c7cf"),
    ("좋은 날 (feat. IU)", "c1c1c0ba20b3af2028666561742e20495529"),
    ("さくら", "82b382ad82e7"),
    ("桜", "8df7"),
    ("東京", "938c8b9e"),
    ("残酷な天使のテーゼ", "8e638d9382c893568e6782cc8365815b835b"),
    ("米津玄師 Lemon", "95c492c38cba8e74204c656d6f6e"),
    ("夜に駆ける", "96e982c98bec82af82e9"),
    ("さくら", "a4b5a4afa4e9"),
    ("宇多田ヒカル", "b1a7c2bfc5c4a5d2a5aba5eb"),
    ("さくら", "1b24422435242f24691b2842"),
    ("아리랑", "ec9584eba6aceb9e91"),
    ("Café", "436166c3a9"),
    ("さくら", "e38195e3818fe38289"),
    ("Подмосковные вечера", "cfeee4eceef1eaeee2edfbe520e2e5f7e5f0e0"),
    ("Кино", "cae8edee"),
    ("Группа крови", "e7d2d5d0d0c120cbd2cfd7c9"),
    ("Їхав козак за Дунай", "b7c8c1d720cbcfdac1cb20dac120e4d5cec1ca"),
    ("Океан Ельзи - Обійми", "efcbc5c1ce20e5ccd8dac9202d20efc2a6cacdc9"),
    ("Катюша", "8aa0e2eee8a0"),
    ("月亮代表我的心", "d4c2c1c1b4fab1edced2b5c4d0c4"),
    ("青花瓷", "c7e0bba8b4c9"),
    ("海闊天空", "aefcc1efa4d1aac5"),
    ("月亮代表我的心", "a4ebab47a54eaaeda7daaabaa4df"),
    ("Dvořák", "44766ff8e16b"),
    ("Zażółć gęślą jaźń", "5a61bff3b3e62067ea9c6cb9206a619ff1"),
    ("Őszi szél", "d5737a6920737ae96c"),
    ("Źle się dzieje", "ac6c65207369ea20647a69656a65"),
    ("Žemė mūsų", "de656deb206dfb73f8"),
    ("Pūt, vējiņi", "50fb742c2076e76a69f269"),
    ("Ζορμπάς", "c6eff1ecf0dcf2"),
    ("Yalnızlık senfonisi", "59616c6efd7a6cfd6b2073656e666f6e697369"),
    ("ירושלים של זהב", "e9f8e5f9ece9ed20f9ec20e6e4e1"),
    ("أم كلثوم", "c3e320dfe1cbe6e3"),
    ("ลอยกระทง", "c5cdc2a1c3d0b7a7"),
    ("João", "4a6fe36f"),
    ("Ágætis byrjun", "c167e6746973206279726a756e"),
    ("Sigur Rós", "53696775722052f373"),
    ("Håkan Hellström", "48e56b616e2048656c6c737472f66d"),
    ("MÖTÖRHEAD", "4dd654d65248454144"),
    ("L’été indien", "4c92e974e920696e6469656e"),
    ("© 2004", "a92032303034"),
    // Western European words whose bytes are also words, or parts of words, in other charsets.
    ("þvöguna", "fe76f667756e61"),
    ("Þorleifur", "de6f726c6569667572"),
    ("jafnaðarmannaflokkur", "6a61666e61f061726d616e6e61666c6f6b6b7572"),
    ("BOTNSTÖÐU", "424f544e5354d6d055"),
    ("Adriatarhavið", "416472696174617268617669f0"),
    ("MATURAÇÕES", "4d4154555241c7d54553"),
    ("circumval·laven", "63697263756d76616cb76c6176656e"),
    ("amiñ", "616d69f1"),
    ("sagú", "736167fa"),
    ("Simões", "53696df56573"),
    ("forgreningsrøret", "666f726772656e696e677372f8726574"),
    ("tvinntråden", "7476696e6e7472e564656e"),
    ("vóóruit", "76f3f372756974"),
    ("PÉ", "50c9"),
  ]

  private static func bytes(_ hexadecimal: String) -> [UInt8] {
    let digits = hexadecimal.compactMap(\.hexDigitValue)
    return stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0] * 16 + digits[$0 + 1]) }
  }

  private func title(_ file: [UInt8], _ name: String) throws -> String {
    let path = try Zoo.shared.made(name) { try Data(file).write(to: URL(fileURLWithPath: $0)) }
    let bench = try DecoderBench(AudioFormat(sampleRateHz: 44_100, channelCount: 2, sampleFormat: .int16))
    return String(try bench.probe(path).get().title)
  }

  @Test("a title in ID3v1 is read as it was written", arguments: Cases.some(17, of: titles))
  func old(title: String, hexadecimal: String) throws {
    let sound = try Zoo.shared.made("untagged.mp3") { path in
      try ForeignProgram.run(
        "ffmpeg",
        [
          "-v", "error", "-i", try Zoo.shared.path(of: Signal(frameCount: 44_100)), "-id3v2_version", "0", path,
        ])
    }
    let bytes = Self.bytes(hexadecimal)
    let tag = [UInt8]("TAG".utf8) + bytes + [UInt8](repeating: 0, count: 125 - bytes.count)
    #expect(try self.title([UInt8](Data(contentsOf: URL(fileURLWithPath: sound))) + tag, hexadecimal + ".mp3") == title)
  }

  @Test("a title in a WAV's list of information is read as it was written", arguments: Cases.some(17, of: titles))
  func information(title: String, hexadecimal: String) throws {
    let bytes = Self.bytes(hexadecimal) + [0]
    let padded = bytes + (bytes.count % 2 == 0 ? [] : [0])
    var file = Signal(frameCount: 4_410).wav()
    file += [UInt8]("LIST".utf8) + Self.number(12 + padded.count) + [UInt8]("INFOINAM".utf8) + Self.number(bytes.count)
    file += padded
    file.replaceSubrange(4..<8, with: Self.number(file.count - 8))
    #expect(try self.title(file, hexadecimal + ".wav") == title)
  }

  @Test(
    "a song's disc and track are found in every kind of tag", arguments: ["flac", "opus", "mp3", "m4a", "wma", "mka"])
  func albumPlaces(kind: String) throws {
    let path = try Zoo.shared.made("track.\(kind)") { path in
      let source = try Zoo.shared.path(of: Signal(frameCount: 44_100))
      let tags = ["-metadata", "track=7/12", "-metadata", "disc=2"]
      try ForeignProgram.run("ffmpeg", ["-v", "error", "-i", source] + tags + [path])
    }
    let bench = try DecoderBench(AudioFormat(sampleRateHz: 44_100, channelCount: 2, sampleFormat: .int16))
    #expect(try bench.probe(path).get().albumPlace == 20_007)
    let plain = try bench.probe(Zoo.shared.path(of: Signal(frameCount: 44_100))).get()
    #expect(plain.albumPlace == 0)
  }

  /// An ID3v2 tag with a title and an artist, each an encoding byte followed by the text.
  private static func frames(
    _ version: UInt8, _ frames: [(String, [UInt8])], hasPlainSizes: Bool = false
  ) -> [UInt8] {
    func size(_ value: Int, isSafe: Bool) -> [UInt8] {
      isSafe ? [21, 14, 7, 0].map { UInt8(value >> $0 & 0x7F) } : [24, 16, 8, 0].map { UInt8(value >> $0 & 0xFF) }
    }
    let content = frames.flatMap { name, bytes in
      [UInt8](name.utf8) + size(bytes.count, isSafe: version == 4 && !hasPlainSizes) + [0, 0] + bytes
    }
    return [UInt8]("ID3".utf8) + [version, 0, 0] + size(content.count, isSafe: true) + content
  }

  private static func utf16(_ text: String, isBigEndian: Bool) -> [UInt8] {
    text.utf16.flatMap { isBigEndian ? [UInt8($0 >> 8), UInt8($0 & 0xFF)] : [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
  }

  private func untagged() throws -> [UInt8] {
    let path = try Zoo.shared.made("plain.mp3") { path in
      let source = try Zoo.shared.path(of: Signal(frameCount: 44_100))
      try ForeignProgram.run("lame", ["--quiet", source, path])
    }
    return try [UInt8](Data(contentsOf: URL(fileURLWithPath: path)))
  }

  private func tags(_ file: [UInt8], _ name: String) throws -> [String] {
    try tags(Zoo.shared.made(name) { try Data(file).write(to: URL(fileURLWithPath: $0)) })
  }

  private func tags(_ path: String) throws -> [String] {
    let bench = try DecoderBench(AudioFormat(sampleRateHz: 44_100, channelCount: 2, sampleFormat: .int16))
    let properties = try bench.probe(path).get()
    return [String(properties.title), String(properties.artist)]
  }

  @Test(
    "a text of UTF-16 without its mark is read in the byte order that gives letters",
    arguments: ["제목 아리랑", "Björk", "さくら", "椎名林檎", "Катюша", "คาราบาว"], [false, true])
  func withoutMark(text: String, isBigEndian: Bool) throws {
    let tag = Self.frames(3, [("TIT2", [1] + Self.utf16(text, isBigEndian: isBigEndian))])
    #expect(try tags(tag + untagged(), "\(text)\(isBigEndian).mp3")[0] == text)
  }

  @Test(
    "a text whose letters are another one's bytes is read as it was meant, and no other text is changed",
    arguments: [
      ("BjÃ¶rk", "Björk"), ("Ã\u{89}tÃ©", "Été"), ("ì\u{A0}\u{9C}ëª©", "제목"), ("ÁÁÀº ³¯", "좋은 날"),
      ("Ïîäìîñêîâíûå âå÷åðà", "Подмосковные вечера"), ("Björk", "Björk"), ("Mötley Crüe", "Mötley Crüe"),
      ("Þórður Æ. Þórðarson", "Þórður Æ. Þórðarson"), ("L’été", "L’été"), ("ÆØÅ", "ÆØÅ"), ("50 °C – ½", "50 °C – ½"),
      ("À l’œuvre", "À l’œuvre"), ("¿Él?", "¿Él?"), ("CRÉÉE", "CRÉÉE"),
    ])
  func meant(text: String, meaning: String) throws {
    let wide = [1, 0xFF, 0xFE] + Self.utf16(text, isBigEndian: false)
    let tag = Self.frames(4, [("TIT2", wide), ("TPE1", [3] + Array(text.utf8))])
    #expect(try tags(tag + untagged(), "meant \(meaning) \(text == meaning).mp3") == [meaning, meaning])
  }

  @Test("frames are read whose names are those of version 2, padded by a zero or a space", arguments: ["\0", " "])
  func oldNames(padding: String) throws {
    let tag = Self.frames(3, [("TT2" + padding, [0] + Array("a".utf8)), ("TP1" + padding, [0] + Array("b".utf8))])
    #expect(try tags(tag + untagged(), "old names \(padding.utf8.first ?? 0).mp3") == ["a", "b"])
  }

  @Test("an ID3 tag at the end of one-bit sound is read, where the file says that it is")
  func oneBit() throws {
    let data = [UInt8](repeating: 0x69, count: 2 * 4096 * 4)
    func long(_ value: Int) -> [UInt8] { Self.number(value) + [0, 0, 0, 0] }
    let format: [[UInt8]] = [
      Array("fmt ".utf8), long(52), Self.number(1), Self.number(0), Self.number(2), Self.number(2),
      Self.number(2_822_400), Self.number(1), long(data.count * 4), Self.number(4096), Self.number(0),
    ]
    let sound = Array(format.joined()) + Array("data".utf8) + long(data.count + 12) + data
    let title = [0] + Self.bytes("babdb3af")
    let tag = Self.frames(4, [("TIT2", title), ("TPE1", [3] + Array("a\0b".utf8))])
    let end = 28 + sound.count
    let head = Array("DSD ".utf8) + long(28) + long(end + tag.count) + long(end)
    #expect(try tags(head + sound + tag, "tagged.dsf") == ["봄날", "a; b"])
  }

  @Test("a tag of version 4 is read whose sizes have eight bits in a byte", arguments: [100, 300, 20_000])
  func plainSizes(byteCount: Int) throws {
    let picture = [0] + [UInt8]("image/jpeg".utf8) + [0, 3, 0] + [UInt8](repeating: 0x78, count: byteCount)
    let frames = [("APIC", picture), ("TIT2", [3] + [UInt8]("봄날".utf8)), ("TPE1", [3] + [UInt8]("아이유".utf8))]
    for hasPlainSizes in [false, true] {
      let tag = Self.frames(4, frames, hasPlainSizes: hasPlainSizes)
      #expect(try tags(tag + untagged(), "\(byteCount)\(hasPlainSizes).mp3") == ["봄날", "아이유"])
    }
  }

  @Test(
    "a tag is read whose extended header is missing, or whose frames belong to groups",
    arguments: [
      (3, 0x40, [0, 0], []), (4, 0x40, [0, 0], []), (3, 0, [0, 0x20], [5]), (4, 0, [0, 0x40], [5]),
      (4, 0, [0, 0x41], [5, 0, 0, 0, 7]),
    ] as [(UInt8, UInt8, [UInt8], [UInt8])])
  func odd(version: UInt8, flags: UInt8, frameFlags: [UInt8], before: [UInt8]) throws {
    let content = before + [3] + [UInt8]("봄날".utf8)
    let frame = [UInt8]("TIT2".utf8) + [0, 0, 0, UInt8(content.count)] + frameFlags + content
    let tag = [UInt8]("ID3".utf8) + [version, 0, flags, 0, 0, 0, UInt8(frame.count)] + frame
    #expect(try tags(tag + untagged(), "odd-\(version)-\(flags)-\(frameFlags).mp3")[0] == "봄날")
  }

  /// A content as zlib stores it, with its checksum.
  private static func packed(_ bytes: [UInt8]) -> [UInt8] {
    let (low, high) = bytes.reduce((1, 0)) { sums, byte in
      let low = (sums.0 + Int(byte)) % 65_521
      return (low, (sums.1 + low) % 65_521)
    }
    let count = [UInt8(bytes.count & 0xFF), UInt8(bytes.count >> 8)]
    return [0x78, 1, 1] + count + count.map { ~$0 } + bytes + [high >> 8, high, low >> 8, low].map { UInt8($0 & 0xFF) }
  }

  @Test(
    "a compressed frame is read, and one that is damaged or encrypted is passed over", arguments: 0..<9)
  func packedFrames(number: Int) throws {
    let text = [3] + [UInt8]("봄날".utf8)
    let packed = Self.packed(text)
    let length = [0, 0, 0, UInt8(text.count)]
    // Version, second byte of the flags, content, and whether the title can be read.
    let cases: [(UInt8, UInt8, [UInt8], Bool)] = [
      (3, 0x80, length + packed, true), (3, 0xA0, length + [5] + packed, true), (4, 0x09, length + packed, true),
      (4, 0x49, [5] + length + packed, true), (4, 0x08, packed, true), (4, 0x09, packed, true),
      (4, 0x09, length + packed.dropLast(8) + [0, 0, 0, 0, 0, 0, 0, 0], false), (4, 0x0D, [5] + length + packed, false),
      (3, 0x40, [5] + text, false),
    ]
    let (version, flags, content, isRead) = cases[number]
    let frame = [UInt8]("TIT2".utf8) + [0, 0, 0, UInt8(content.count), 0, flags] + content
    let artist = [UInt8]("TPE1".utf8) + [0, 0, 0, 4, 0, 0, 3] + [UInt8]("abc".utf8)
    let tag = [UInt8]("ID3".utf8) + [version, 0, 0, 0, 0, 0, UInt8(frame.count + artist.count)] + frame + artist
    #expect(try tags(tag + untagged(), "packed \(number).mp3") == [isRead ? "봄날" : "", "abc"])
  }

  @Test("the length of a frame of version 4 counts the zeros that synchronisation put into it")
  func countedZeros() throws {
    let text: [UInt8] = [1, 0xFF, 0, 0xFE, 0x04, 0xBD, 0xA0, 0xB0, 0xFF, 0, 0]
    for flags: (UInt8, UInt8) in [(0x80, 0), (0, 2)] {
      let title = [UInt8]("TIT2".utf8) + [0, 0, 0, UInt8(text.count), 0, flags.1] + text
      let artist = [UInt8]("TPE1".utf8) + [0, 0, 0, 4, 0, 0, 3] + [UInt8]("abc".utf8)
      let tag = [UInt8]("ID3".utf8) + [4, 0, flags.0, 0, 0, 0, UInt8(title.count + artist.count)] + title + artist
      #expect(try tags(tag + untagged(), "zeros \(flags.0).mp3") == ["봄날ÿ", "abc"])
    }
  }

  @Test("a tag is read whose size has eight bits in a byte, and no sound is lost behind it")
  func plainTagSize() throws {
    let frames = [("TIT2", [3] + [UInt8]("봄날".utf8)), ("PRIV", [UInt8](repeating: 0x78, count: 65_500))]
    var file = try Self.frames(3, frames) + untagged()
    let size = 10 + 7 + 10 + 65_502
    file.replaceSubrange(6..<10, with: [24, 16, 8, 0].map { UInt8(size >> $0 & 0xFF) })
    #expect(try tags(file, "plain size.mp3")[0] == "봄날")
    let bench = try DecoderBench(AudioFormat(sampleRateHz: 44_100, channelCount: 2, sampleFormat: .int16))
    let path = try Zoo.shared.made("plain size.mp3") { _ in }
    #expect(try bench.open(path).get().durationSeconds == 1)
    var heard: [UInt8] = []
    #expect(try bench.play { heard += $0 }.hasEnded)
    #expect(heard.count == 4 * 44_100)
  }

  @Test("a file plays behind a tag with a large picture", arguments: ["flac", "ogg", "aac", "mp3", "wav"])
  func largePicture(ending: String) throws {
    let picture = [0] + [UInt8]("image/jpeg".utf8) + [0, 3, 0] + [UInt8](repeating: 0x78, count: 1_500_000)
    let tag = Self.frames(4, [("APIC", picture), ("TIT2", [3] + [UInt8]("봄날".utf8))])
    let sound = try Zoo.shared.made("small.\(ending)") { path in
      let source = try Zoo.shared.path(of: Signal(frameCount: 44_100))
      try ForeignProgram.run("ffmpeg", ["-v", "error", "-i", source, path])
    }
    let bytes = try [UInt8](Data(contentsOf: URL(fileURLWithPath: sound)))
    #expect(try tags(tag + bytes, "large.\(ending)")[0] == "봄날")
  }

  @Test("a frame that is marked Latin-1 is read as it was written", arguments: Cases.some(17, of: titles))
  func marked(title: String, hexadecimal: String) throws {
    let tag = Self.frames(3, [("TIT2", [0] + Self.bytes(hexadecimal))])
    #expect(try tags(tag + untagged(), "v2-\(hexadecimal).mp3")[0] == title)
  }

  /// Adds two artists to a file with Mutagen.
  private static let mutagen = """
    import sys
    from mutagen.apev2 import APEv2
    from mutagen.flac import FLAC
    from mutagen.id3 import ID3, TIT2, TPE1
    from mutagen.mp4 import MP4
    from mutagen.oggopus import OggOpus
    path, kind = sys.argv[1:]
    artists = ['Alpha', 'Beta']
    if kind == 'id3':
        tags = ID3()
        tags.add(TIT2(encoding=1, text='봄날'))
        tags.add(TPE1(encoding=3, text=artists))
    elif kind == 'ape':
        tags = APEv2()
        tags['Title'], tags['Artist'] = '봄날', artists
    elif kind == 'mp4':
        tags = MP4(path)
        tags['\u{5C}xa9nam'], tags['\u{5C}xa9ART'] = '봄날', artists
    else:
        tags = {'flac': FLAC, 'opus': OggOpus}[kind](path)
        tags['title'], tags['artist'] = '봄날', artists
    tags.save(path)
    """

  @Test(
    "each of several artists is read that Mutagen writes",
    arguments: [
      ("mp3", "id3"), ("mp3", "ape"), ("wv", "ape"), ("tta", "ape"), ("m4a", "mp4"), ("flac", "flac"), ("opus", "opus"),
    ])
  func several(ending: String, kind: String) throws {
    let source = try Zoo.shared.path(of: Signal(frameCount: 44_100))
    let path = try Zoo.shared.made("\(kind)-several.\(ending)") { path in
      try ForeignProgram.run("ffmpeg", ["-nostdin", "-v", "error", "-i", source, "-map_metadata", "-1", path])
      try ForeignProgram.run("/usr/bin/python3", ["-c", Self.mutagen, path, kind])
    }
    let read = try tags(path)
    #expect(read[0] == "봄날")
    #expect(read[1].split(separator: ";").map { $0.drop(while: { $0 == " " }) } == ["Alpha", "Beta"])
  }

  private static func number(_ value: Int) -> [UInt8] { (0..<4).map { UInt8(value >> (8 * $0) & 0xFF) } }
}
