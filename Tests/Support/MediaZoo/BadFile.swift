import Foundation
import TestSupport

/// Files found on cards that are not sound files, or no longer are.
package struct BadFile: Sendable, CustomStringConvertible {
  /// The file's name.
  package var name: String
  /// The acceptable refusals; any of these is correct.
  package var problems: Set<Problem>
  private var make: @Sendable (String) throws -> Void

  /// What can be wrong with a file.
  package enum Problem: Sendable {
    case empty
    case unknownKind
    case noSound
    case unknownCodec
    case damaged
    /// It is not an ordinary file, or nobody may read it, so it is not even opened.
    case notOpened
  }

  /// The file's name.
  package var description: String { name }

  /// All bad files except ``locked``.
  package static let all: [BadFile] =
    [
      BadFile("empty.wav", [.empty]) { try write([], $0) },
      BadFile("one-byte.mp3", [.unknownKind, .damaged]) { try write([0xFF], $0) },
      BadFile("zeros.wav", [.unknownKind, .damaged]) { try write([UInt8](repeating: 0, count: 100_000), $0) },
      BadFile("random.flac", [.unknownKind, .damaged]) { try write(noise(200_000), $0) },
      BadFile("text.mp3", [.unknownKind]) { try write([UInt8](String(repeating: "No sound. ", count: 999).utf8), $0) },
      BadFile("list.m3u", [.unknownKind]) { try write([UInt8]("#EXTM3U\n/etc/passwd\nempty.wav\n".utf8), $0) },
      BadFile("stream.m3u8", [.unknownKind]) {
        try write([UInt8]("#EXTM3U\n#EXT-X-TARGETDURATION:9\n#EXTINF:9,\n/etc/passwd\n#EXT-X-ENDLIST\n".utf8), $0)
      },
      BadFile("joined.ffconcat", [.unknownKind]) { try write([UInt8]("ffconcat version 1.0\nfile a.wav\n".utf8), $0) },
      BadFile("program.wav", [.unknownKind]) {
        try FileManager.default.copyItem(at: URL(fileURLWithPath: "/bin/true"), to: URL(fileURLWithPath: $0))
      },
      BadFile("picture.mp3", [.noSound, .unknownKind]) {
        try ffmpeg("testsrc=s=64x48:d=0.04", "-f image2 -c:v png", $0)
      },
      BadFile("still.flac", [.noSound, .unknownKind]) {
        try ffmpeg("testsrc=s=64x48:d=0.04", "-f image2 -c:v mjpeg", $0)
      },
      BadFile("silent.mov", [.noSound]) { try ffmpeg("testsrc=s=64x48:d=1", "-f mov -c:v mjpeg", $0) },
      BadFile("silent.mkv", [.noSound]) { try ffmpeg("testsrc=s=64x48:d=1", "-f matroska -c:v mjpeg", $0) },
      BadFile("archive.wav", [.unknownKind, .damaged]) { path in
        let folder = try TemporaryFolder()
        _ = try folder.write(Signal().wav(), as: "inside.wav")
        try ForeignProgram.run("tar", ["-czf", path, "-C", folder.path, "inside.wav"])
      },
      BadFile("nobody-codes-so.wav", [.unknownCodec]) { path in
        var wav = Signal().wav()
        wav.replaceSubrange(20..<22, with: [0x34, 0x12])
        try write(wav, path)
      },
      BadFile("folder.wav", [.notOpened]) {
        try FileManager.default.createDirectory(atPath: $0, withIntermediateDirectories: false)
      },
      BadFile("pipe.wav", [.notOpened]) { try ForeignProgram.run("mkfifo", [$0]) },
      BadFile("device.wav", [.notOpened]) {
        try FileManager.default.createSymbolicLink(atPath: $0, withDestinationPath: "/dev/zero")
      },
      BadFile("nowhere.wav", [.notOpened]) {
        try FileManager.default.createSymbolicLink(atPath: $0, withDestinationPath: "nothing")
      },
      BadFile("loop.wav", [.notOpened]) {
        try FileManager.default.createSymbolicLink(atPath: $0, withDestinationPath: $0)
      },
    ]
    + Specimen.families.map { family in
      BadFile("header-of-\(family.name)", [.unknownKind, .noSound, .unknownCodec, .damaged]) { path in
        let whole = try Data(contentsOf: URL(fileURLWithPath: Zoo.shared.path(of: family)))
        try write([UInt8](whole.prefix(12)), path)
      }
    }

  /// A file that nobody may read. (Root may, whatever its mode.)
  package static let locked = BadFile("locked.wav", [.notOpened]) { path in
    try write(Signal().wav(), path)
    try FileManager.default.setAttributes([.posixPermissions: 0], ofItemAtPath: path)
  }

  /// Valid files without their end; the rest may still be playable.
  package static let truncated: [BadFile] = Specimen.families.flatMap { family in
    [0.02, 0.5, 0.98].map { part in
      BadFile("\(Int(part * 100))-percent-of-\(family.name)", [.noSound, .unknownCodec, .damaged, .unknownKind]) {
        path in
        let whole = try Data(contentsOf: URL(fileURLWithPath: Zoo.shared.path(of: family)))
        try write([UInt8](whole.prefix(Int(part * Double(whole.count)))), path)
      }
    }
  }

  /// Creates the file, unless that has been done already.
  /// - Returns: its path.
  package func path() throws -> String { try Zoo.shared.made("bad-" + name, make) }

  private init(_ name: String, _ problems: Set<Problem>, make: @escaping @Sendable (String) throws -> Void) {
    self.name = name
    self.problems = problems
    self.make = make
  }

  private static func write(_ bytes: [UInt8], _ path: String) throws {
    try Data(bytes).write(to: URL(fileURLWithPath: path))
  }

  private static func noise(_ count: Int) -> [UInt8] {
    var generator = SeededGenerator(seed: 4)
    return (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
  }

  private static func ffmpeg(_ picture: String, _ options: String, _ path: String) throws {
    let output = options.split(separator: " ").map(String.init)
    try ForeignProgram.run("ffmpeg", ["-nostdin", "-v", "error", "-f", "lavfi", "-i", picture] + output + [path])
  }
}
