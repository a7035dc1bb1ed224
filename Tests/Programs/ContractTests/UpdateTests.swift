import Foundation
import TestSupport
import Testing

/// The image's installer of updates, beside a recorder that asks for them: the shell scripts of the image, with a
/// stand-in for RAUC, and one for mount that puts a folder where a stick would be.
@Suite struct UpdateTests {
  /// The image's root and its folders.
  private final class Device {
    let folder: TemporaryFolder

    /// A stand-in's update is a line `update BOARD RELEASE`.
    private static let rauc = """
      #!/bin/sh
      for file; do :; done
      case "$*" in
        *info*)
          read -r word board release <"$file"
          [ "$word" = update ] || { echo "unsigned" >&2; exit 1; }
          printf "RAUC_MF_COMPATIBLE='%s'\\nRAUC_MF_VERSION='%s'\\n" "$board" "$release" ;;
        install*)
          for percent in 0 20 99; do echo " $percent% a step"; done
          case $file in *full*) echo "LastError: No space left on device"; exit 1 ;; esac
          printf %s "$file" >"$FOUND/installed" ;;
      esac
      """

    init() throws {
      folder = try TemporaryFolder()
      let files = FileManager.default
      let image = ProgramUnderTest.checkout.appendingPathComponent("board/image/root").path
      try files.copyItem(atPath: image, toPath: folder.path(of: "root"))
      for name in ["found", "requests", "takes", "programs", "stick"] {
        try files.createDirectory(atPath: folder.path(of: name), withIntermediateDirectories: true)
      }
      let scripts = [
        ("rauc", Self.rauc), ("mount", "#!/bin/sh\nfor goal; do :; done\ncp \"$STICK\"/* \"$goal\"\n"),
        ("umount", "#!/bin/sh\nrm -f \"$1\"/*\n"),
      ]
      for (name, text) in scripts {
        let path = try folder.write([UInt8](text.utf8), as: "programs/" + name)
        try files.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
      }
      try put("root/usr/lib/fieldcorder/image/release", "1.4.0-100\n")
      try put("found/slot", "A\n")
      try put("found/disk", "/dev/card\n")
      try put("disk", "")
      _ = unsafe truncate(folder.path(of: "disk"), 32 << 20)
    }

    func put(_ path: String, _ text: String) throws { _ = try folder.write([UInt8](text.utf8), as: path) }

    func put(_ path: String, release: String, board: String = "fieldcorder-raspberrypi-arm64") throws {
      try put(path, "update \(board) \(release)\n")
    }

    func link(_ path: String, to goal: String) throws {
      try FileManager.default.createSymbolicLink(
        atPath: folder.path(of: path), withDestinationPath: folder.path(of: goal))
    }

    /// Runs the installer for what stands in the recorder's folder.
    /// - Returns: the fields of its report.
    func serve() throws -> [String] {
      let variables = [
        "PATH=\(folder.path(of: "programs")):/usr/sbin:/usr/bin:/sbin:/bin", "FOUND=\(folder.path(of: "found"))",
        "REQUESTS=\(folder.path(of: "requests"))", "TAKES=\(folder.path(of: "takes"))",
        "DISK=\(folder.path(of: "disk"))", "TMPDIR=\(folder.path)", "STICK=\(folder.path(of: "stick"))",
        "STICKS=\(folder.path(of: "disk"))",
      ]
      _ = try? ForeignProgram.run("env", variables + [folder.path(of: "root/usr/bin/fieldcorder-update"), "requested"])
      return read("found/update").split(separator: "\t", omittingEmptySubsequences: false).map {
        $0.trimmingCharacters(in: .newlines)
      }
    }

    func ask(_ name: String, _ word: String = "newer") throws -> [String] {
      try put("requests/update-request", "\(name)\n\(word)\n")
      return try serve()
    }

    func read(_ path: String) -> String {
      String(decoding: FileManager.default.contents(atPath: folder.path(of: path)) ?? Data(), as: UTF8.self)
    }

    func exists(_ path: String) -> Bool {
      (try? FileManager.default.attributesOfItem(atPath: folder.path(of: path))) != nil
    }
  }

  private func report(_ fields: String...) -> [String] { report(fields) }

  private func report(_ fields: [String]) -> [String] {
    fields + [String](repeating: "", count: 4 - fields.count) + ["1.4.0-100", "A"]
  }

  @Test(
    "A file of any name is installed: from the data folder, from a stick, and by its path",
    arguments: Cases.some(
      1, of: ["$(touch x) `touch x`; touch x #&|>x", "a.update", "it's \"my\" update", "-rf", "*", "업데이트"]))
  func installs(name: String) throws {
    let device = try Device()
    try device.put("takes/" + name, release: "1.4.0-101")
    #expect(try device.ask(name) == report("installed", "", "1.4.0-101"))
    #expect(device.read("found/installed") == device.folder.path(of: "takes/" + name))
    try device.put("stick/on a stick \(name)", release: "1.10.0-1")
    #expect(try device.ask("on a stick \(name)") == report("installed", "", "1.10.0-1"))
    let path = device.folder.path(of: "stick/on a stick \(name)")
    #expect(try device.ask(path) == report("installed", "", "1.10.0-1") && device.read("found/installed") == path)
    #expect(!device.exists("x") && !FileManager.default.fileExists(atPath: "x"))
    #expect(!device.exists("requests/update-request"))
  }

  @Test(
    "What this device does not take is refused with a reason, and nothing is installed",
    arguments: Cases.some(
      2,
      of: [
        ("older", ["older", "1.4.0-99"]), ("same", ["older", "1.4.0-100"]), ("foreign", ["foreign", "unsigned"]),
        ("other", ["board", "another", "fieldcorder-raspberrypi-arm64"]), ("folder", ["not-a-file", "folder"]),
        ("link", ["not-a-file", "link"]), ("nothing", ["missing", "nothing"]), ("/nowhere/a b", ["missing", "a b"]),
        ("../takes/newer", ["name", "../takes/newer"]), ("full", ["failed", "No space left on device"]),
      ]))
  func refuses(name: String, reason: [String]) throws {
    let device = try Device()
    try device.put("takes/newer", release: "1.5.0-1")
    try device.put("takes/older", release: "1.4.0-99")
    try device.put("takes/same", release: "1.4.0-100")
    try device.put("takes/other", release: "1.5.0-1", board: "another")
    try device.put("takes/foreign", "noise\u{1B}[31m\n")
    try device.put("takes/full", release: "1.5.0-1")
    try FileManager.default.createDirectory(
      atPath: device.folder.path(of: "takes/folder"), withIntermediateDirectories: true)
    try device.link("takes/link", to: "takes/newer")
    #expect(try device.ask(name) == report(["refused"] + reason))
    #expect(!device.exists("found/installed"))
    guard reason[0] == "older" else { return }
    #expect(try device.ask(name, "allow") == report("installed", "", reason[1]))
  }

  @Test("A release that is still on trial is not updated: that would replace the way back")
  func waitsForTheTrial() throws {
    let device = try Device()
    try device.put("takes/a", release: "1.5.0-1")
    try device.put("found/slot", "B\n")
    let state = device.folder.path(of: "root/usr/lib/fieldcorder/image/state")
    let disk = ["DISK=\(device.folder.path(of: "disk"))", "TMPDIR=\(device.folder.path)"]
    try ForeignProgram.run("env", disk + [state, "set", "trial=B"])
    #expect(try device.ask("a") == ["refused", "trial", "", "", "1.4.0-100", "B"])
    #expect(!device.exists("found/installed"))
  }

  @Test(
    "A request that is none is data like any other: nothing is followed, run or waited for",
    arguments: Cases.some(
      3,
      of: [
        "link", "", "a", "a\n", "pipe", "a\nnewer", "a\nnewer\nnewer\n", "a\nb\nnewer\n", "folder", "a\n--allow\n",
        "\nnewer\n", "nothing",
      ]))
  func distrusts(text: String) throws {
    let device = try Device()
    try device.put("takes/a", release: "1.5.0-1")
    try device.put("secret", "a\nnewer\n")
    let path = device.folder.path(of: "requests/update-request")
    switch text {
    case "link": try device.link("requests/update-request", to: "secret")
    case "pipe":
      let hasPipe = unsafe mkfifo(path, 0o600) == 0
      #expect(hasPipe)
    case "folder": try FileManager.default.createDirectory(atPath: path + "/a", withIntermediateDirectories: true)
    case "nothing": break
    default: try device.put("requests/update-request", text)
    }
    #expect(try device.serve() == report("refused", "name"))
    #expect(!device.exists("requests/update-request") && device.exists("secret") && !device.exists("found/installed"))
  }

  @Test("The recorder asks, the installer answers, and the console tells each step and the end")
  func together() throws {
    let device = try Device()
    try device.put("takes/it's \"my\" update", release: "1.5.0-1")
    try device.put("found/update", "none\t\t\t\t1.4.0-100\tA\n")
    let folders = [
      "RUNTIME_DIRECTORY": device.folder.path(of: "requests"), "FIELDCORDER_IMAGE": device.folder.path(of: "found"),
    ]
    let session = try Session(["update status"], clock: .real, environment: folders, isTalking: true)
    try session.waitForLines(1, beginningWith: "there was no update since the start")
    for (name, line) in [
      ("missing", "error: there is no missing"), ("it's \"my\" update", "* update: release 1.5.0-1"),
    ] {
      session.say("update \(name)")
      for _ in 0..<500 where !device.exists("requests/update-request") { usleep(20_000) }
      _ = try device.serve()
      try session.waitForLines(1, beginningWith: line)
    }
    session.say("update status\nquit")
    #expect(session.end() == 0)
    let lines = try session.lines()
    #expect(lines.suffix(5).contains("release 1.5.0-1 is installed: it starts at the next start, on trial"))
    #expect(lines.contains { $0.hasPrefix("* update: there is no missing: ") })
  }
}
