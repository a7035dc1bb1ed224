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

  private func report(_ fields: String...) -> [String] {
    fields + [String](repeating: "", count: 4 - fields.count) + ["1.4.0-100", "A"]
  }

  @Test("A file of any name is installed: from the data folder, from a stick, and by its path")
  func installs() throws {
    let device = try Device()
    let names = ["a.update", "it's \"my\" update", "$(touch x) `touch x`; touch x #&|>x", "-rf", "*", "업데이트"]
    for name in names {
      try device.put("takes/" + name, release: "1.4.0-101")
      #expect(try device.ask(name) == report("installed", "", "1.4.0-101"), "\(name)")
      #expect(device.read("found/installed") == device.folder.path(of: "takes/" + name))
      try device.put("stick/on a stick \(name)", release: "1.10.0-1")
      #expect(try device.ask("on a stick \(name)") == report("installed", "", "1.10.0-1"), "\(name)")
      let path = device.folder.path(of: "stick/on a stick \(name)")
      #expect(try device.ask(path) == report("installed", "", "1.10.0-1") && device.read("found/installed") == path)
    }
    #expect(!device.exists("x") && !FileManager.default.fileExists(atPath: "x"))
    #expect(!device.exists("requests/update-request"))
  }

  @Test("What this device does not take is refused with a reason, and nothing is installed")
  func refuses() throws {
    let device = try Device()
    try device.put("takes/older", release: "1.4.0-99")
    try device.put("takes/same", release: "1.4.0-100")
    try device.put("takes/other", release: "1.5.0-1", board: "another")
    try device.put("takes/foreign", "noise\u{1B}[31m\n")
    try device.put("takes/full", release: "1.5.0-1")
    try FileManager.default.createDirectory(
      atPath: device.folder.path(of: "takes/folder"), withIntermediateDirectories: true)
    try device.link("takes/link", to: "takes/other")
    #expect(try device.ask("older") == report("refused", "older", "1.4.0-99"))
    #expect(try device.ask("same") == report("refused", "older", "1.4.0-100"))
    #expect(try device.ask("other", "allow") == report("refused", "board", "another", "fieldcorder-raspberrypi-arm64"))
    #expect(try device.ask("foreign") == report("refused", "foreign", "unsigned"))
    #expect(try device.ask("folder") == report("refused", "not-a-file", "folder"))
    #expect(try device.ask("link") == report("refused", "not-a-file", "link"))
    #expect(try device.ask("nothing") == report("refused", "missing", "nothing"))
    #expect(try device.ask("/nowhere/a b") == report("refused", "missing", "a b"))
    #expect(try device.ask("../takes/older") == report("refused", "name", "../takes/older"))
    #expect(!device.exists("found/installed"))
    #expect(try device.ask("full") == report("refused", "failed", "No space left on device"))
    #expect(!device.exists("found/installed"))
    #expect(try device.ask("older", "allow") == report("installed", "", "1.4.0-99"))
  }

  @Test("A request that is none is data like any other: nothing is followed, run or waited for")
  func distrusts() throws {
    let device = try Device()
    try device.put("takes/a", release: "1.5.0-1")
    let path = device.folder.path(of: "requests/update-request")
    let none = report("refused", "name")
    for text in ["", "a", "a\n", "a\nnewer", "a\nnewer\nnewer\n", "a\nb\nnewer\n", "a\n--allow\n", "\nnewer\n"] {
      try device.put("requests/update-request", text)
      #expect(try device.serve() == none && !device.exists("requests/update-request"), "\(text)")
    }
    try device.put("secret", "a\nnewer\n")
    try device.link("requests/update-request", to: "secret")
    #expect(try device.serve() == none && device.exists("secret") && !device.exists("requests/update-request"))
    let hasPipe = unsafe mkfifo(path, 0o600) == 0
    #expect(hasPipe)
    #expect(try device.serve() == none && !device.exists("requests/update-request"))
    try FileManager.default.createDirectory(atPath: path + "/folder", withIntermediateDirectories: true)
    #expect(try device.serve() == none && !device.exists("requests/update-request"))
    #expect(try device.serve() == none)
    #expect(!device.exists("found/installed"))
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
