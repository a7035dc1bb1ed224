import Foundation
import TestSupport
import Testing

@Suite struct ManualPageTests {
  @Test("The manual page says what the program says of its options and commands")
  func isUpToDate() throws {
    let folder = try TemporaryFolder()
    try ForeignProgram.run(Self.root + "/board/manual", [folder.path(of: "page")])
    let page = String(decoding: try folder.read("page"), as: UTF8.self)
    let kept = try String(contentsOfFile: Self.root + "/docs/fieldcorder.1", encoding: .utf8)
    #expect(page == kept, "make manual writes it anew")
    for option in ["board", "config", "data", "console", "clock", "seed", "allow\\-inject", "preview"] {
      #expect(page.contains("\n.B \\-\\-\(option)"))
    }
    for command in ["help", "takes", "gain", "quit"] { #expect(page.contains("\n.B \(command)")) }
  }

  private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().path
}
