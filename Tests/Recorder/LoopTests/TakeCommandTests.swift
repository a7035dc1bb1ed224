import Base
import Configuration
import Foundation
import Machine
import Media
import TestSupport
import Testing

@testable import App

/// The take commands, on the whole appliance. Its clock starts at 2026-01-01 00:00 UTC.
@Suite struct TakeCommandTests {
  /// A rig with takes of two seconds, during each of which a line is typed.
  private func rig(
    _ lines: [String] = ["", ""], host: TestHost = TestHost(), adjust: (inout Settings) -> Void = { _ in }
  ) throws -> ApplianceRig {
    let rig = try ApplianceRig(host: host, adjust: adjust)
    rig.run(milliseconds: 3_000)
    for line in lines {
      rig.run("press record", milliseconds: 2_000)
      if !line.isEmpty { rig.run(line, milliseconds: 100) }
      rig.run("press record", milliseconds: 2_000)
    }
    return rig
  }

  /// The replies to these lines.
  private func replies(_ rig: ApplianceRig, _ lines: String, milliseconds: UInt64 = 1_000) -> [String] {
    let start = rig.host.lines.count
    rig.run(lines, milliseconds: milliseconds)
    return rig.host.lines[start...].filter { !$0.hasPrefix("* ") }
  }

  /// Makes files known to the library, whose decoder is a scripted one.
  private func makeKnown(_ paths: [String], _ rig: ApplianceRig) {
    for path in paths {
      rig.host.player.files[path] = ScriptedFile(firstNumber: 1, frameCount: 96_000)
      rig.host.prober.files[path] = ScriptedFile(firstNumber: 1, frameCount: 96_000)
    }
    rig.run("rescan", milliseconds: 5_000)
  }

  private func places(_ rig: ApplianceRig) -> [String] {
    rig.host.disk.image.names.keys.filter { $0.contains(".mov") || $0.contains(".wav") }.sorted()
  }

  @Test("takes lists the newest last, with length, way up, marks, protection and name")
  func lists() throws {
    let rig = try rig(["mark an owl\nmark", ""])
    let path = rig.takePaths[0]
    let said = replies(rig, "name 1 부엉이\nprotect 1\ntakes\ntakes 1\ntakes bin\ntakes json")
    #expect(said[0...3] == ["\(path) is called \"부엉이\"", "ok", "\(path) is protected", "ok"])
    #expect(said[4] == "number              when    length      size  turned  marks  faults")
    let row1 = #/ {5}1  2026-01-01 00:00   0:00:0\d +\d+\.\d\d .B {6}0° {6}2 {7}0  protected  부엉이/#
    #expect(said[5].wholeMatch(of: row1) != nil)
    #expect(said[6].wholeMatch(of: #/ {5}2  2026-01-01 00:00   0:00:0\d +\d+\.\d\d .B {6}0° {6}0 {7}0/#) != nil)
    #expect(said[7...11] == ["ok", said[4], said[6], "ok", "there is no take"])
    struct Row: Decodable, Equatable {
      let number: Int, path: String, recorded: String, bytes: Int, milliseconds: Int, clockwise_degrees: Int
      let marks: Int, faults: Int, protected: Bool, recording: Bool, name: String
    }
    let row = try JSONDecoder().decode(Row.self, from: Data(said[13].utf8))
    let movie = try #require(rig.movie(path))
    #expect(row.bytes == rig.host.disk.image[path]?.count && row.path == path && row.marks == 2 && row.name == "부엉이")
    #expect(abs(row.milliseconds - movie.audio.count / 16) <= 50 && row.protected && !row.recording)
    #expect(row.recorded.hasPrefix("2026-01-01T00:00:0") && row.clockwise_degrees == 0 && row.faults == 0)
  }

  @Test("A take of sound alone has its length from its seals, a rotated one its angle, a lost device is a fault")
  func listsOthers() throws {
    for container in [AudioContainer.wav, .aiff, .caf] {
      let rig = try rig(["mark\nmark one"]) { settings in
        settings.record.content = .audio
        settings.record.audioContainer = container
      }
      let row = replies(rig, "takes json")[0]
      let status = try rig.status()
      let seconds = try #require(status["seconds"] as? Double)
      let milliseconds = try #require(row.firstMatch(of: /"milliseconds":(\d+)/).flatMap { Double($0.1) })
      #expect(
        abs(milliseconds / 1000 - seconds) < 0.002 && row.contains("\"clockwise_degrees\":null,\"marks\":2,"), "\(row)")
    }
    let rig = try rig([])
    rig.run("rotate portrait-upside-down", milliseconds: 500)
    rig.run("press record", milliseconds: 1_000)
    rig.begin(.absent, of: .camera, nanoseconds: 1_000_000_000)
    rig.run(milliseconds: 3_000)
    #expect(replies(rig, "takes")[1].hasSuffix("      -      0       0  recording"))
    rig.run("press record", milliseconds: 2_000)
    let row = replies(rig, "takes json")[0]
    #expect(row.contains("\"clockwise_degrees\":270,\"marks\":0,\"faults\":1,"), "\(row)")
  }

  @Test("After takes, play takes their numbers; play last plays the newest take, and a path that file")
  func plays() throws {
    let rig = try rig(["", "", ""])
    let paths = rig.takePaths
    makeKnown(paths, rig)
    func open() throws -> String? { (try rig.status()["player"] as? [String: Any])?["file"] as? String }
    rig.run("play last", milliseconds: 500)
    #expect(try open() == paths[2], "\(rig.host.lines.suffix(6))")
    rig.run("list\ntakes\nplay 2", milliseconds: 1_000)
    #expect(try open() == paths[1])
    #expect(
      replies(rig, "delete 2")
        == ["error: \(paths[1]) is open in the player: dispose closes it"])
    rig.run("play \(paths[0])", milliseconds: 500)
    #expect(try open() == paths[0])
    #expect(replies(rig, "play nothing.mov").last?.hasPrefix("error: ") == true)
    #expect(try open() == paths[0])
    #expect(replies(rig, "play 7") == ["error: there is no take 7: takes lists them, and list all files"])
  }

  @Test("delete asks first, names what it frees, and moves the take that it has asked about")
  func deletes() throws {
    let rig = try rig()
    let paths = rig.takePaths
    makeKnown(paths, rig)
    #expect(replies(rig, "list").contains { $0.hasPrefix(paths[1]) })
    let before = rig.host.disk.image[paths[1]]
    let question = replies(rig, "delete last")
    let asked = "move \(paths[1]) into the bin, which frees "
    #expect(question.count == 2 && question[0].hasPrefix(asked))
    #expect(places(rig) == paths)
    rig.run(milliseconds: 10_500)
    #expect(replies(rig, "delete last") == question)
    for _ in 0..<2 {
      rig.appliance.loop.machine.buttons.device.inject(.record, from: rig.now, to: rig.now + 80_000_000)
      rig.run(milliseconds: 1_500)
    }
    // Another take is the last one by now. Only a typed line would have closed the question.
    #expect(replies(rig, "delete last")[0].hasPrefix("\(paths[1]) is in the bin, which frees "))
    let bin = "bin/20260101-\(paths[1].split(separator: "/")[2])"
    #expect(rig.host.disk.image[paths[1]] == nil && rig.host.disk.image[bin] == before)
    #expect(!replies(rig, "list").contains { $0.hasPrefix(paths[1]) })
    #expect(!replies(rig, "takes json").contains { $0.contains(paths[1]) })
    #expect(replies(rig, "takes bin json")[0].contains("\"path\":\"\(paths[1])\""))
    #expect(replies(rig, "undelete 2") == ["\(paths[1]) is back", "ok"])
    #expect(rig.host.disk.image[paths[1]] == before && rig.host.disk.image[bin] == nil)
    let listed = replies(rig, "list")
    #expect(listed.contains { $0.hasPrefix(paths[1]) }, "\(listed)")
  }

  @Test("After every power cut in delete, undelete and name the take is whole in one place, with one of its names")
  func everyCut() throws {
    let rig = try rig([""])
    let path = rig.takePaths[0]
    let whole = try #require(rig.host.disk.image[path])
    let start = rig.host.disk.operations.count
    rig.run("name 1 owl\nname 1 eagle owl\ndelete 1\ndelete 1\nundelete 1\ndelete 1\ndelete 1", milliseconds: 1_000)
    let bin = "bin/20260101-\(path.split(separator: "/")[2])"
    #expect(rig.host.disk.image[bin] == whole)
    let operations = rig.host.disk.operations
    let names = ["owl\n", "eagle owl\n"].map { Array($0.utf8) }
    var places: Set<String> = []
    for count in start...operations.count {
      for seed in 0..<40 as Range<UInt64> {
        var generator = seed == 0 ? nil : SeededGenerator(seed: seed << 32 | UInt64(count))
        let image = DiskImage.afterCut(operations, at: count, using: &generator)
        let found = [path, bin].filter { image[$0] != nil }
        #expect(found.count == 1 && image[found[0]] == whole, "cut \(count), seed \(seed): \(found)")
        places.formUnion(found)
        if let name = image["names/0001"] { #expect(names.contains(name)) }
      }
    }
    #expect(places == [path, bin])
    // What was confirmed is durable.
    for seed in 1..<40 as Range<UInt64> {
      var generator: SeededGenerator? = SeededGenerator(seed: seed)
      let image = DiskImage.afterCut(operations, at: operations.count, using: &generator)
      #expect(image[bin] == whole && image["names/0001"] == names[1], "seed \(seed)")
    }
  }

  @Test("When the card gets full the bin is emptied, though nothing else is ever removed, and a protected take stays")
  func emptiesBin() throws {
    let rig = try rig(["", "", ""])
    let paths = rig.takePaths
    rig.run("delete 1\ndelete 1\ndelete 2\ndelete 2", milliseconds: 1_000)
    rig.run(milliseconds: 15_000)
    #expect(places(rig).count == 3)
    rig.host.disk.toldFreeByteCount = 300_000_000
    rig.run("press record", milliseconds: 2_000)
    rig.run("press record", milliseconds: 15_000)
    #expect(places(rig).filter { $0.hasPrefix("bin/") }.isEmpty)
    #expect(rig.announcements("retention: bin removed: 2 files, ").count == 1)
    #expect(rig.host.disk.image[paths[2]] != nil)
  }

  @Test("on a card without room even for the bin, a take can be removed for good by whoever confirms that")
  func removesOnFullCard() throws {
    let host = TestHost()
    let rig = try rig(host: host)
    let path = rig.takePaths[0]
    host.disk.isFullOfFolders = true
    let said = replies(rig, "delete 1\ny")
    #expect(
      said.first?.hasPrefix("the card has no room for the bin: remove \(path) for ever, which frees ") == true
        && said.contains { $0.hasPrefix("\(path) is removed, which has freed ") }, "\(said)")
    #expect(host.disk.image[path] == nil)
  }

  @Test("a take that its file system does not protect is not said to be protected")
  func protectsNothing() throws {
    let host = TestHost()
    host.disk.keepsProtection = false
    let rig = try rig(host: host)
    #expect(
      replies(rig, "protect 1") == [
        "error: storage \(rig.takePaths[0]) cannot be protected or released: its file system does not keep that; ext4 does"
      ])
  }

  @Test("export writes a copy that has its name when it is whole, with the take's name beside it")
  func exports() throws {
    let host = TestHost()
    let usb = MemoryDisk()
    host.disk.others["/usb"] = usb
    let rig = try rig(host: host)
    let path = rig.takePaths[0]
    let name = String(path.split(separator: "/")[2])
    var names: Set<String> = []
    usb.beforeCall = { names.formUnion(usb.image.names.keys) }
    rig.run("name 1 owl", milliseconds: 100)
    // While another take is being recorded.
    rig.run("press record", milliseconds: 1_000)
    let said = replies(rig, "export 1 /usb", milliseconds: 2_000)
    #expect(said.first == "\(path) is copied, and the copy was verified")
    #expect(said.dropFirst().first?.contains(" is whole: its ") == true && said.last == "ok")
    #expect(usb.image[name] == host.disk.image[path] && usb.image.names.count == 2)
    #expect(usb.image[name.replacing(".mov", with: ".txt")] == Array("owl\n".utf8))
    #expect(names.contains(".\(name).part"))
    for count in 0...usb.operations.count {
      for seed in 1..<8 as Range<UInt64> {
        var generator: SeededGenerator? = SeededGenerator(seed: seed << 32 | UInt64(count))
        let image = DiskImage.afterCut(usb.operations, at: count, using: &generator)
        #expect(image[name] == nil || image[name] == host.disk.image[path], "cut \(count), seed \(seed)")
      }
    }
    #expect(replies(rig, "export 1 /usb") == ["error: /usb/\(name) already exists: nothing is overwritten"])
    #expect(
      replies(rig, "export 1 /dvd") == ["error: there is no folder /dvd: mount the disk, or create the folder"])
    rig.run("press record", milliseconds: 2_000)
    try rig.expectWhole(try #require(rig.movie(rig.takePaths[2])), "beside a copy")
  }

  @Test("A disk that is full, or does not keep what is written, gets no copy, and nothing is left on it")
  func refusesToExport() throws {
    let host = TestHost()
    let usb = MemoryDisk()
    host.disk.others["/usb"] = usb
    let rig = try rig(host: host)
    let byteCount = try #require(host.disk.image[rig.takePaths[0]]?.count)
    usb.toldFreeByteCount = UInt64(byteCount)
    let refusal = replies(rig, "export 1 /usb")
    #expect(refusal.count == 1 && refusal[0].contains("error: /usb has too little space: "))
    usb.toldFreeByteCount = 1 << 40
    usb.capacityByteCount = byteCount / 2
    #expect(replies(rig, "export 1 /usb")[0].hasPrefix("error: "))
    #expect(usb.image.names.isEmpty)
    usb.capacityByteCount = .max
    // Free bytes, but no room for another name.
    usb.capacityFileCount = 0
    let full = replies(rig, "export 1 /usb")[0]
    #expect(full.hasPrefix("error: storage /usb has no room for the copy") && full.hasSuffix("use a larger disk"))
    usb.capacityFileCount = .max
    // The disk corrupts a write that it has confirmed.
    let path = rig.takePaths[0]
    usb.changesWrites = true
    let differs = "error: the copy in /usb did not match, and was removed: check that disk"
    #expect(replies(rig, "export 1 /usb") == [differs])
    #expect(usb.image.names.isEmpty && host.disk.image[path] != nil)
    usb.changesWrites = false
    // A take that is already damaged is copied as it is, and reported.
    var content = try #require(host.disk.image[path])
    content[content.count / 2] ^= 1
    var storage = try host.openStorage()
    try unsafe storage.replace(FixedText(path), with: content.span.bytes)
    let said = replies(rig, "export 1 /usb")
    #expect(said.last == "ok" && said[1].contains("is not as it was recorded: there is damage in "))
    #expect(usb.image[String(path.split(separator: "/")[2])] == content)
  }

  @Test("ctrl-C ends a copy, and removes what there is of it")
  func breaksOffExport() throws {
    let host = TestHost()
    let usb = MemoryDisk()
    host.disk.others["/usb"] = usb
    host.isTerminal = true
    let rig = try ApplianceRig(host: host)
    rig.run(milliseconds: 1_000)
    var storage = try host.openStorage()
    let long = [UInt8](repeating: 7, count: 60_000_000)
    try unsafe storage.replace("audio/20260101/000000-0042.wav", with: long.span.bytes)
    // A take in progress slows it down.
    host.type("press record\r")
    rig.run(milliseconds: 1_000)
    host.type("export 42 /usb\r")
    rig.run(milliseconds: 2_000)
    #expect(usb.image.names.keys.sorted() == [".000000-0042.wav.part"])
    host.type("\u{3}")
    rig.run(milliseconds: 500)
    #expect(usb.image.names.isEmpty)
    host.type("press record\r")
    rig.run(milliseconds: 2_000)
    host.type("export 42 /usb\r")
    rig.run(milliseconds: 20_000)
    #expect(usb.image["000000-0042.wav"] == long)
  }

  @Test("verify all compares every take that is complete, and names those that are not whole")
  func verifiesAll() throws {
    let rig = try rig(["", "", ""])
    let path = rig.takePaths[1]
    rig.run("press record", milliseconds: 1_000)
    #expect(replies(rig, "verify all", milliseconds: 4_000) == ["3 of 3 takes are whole", "ok"])
    #expect(replies(rig, "verify 2", milliseconds: 2_000).first?.hasPrefix("\(path) is whole: ") == true)
    var content = try #require(rig.host.disk.image[path])
    content[content.count / 2] ^= 1
    var storage = try rig.host.openStorage()
    try unsafe storage.replace(FixedText(path), with: content.span.bytes)
    let said = replies(rig, "verify all", milliseconds: 4_000)
    #expect(said.count == 2 && said[0].hasPrefix("\(path) is not as it was recorded: "))
    #expect(said.last == "error: 1 of 3 takes is not whole")
  }

  @Test("stills, which have no seal, are counted apart: a healthy card is whole")
  func stillsAreNoTakes() throws {
    let rig = try rig([""])
    rig.run("snapshot", milliseconds: 1_000)
    #expect(
      replies(rig, "verify all", milliseconds: 4_000) == [
        "1 still is not compared: only takes have a seal", "1 of 1 take is whole", "ok",
      ])
    #expect(
      replies(rig, "verify 2", milliseconds: 2_000).first?.hasSuffix(" is a still: only takes have a seal") == true)
    #expect(replies(rig, "verify last", milliseconds: 2_000).last == "ok", "the last that has a seal is meant")
    rig.run("snapshot", milliseconds: 1_000)
    #expect(
      replies(rig, "verify all", milliseconds: 4_000).first == "2 stills are not compared: only takes have a seal")
  }

  @Test(
    "A take whose pre-roll begins before the last file of the take before tells when it begins",
    arguments: [true, false])
  func tellsTheTrueStart(hasVideo: Bool) throws {
    let rig = try ApplianceRig { settings in
      settings.record.prerollSeconds = 5
      settings.record.split.seconds = 6
      if !hasVideo { settings.record.content = .audio }
    }
    rig.run(milliseconds: 5_000)
    for _ in 0..<2 { rig.run("press record", milliseconds: 3_000) }
    for _ in 0..<2 { rig.run("press record", milliseconds: 1_000) }
    rig.run(milliseconds: 1_000)
    #expect(rig.takePaths.count == 3, "\(rig.takePaths)")
    #expect(rig.takePaths.map { $0.split(separator: "_")[1] } == ["000000", "000006", "000006"])
    let starts = replies(rig, "takes json").compactMap { $0.firstMatch(of: /"recorded":"2026-01-01T(.{8})/)?.1 }
    #expect(starts == ["00:00:00", "00:00:06", "00:00:06"])
  }
}
