import Base
import Foundation
import MediaZoo
import TestSupport
import Testing

/// Titles in tags that do not say what they are written in.
@Suite struct TagTests {
  /// Each title, and its bytes as Windows writes it in a Western country, Korea or Japan, Unix in Japan, and in UTF-8.
  private static let titles = [
    ("Café", "436166e9"),
    ("Für Elise", "46fc7220456c697365"),
    ("Señorita", "5365f16f72697461"),
    ("Füße süß", "46fcdf652073fcdf"),
    ("CRÉÉE", "4352c9c945"),
    ("¿Él?", "bfc96c3f"),
    ("naïve", "6e61ef7665"),
    ("Don’t Stop ’Til You", "446f6e92742053746f70209254696c20596f75"),
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
    ("아리랑", "ec9584eba6aceb9e91"),
    ("Café", "436166c3a9"),
    ("さくら", "e38195e3818fe38289"),
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

  @Test("a title in ID3v1 is read as it was written", arguments: titles)
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

  @Test("a title in a WAV's list of information is read as it was written", arguments: titles)
  func information(title: String, hexadecimal: String) throws {
    let bytes = Self.bytes(hexadecimal) + [0]
    let padded = bytes + (bytes.count % 2 == 0 ? [] : [0])
    var file = Signal(frameCount: 4_410).wav()
    file += [UInt8]("LIST".utf8) + Self.number(12 + padded.count) + [UInt8]("INFOINAM".utf8) + Self.number(bytes.count)
    file += padded
    file.replaceSubrange(4..<8, with: Self.number(file.count - 8))
    #expect(try self.title(file, hexadecimal + ".wav") == title)
  }

  private static func number(_ value: Int) -> [UInt8] { (0..<4).map { UInt8(value >> (8 * $0) & 0xFF) } }
}
