import Foundation
import TestSupport
import Testing

/// Stored files of the small applications that cannot be read.
@Suite struct KitFileTests {
  @Test(
    "a file of the kit that cannot be read costs its own command, and no take", arguments: ["calculations"])
  func unreadable(name: String) throws {
    let folder = try TemporaryFolder()
    let data = folder.path(of: "data")
    // Nobody, root included, can read a folder of that name as a file.
    try FileManager.default.createDirectory(atPath: "\(data)/\(name)", withIntermediateDirectories: true)
    let session = try Session(
      ["record start", "wait 2", "tuning DADGAD", "chord saved", "calc history", "record stop", "wait 1", "quit"],
      dataFolder: data, keeping: folder)
    #expect(session.end() == 0)
    let lines = try session.lines()
    #expect(lines.contains { $0.hasPrefix("* take ") && $0.contains(" is complete: ") })
    let refusal = "error: storage \(name) cannot be opened (errno 21): a folder has that name: move it away"
    #expect(lines.count { $0 == refusal } == 1)
    #expect(try FileManager.default.contentsOfDirectory(atPath: "\(data)/\(name)").isEmpty)
  }

  @Test(
    "a folder or a link in the place of a file keeps nobody from recording, is told, and is kept under another name",
    arguments: ["state", "key", "identity", "guitar", "queue"],
    [true, false])
  func replaced(name: String, isFolder: Bool) throws {
    let folder = try TemporaryFolder()
    let data = folder.path(of: "data")
    let take = "\(data)/audio/20251201/20251201_000000_0041.wav"
    for path in ["\(data)/audio/20251201", isFolder ? "\(data)/\(name)" : data] {
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }
    try Data("x".utf8).write(to: URL(fileURLWithPath: take))
    if !isFolder {
      try FileManager.default.createSymbolicLink(
        atPath: "\(data)/\(name)", withDestinationPath: folder.path(of: "away"))
    }
    let session = try Session(
      ["wait 1", "record start", "wait 2", "record stop", "wait 1", "quit"], dataFolder: data, keeping: folder)
    #expect(session.end() == 0)
    let lines = try session.lines()
    #expect(lines.contains { $0.hasPrefix("* take ") && $0.contains("_0042.mov is complete: ") }, "\(lines)")
    #expect(lines.contains { $0.hasPrefix("* ") && $0.contains("could not be read") })
    #expect(try FileManager.default.contentsOfDirectory(atPath: data).contains("\(name).damaged-1"))
    #expect(try Data(contentsOf: URL(fileURLWithPath: take)) == Data("x".utf8))
  }

  @Test("what an editor of another system adds to a file, a byte order mark and carriage returns, changes nothing")
  func edited() throws {
    let folder = try TemporaryFolder()
    let data = folder.path(of: "data")
    let files = ["identity", "key", "state", "sheet", "queue", "guitar", "names/0001", "remarks/0001"]
    let questions = ["identity", "scene", "queue repeat", "chord saved", "report csv 2026-01-01", "name 1", "quit"]
    var replies: [[String]] = []
    for isEdited in [false, true] {
      if isEdited {
        for file in files {
          let url = URL(fileURLWithPath: "\(data)/\(file)")
          let text = try String(decoding: Data(contentsOf: url), as: UTF8.self)
          try Data("\u{FEFF}\(text.replacing("\n", with: "\r\n"))".utf8).write(to: url)
        }
      }
      let commands = [
        "record start", "wait 2", "record stop", "wait 1", "name 1 heron", "circle 1", "scene 5A", "queue repeat all",
        "chord save Am", "wait 1",
      ]
      let session = try Session((isEdited ? [] : commands) + questions, dataFolder: data)
      #expect(session.end() == 0)
      let lines = try session.lines()
      #expect(!lines.contains { $0.hasPrefix("error") || $0.contains("could not be read") }, "\(lines)")
      replies.append(Array(lines.filter { !$0.hasPrefix("* ") && $0 != "ok" }.suffix(8)))
    }
    #expect(replies[0] == replies[1])
    #expect(replies[1].contains { $0.contains("circled") }, "\(replies)")
  }

  @Test(
    "whatever has the name of one of the recorder's files or folders keeps nothing from being recorded or written",
    arguments: [
      ("state.new", true), ("spare", true), ("still.new", true), ("sheet.new", true), ("settings.new", true),
      ("names", false), ("names/0001.new", true), ("remarks", false), ("remarks/0001", true),
      ("bin", false),
    ])
  func inTheWay(name: String, isFolder: Bool) throws {
    let folder = try TemporaryFolder()
    let path = "\(folder.path(of: "data"))/\(name)"
    try FileManager.default.createDirectory(
      atPath: isFolder ? "\(path)/x" : folder.path(of: "data"), withIntermediateDirectories: true)
    if !isFolder { try Data("x".utf8).write(to: URL(fileURLWithPath: path)) }
    let session = try Session(
      [
        "record start", "wait 3", "record stop", "wait 1", "name 1 heron", "circle 1", "scene 5A",
        "config player.volume 0.5", "config save", "delete 1", "y", "snapshot", "wait 1", "quit",
      ], dataFolder: folder.path(of: "data"), keeping: folder)
    #expect(session.end() == 0)
    let lines = try session.lines()
    #expect(!lines.contains { $0.hasPrefix("error") || $0.contains("cannot be") }, "\(lines)")
    #expect(lines.contains { $0.contains("_0001.mov is in the bin") })
    #expect(FileManager.default.fileExists(atPath: "\(path).damaged-1"))
  }

  @Test(
    "a file that is damaged is told, and kept under another name before it is written again",
    arguments: [
      ("guitar", "tuning DADGAD\nchord Am7 x02010\nch\u{0}rd C x32010\n", "chord save G"),
      ("guitar", "tuning DADGAD\nchord Xm7 x02010\n", "chord save G"), ("guitar", "chord Am7 x0201", "chord save G"),
      ("guitar", String(repeating: "chord Am7 x02010\n", count: 200), "chord save G"),
      ("queue", "repeat all\nshuffel on\n", "queue shuffle on"), ("queue", "repeat\u{FEFF} all\n", "queue shuffle on"),
      ("settings", "[record]\nwhat = audio\nwhat is this\n", "config save"),
      ("settings", "[record]\nwhat = audio\n[recrod]\nwhat = video\n", "config save"),
    ])
  func damaged(name: String, text: String, command: String) throws {
    let folder = try TemporaryFolder()
    let data = folder.path(of: "data")
    try FileManager.default.createDirectory(atPath: data, withIntermediateDirectories: true)
    try Data(text.utf8).write(to: URL(fileURLWithPath: "\(data)/\(name)"))
    let session = try Session([command, "wait 1", "quit"], dataFolder: data, keeping: folder)
    #expect(session.end() == 0)
    let lines = try session.lines()
    #expect(lines.contains { $0.hasPrefix("* ") && ($0.contains("could not be read") || $0.contains("ignored")) })
    #expect(
      try String(decoding: Data(contentsOf: URL(fileURLWithPath: "\(data)/\(name).damaged-1")), as: UTF8.self) == text)
    #expect(FileManager.default.fileExists(atPath: "\(data)/\(name)"))
  }
}
