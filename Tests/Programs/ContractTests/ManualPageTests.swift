import Foundation
import TestSupport
import Testing

@Suite struct ManualPageTests {
  @Test("The manual page and the list of what programs are told say what the program says")
  func isUpToDate() throws {
    let folder = try TemporaryFolder()
    try ForeignProgram.run(Self.root + "/board/manual", [folder.path(of: "page"), folder.path(of: "json")])
    let page = String(decoding: try folder.read("page"), as: UTF8.self)
    let kept = try String(contentsOfFile: Self.root + "/docs/fieldcorder.1", encoding: .utf8)
    #expect(page == kept, "make manual writes it anew")
    let json = String(decoding: try folder.read("json"), as: UTF8.self)
    #expect(json == (try String(contentsOfFile: Self.root + "/docs/json.md", encoding: .utf8)), "make manual does")
    for command in ["audio", "devices", "events", "list", "queue", "status", "takes", "why"] {
      #expect(json.contains("\n## \(command) json\n"))
    }
    for option in ["board", "config", "data", "console", "clock", "seed", "allow\\-inject", "preview"] {
      #expect(page.contains("\n.B \\-\\-\(option)"))
    }
    for command in ["help", "takes", "gain", "quit"] { #expect(page.contains("\n.B \(command)")) }
  }

  private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().path
}
