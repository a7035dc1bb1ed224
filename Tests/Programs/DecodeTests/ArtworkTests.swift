import Foundation
import MediaZoo
import TestSupport
import Testing
import Wire

/// Cover art in files that third-party programs wrote.
@Suite struct ArtworkTests {
  /// A picture made by ImageMagick.
  private func picture(_ name: String, _ arguments: [String]) throws -> String {
    try Zoo.shared.made(name) { try ForeignProgram.run("convert", arguments + [$0]) }
  }

  /// The picture as ImageMagick scales it to this size, over black.
  private func expected(_ picture: String, _ width: Int, _ height: Int) throws -> [UInt8] {
    let folder = try TemporaryFolder()
    let path = folder.path + "/small.rgb"
    try ForeignProgram.run(
      "convert",
      [
        picture, "-background", "black", "-alpha", "remove", "-colorspace", "sRGB", "-filter", "Box", "-resize",
        "\(width)x\(height)!", "-depth", "8", "rgb:" + path,
      ])
    return [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
  }

  private func sound() throws -> String { try Zoo.shared.path(of: Signal(frameCount: 44_100)) }

  private func flac(_ picture: String) throws -> String {
    let name = picture.split(separator: "/").last! + ".flac"
    return try Zoo.shared.made(String(name)) { path in
      try ForeignProgram.run("flac", ["--silent", "--picture", picture, "-o", path, try sound()])
    }
  }

  @Test(
    "a picture of any kind of pixels is 200 x 200 at most and looks like itself",
    arguments: [
      ("p.jpg", ["-size", "640x480", "plasma:red-blue"], 200, 150),
      ("tall.png", ["-size", "300x500", "plasma:yellow-green"], 120, 200),
      ("small.png", ["-size", "50x20", "plasma:red-yellow"], 50, 20),
      ("gray.jpg", ["-size", "400x400", "plasma:black-white", "-colorspace", "Gray"], 200, 200),
      ("gray.png", ["-size", "333x100", "gradient:white-black", "-colorspace", "Gray", "-depth", "16"], 200, 60),
      ("deep.png", ["-size", "256x256", "plasma:blue-white", "-depth", "16"], 200, 200),
      ("palette.png", ["-size", "256x128", "plasma:red-green", "-colors", "60", "-type", "Palette"], 200, 100),
      ("clear.png", ["-size", "400x200", "gradient:#ff0000ff-#0000ff00"], 200, 100),
      ("thin.png", ["-size", "3000x2", "xc:orange"], 200, 1),
      ("444.jpg", ["-size", "500x500", "plasma:lime-purple", "-sampling-factor", "1x1"], 200, 200),
      ("large.jpg", ["-size", "4000x3000", "gradient:orange-navy"], 200, 150),
    ])
  func looksLikeItself(name: String, arguments: [String], width: Int, height: Int) throws {
    let source = try picture("art-" + name, arguments)
    let found = try #require(try ExtractBench().picture(flac(source)))
    #expect(found.width == width && found.height == height)
    let expected = try expected(source, width, height)
    #expect(found.bytes.count == expected.count)
    let difference = zip(found.bytes, expected).reduce(0) { $0 + abs(Int($1.0) - Int($1.1)) }
    #expect(Double(difference) / Double(expected.count) < 5, "\(name)")
  }

  @Test(
    "pictures that flac, opusenc and ffmpeg put into FLAC, Opus, MP3 and MP4 are found, and the front before others")
  func containers() throws {
    let cover = try picture("art-p.jpg", ["-size", "640x480", "plasma:red-blue"])
    let back = try picture("art-back.png", ["-size", "100x100", "xc:green"])
    let sound = try sound()
    let folder = try TemporaryFolder()
    let bench = try ExtractBench()
    func made(_ name: String, _ program: String, _ arguments: (String) -> [String]) throws -> String {
      let path = folder.path + "/" + name
      try ForeignProgram.run(program, arguments(path))
      return path
    }
    let opus = try made("a.opus", "opusenc") { ["--quiet", "--picture", cover, sound, $0] }
    #expect(try bench.picture(opus)?.width == 200)
    for name in ["a.m4a", "a.mp3"] {
      let file = try made(name, "ffmpeg") {
        [
          "-nostdin", "-v", "error", "-i", sound, "-i", cover, "-map", "0", "-map", "1", "-c:v", "copy",
          "-disposition:v:0", "attached_pic", $0,
        ]
      }
      let found = try #require(try bench.picture(file), "\(name)")
      #expect(found.width == 200 && found.height == 150)
    }
    let both = try made("a.flac", "flac") {
      ["--silent", "--picture", "4||||" + back, "--picture", "3||||" + cover, "-o", $0, sound]
    }
    #expect(try bench.picture(both)?.height == 150)
    #expect(try bench.extract(.artwork, sound) == .nothing)
    #expect(try bench.extract(.artwork, cover) == nil)
  }

  @Test(
    "a cover is seen whatever its tag calls it",
    arguments: ["jpg", "png", "webp", "gif", "bmp"], ["", "image/jpeg", "image/png", "JPG", "image/", "application/x"])
  func calledAnything(ending: String, kind: String) throws {
    let cover = try picture("art-kind." + ending, ["-size", "300x200", "plasma:red-blue"])
    let bytes = try [UInt8](Data(contentsOf: URL(fileURLWithPath: cover)))
    func big(_ value: Int) -> [UInt8] { (0..<4).reversed().map { UInt8(value >> (8 * $0) & 0xFF) } }
    let bench = try ExtractBench()
    func expectCover(_ file: [UInt8], _ what: String) throws {
      let found = try #require(try bench.picture(TemporaryFolder.kept(file)), "\(what) \(ending) \(kind)")
      #expect(found.width == 200 && found.height == 133)
    }
    let mp3 = try [UInt8](
      Data(
        contentsOf: URL(
          fileURLWithPath: Zoo.shared.made("bare.mp3") { path in
            try ForeignProgram.run(
              "ffmpeg",
              ["-nostdin", "-v", "error", "-i", try sound(), "-id3v2_version", "0", "-write_id3v1", "0", path])
          })))
    let frame = [0] + Array(kind.utf8) + [0, 3] + Array("the front\0".utf8) + bytes
    let body = Array("APIC".utf8) + big(frame.count) + [0, 0] + frame
    let size = (0..<4).reversed().map { UInt8(body.count >> (7 * $0) & 0x7F) }
    let tag: [UInt8] = Array("ID3".utf8) + [3, 0, 0] + size + body
    try expectCover(tag + mp3, "ID3")
    let item = Array("\(kind)\0".utf8) + bytes
    try expectCover(mp3 + LyricsTests.ape([("Cover Art (Front)", item, 2)]), "APE")
    let flac = try [UInt8](
      Data(
        contentsOf: URL(
          fileURLWithPath: Zoo.shared.made("bare.flac") { path in
            try ForeignProgram.run("flac", ["--silent", "-o", path, try sound()])
          })))
    var block = big(3) + big(kind.utf8.count) + Array(kind.utf8)
    block += [UInt8](repeating: 0, count: 20) + big(bytes.count) + bytes
    let head = [6] + Array(big(block.count).dropFirst())
    try expectCover(Array(flac.prefix(42)) + head + block + Array(flac.dropFirst(42)), "FLAC")
  }

  /// Adds a front cover to a file with Mutagen.
  private static let mutagen = """
    import base64, sys
    from mutagen.aiff import AIFF
    from mutagen.flac import FLAC, Picture
    from mutagen.id3 import APIC
    from mutagen.mp3 import MP3
    from mutagen.mp4 import MP4, MP4Cover
    from mutagen.oggopus import OggOpus
    from mutagen.oggvorbis import OggVorbis
    from mutagen.wave import WAVE
    cover, path = open(sys.argv[1], 'rb').read(), sys.argv[2]
    kinds = {'mp3': MP3, 'wav': WAVE, 'aiff': AIFF, 'flac': FLAC, 'ogg': OggVorbis, 'opus': OggOpus, 'm4a': MP4}
    ending = path.split('.')[-1]
    file = kinds[ending](path)
    picture = Picture()
    picture.data, picture.type, picture.mime = cover, 3, 'image/jpeg'
    if ending == 'm4a': file['covr'] = [MP4Cover(cover, MP4Cover.FORMAT_JPEG)]
    elif ending == 'flac': file.add_picture(picture)
    elif ending in ('ogg', 'opus'): file['metadata_block_picture'] = [base64.b64encode(picture.write()).decode()]
    else:
        if file.tags is None: file.add_tags()
        file.tags.add(APIC(encoding=3, mime='image/jpeg', type=3, desc='front', data=cover))
    file.save()
    """

  @Test(
    "pictures that Mutagen, eyeD3 and AtomicParsley write are found",
    arguments: [
      ("mp3", "Mutagen"), ("wav", "Mutagen"), ("aiff", "Mutagen"), ("flac", "Mutagen"), ("ogg", "Mutagen"),
      ("opus", "Mutagen"), ("m4a", "Mutagen"), ("mp3", "eyeD3"), ("m4a", "AtomicParsley"),
    ])
  func taggers(ending: String, tagger: String) throws {
    let cover = try picture("art-p.jpg", ["-size", "640x480", "plasma:red-blue"])
    let folder = try TemporaryFolder()
    let path = folder.path + "/a." + ending
    try ForeignProgram.run("ffmpeg", ["-nostdin", "-v", "error", "-i", try sound(), "-map_metadata", "-1", path])
    let bench = try ExtractBench()
    #expect(try bench.picture(path) == nil)
    switch tagger {
    case "eyeD3": try ForeignProgram.run("eyeD3", ["-Q", "--add-image", cover + ":FRONT_COVER", path])
    case "AtomicParsley": try ForeignProgram.run("AtomicParsley", [path, "--artwork", cover, "--overWrite"])
    default: try ForeignProgram.run("/usr/bin/python3", ["-c", Self.mutagen, cover, path])
    }
    let found = try #require(try bench.picture(path))
    #expect(found.width == 200 && found.height == 150)
  }

  @Test("of many damaged files with lyrics and pictures none harms more than the process that reads it")
  func damaged() throws {
    let jpeg = try picture("art-p.jpg", ["-size", "640x480", "plasma:red-blue"])
    let png = try picture("art-back.png", ["-size", "100x100", "xc:green"])
    let sound = try Zoo.shared.path(of: Signal(frameCount: 4_410))
    let words = "[00:01.00]one\n[00:02.00]two"
    let folder = try TemporaryFolder()
    func made(_ name: String, _ program: String, _ arguments: (String) -> [String]) throws -> [UInt8] {
      let path = folder.path + "/" + name
      try ForeignProgram.run(program, arguments(path))
      return [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
    }
    func attached(_ picture: String, _ path: String) -> [String] {
      [
        "-nostdin", "-v", "error", "-i", sound, "-i", picture, "-map", "0", "-map", "1", "-c:v", "copy",
        "-disposition:v:0", "attached_pic", "-metadata", "lyrics=" + words, path,
      ]
    }
    let whole = [
      try made("a.flac", "flac") { ["--silent", "--picture", png, "-T", "LYRICS=" + words, "-o", $0, sound] },
      try made("a.opus", "opusenc") { ["--quiet", "--picture", jpeg, "--comment", "lyrics=" + words, sound, $0] },
      try made("a.m4a", "ffmpeg") { attached(jpeg, $0) }, try made("a.mp3", "ffmpeg") { attached(png, $0) },
      Array(words.utf8),
    ]
    let bench = try ExtractBench()
    var crashes: [String] = []
    var found = 0
    let count = Cases.count(100, of: 1000)
    for seed in 0..<count {
      var generator = SeededGenerator(seed: UInt64(seed))
      // The tags are at the beginning, so most of the damage goes there.
      let file = whole[seed % whole.count]
      let head = Mutation.mutated(Array(file.prefix(2000)), using: &generator)
      let path = try folder.write(head + file.dropFirst(2000), as: "mutated")
      do {
        let isText = seed % whole.count == whole.count - 1
        for line in try bench.lyrics(path, isText ? .lyricsText : .lyrics) {
          found += 1
          #expect(line.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control })
        }
        if !isText, let picture = try bench.picture(path) {
          found += 1
          #expect(picture.width <= 200 && picture.height <= 200)
        }
      } catch DecoderBench.Trouble.crashed(let line) {
        crashes.append("seed \(seed): \(line)")
        try bench.start()
      }
    }
    print("\(count) damaged files with lyrics and pictures: \(crashes.count) crashes of the decoder", crashes)
    // Otherwise the damage is too great to test anything.
    #expect(found > count / 2)
  }
}
