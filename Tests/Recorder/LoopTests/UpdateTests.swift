import Base
import Foundation
import Machine
import TestSupport
import Testing

@testable import App

/// `update` on the whole appliance, with a test in place of the image's installer.
@Suite struct UpdateTests {
  /// The two folders in which recorder and installer leave their messages.
  private final class Image {
    let folder: TemporaryFolder

    init() throws {
      folder = try TemporaryFolder()
      for name in ["requests", "reports"] {
        try FileManager.default.createDirectory(atPath: folder.path(of: name), withIntermediateDirectories: true)
      }
    }

    func rig() throws -> ApplianceRig {
      let folders = UpdateFolders(
        requests: FixedText(folder.path(of: "requests")), reports: FixedText(folder.path(of: "reports")))
      let rig = try ApplianceRig(onBoard: { $0.host.updates = folders })
      rig.run(milliseconds: 2_000)
      return rig
    }

    /// The request, as the installer finds it; nil if there is none.
    var request: String? {
      FileManager.default.contents(atPath: folder.path(of: "requests/update-request"))
        .map { String(decoding: $0, as: UTF8.self) }
    }

    func takeRequest() throws {
      try FileManager.default.removeItem(atPath: folder.path(of: "requests/update-request"))
    }

    /// Reports as the installer does.
    func tell(_ fields: String...) throws {
      let all = fields + [String](repeating: "", count: 4 - fields.count) + ["1.4.0-100", "A"]
      _ = try folder.write([UInt8]((all.joined(separator: "\t") + "\n").utf8), as: "reports/update")
    }
  }

  private func said(_ rig: ApplianceRig, to line: String, milliseconds: UInt64 = 1_000) -> [String] {
    let count = rig.host.lines.count
    rig.run(line, milliseconds: milliseconds)
    return rig.host.lines.dropFirst(count).filter { !$0.hasPrefix("* ") }
  }

  @Test("An update is handed over as it was named, followed while a take is recorded, and told at its end")
  func installs() throws {
    let image = try Image()
    try image.tell("none")
    let rig = try image.rig()
    let start = ["release 1.4.0-100 runs from slot A", "there was no update since the start", "ok"]
    #expect(said(rig, to: "update status") == start)
    _ = said(rig, to: "record start", milliseconds: 2_000)
    #expect(said(rig, to: "update it's \"a\" $(x).update --allow") == [])
    #expect(image.request == "it's \"a\" $(x).update\nallow\n")
    try image.tell("checking")
    try image.takeRequest()
    rig.run(milliseconds: 1_000)
    try image.tell("installing", "34")
    rig.run(milliseconds: 1_000)
    let line = "the update is being installed, 34 %: update status shows the progress"
    #expect(rig.host.lines.suffix(2) == [line, "ok"])
    #expect(said(rig, to: "update").suffix(2) == [line, "ok"])
    let json =
      #"{"state":"installing","reason":null,"percent":34,"detail":"","board":"","release":"1.4.0-100","slot":"A"}"#
    #expect(said(rig, to: "update json") == [json, "ok"])
    let busy = "error: another update is being installed: update status shows its progress"
    #expect(said(rig, to: "update b") == [busy] && image.request == nil)
    try image.tell("installed", "", "1.5.0-1")
    rig.run(milliseconds: 3_000)
    #expect(
      rig.announcements("update: ").map { $0.dropFirst(10) } == [
        "the update is being installed, 34 %: update status shows the progress",
        "release 1.5.0-1 is installed: it starts at the next start, on trial",
      ])
    _ = said(rig, to: "record stop", milliseconds: 3_000)
    try rig.expectWhole(try #require(rig.movie(rig.takePaths[0])), "beside an update")
  }

  @Test(
    "Each refusal is the reply, and an event",
    arguments: Cases.some(
      3,
      of: [
        (["missing", "a b"], "there is no a b: copy it to the data folder, or plug in the stick that has it"),
        (["not-a-file", "a"], "a is not a file"),
        (["foreign", "Verify error"], "this device does not accept the file as an update: Verify error"),
        (["board", "other", "this"], "the update is for other, and this is this"),
        (["older", "1.0"], "the update is release 1.0, and 1.4.0-100 runs: --allow accepts it all the same"),
        (["trial"], "the release is still on trial: wait until it is kept"),
        (["name", "a/b"], "name the update by an absolute path, or by its name without a folder"),
        (["failed", "No space"], "the update could not be installed: No space"),
        (["news", "No"], "the update could not be installed: No"),
      ]))
  func refuses(fields: [String], line: String) throws {
    let image = try Image()
    let rig = try image.rig()
    for _ in 0..<2 {
      #expect(said(rig, to: "update a") == [] && image.request == "a\nnewer\n")
      try image.tell("checking")
      try image.takeRequest()
      rig.run(milliseconds: 500)
      let all = ["refused"] + fields
      try image.tell(all[0], all[1], all.count > 2 ? all[2] : "", all.count > 3 ? all[3] : "")
      rig.run(milliseconds: 1_000)
      #expect(rig.host.lines.last { !$0.hasPrefix("* ") } == "error: \(line)")
    }
    #expect(rig.announcements("update: \(line)").count == 2)
  }

  @Test(
    "After the restart it is told whether the update stays",
    arguments: [
      ("kept", "the release has recorded, and is kept"),
      ("returned", "the update did not record: the release before it runs again"),
    ])
  func tellsOutcome(state: String, line: String) throws {
    let image = try Image()
    try image.tell("trial")
    let rig = try image.rig()
    #expect(said(rig, to: "update").suffix(2) == ["the release is on trial: it is kept once it records", "ok"])
    try image.tell(state)
    rig.run(milliseconds: 11_000)
    #expect(said(rig, to: "update status").suffix(2) == [line, "ok"])
    #expect(rig.announcements("update: \(line)").count == 1)
  }

  @Test("Once no update can be on trial nothing is asked until a person does: then it is followed to its end")
  func rests() throws {
    let image = try Image()
    try image.tell("none")
    let rig = try image.rig()
    rig.run(milliseconds: 90_000)
    try image.tell("installing", "5")
    rig.run(milliseconds: 15_000)
    #expect(rig.announcements("update: ").isEmpty)
    #expect(said(rig, to: "update status").last == "ok")
    try image.tell("installed", "", "1.5.0-1")
    rig.run(milliseconds: 3_000)
    #expect(rig.announcements("update: ").count == 2)
  }

  @Test("An installer that does not answer holds up nothing: the reply comes, and ctrl-C ends the wait")
  func isPatient() throws {
    let image = try Image()
    let rig = try image.rig()
    #expect(said(rig, to: "update a", milliseconds: 19_000) == [])
    rig.run(milliseconds: 2_500)
    #expect(rig.host.lines.suffix(2) == ["the update waits for the installer", "ok"])
    #expect(said(rig, to: "update b").last?.hasPrefix("error: another update") == true)
    #expect(image.request == "a\nnewer\n")
    try FileManager.default.removeItem(atPath: image.folder.path(of: "requests"))
    #expect(said(rig, to: "update c").last?.hasPrefix("error: storage ") == true)
  }

  @Test("On another system it is refused with the remedy, and nothing is asked")
  func isElsewhere() throws {
    let rig = try ApplianceRig()
    rig.run(milliseconds: 1_000)
    let line = "error: this is not the card's image: install a new release the way you installed this one"
    for command in ["update", "update status", "update a.update"] { #expect(said(rig, to: command) == [line]) }
    let json =
      #"{"state":"unavailable","reason":null,"percent":null,"detail":"","board":"","release":"","slot":""}"#
    #expect(said(rig, to: "update json") == [json, "ok"])
  }
}
