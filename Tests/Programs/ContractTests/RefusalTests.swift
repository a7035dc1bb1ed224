import Foundation
import TestSupport
import Testing

/// Bad input gives one clear line, and an exit status that a script can check.
@Suite struct RefusalTests {
  struct BadInput: CustomTestStringConvertible, Sendable {
    var arguments: [String] = []
    var configuration: String?
    /// Strings that the line must contain: the key or option, and the expected values.
    var words: [String]
    var testDescription: String { configuration ?? arguments.joined(separator: " ") }
  }

  static let badInput: [BadInput] = [
    BadInput(configuration: "[record]\nprerol_seconds = 5", words: ["prerol_seconds", "preroll_seconds"]),
    BadInput(configuration: "[recrod]\nwhat = audio", words: ["recrod", "record"]),
    BadInput(configuration: "[record]\npreroll_seconds = 61", words: ["preroll_seconds", "61", "0", "60"]),
    BadInput(configuration: "[video]\nwidth = wide", words: ["width", "wide", "16", "4096"]),
    BadInput(configuration: "[audio]\nchannels = 2\nchannels = 1", words: ["channels"]),
    BadInput(configuration: "[player]\nvolume = 1.5", words: ["volume", "1.5", "0", "1"]),
    BadInput(configuration: "[player]\nqueue_capacity = 9", words: ["queue_capacity", "9", "10", "5000"]),
    BadInput(configuration: "[tone]\nlevel_dbfs = 6", words: ["level_dbfs", "6", "-90", "0", "dBFS"]),
    BadInput(configuration: "[tone]\nstandby_hz = a4", words: ["standby_hz", "a4", "20", "20000", "Hz"]),
    BadInput(
      configuration: "[clock]\nutc_offset = Asia/Soul", words: ["utc_offset", "Asia/Soul", "Asia/Seoul", "+09:00"]),
    BadInput(configuration: "[clock]\nutc_offset = Asia", words: ["utc_offset", "tzdata", "+09:00"]),
    BadInput(configuration: "[clock]\nutc_offset = ../Rome", words: ["utc_offset", "+09:00", "Asia/Seoul"]),
    BadInput(configuration: "[buttons]\nrecord = 13", words: ["record", "stop", "13"]),
    BadInput(arguments: ["--config", "/nowhere/fieldcorder.conf"], words: ["/nowhere/fieldcorder.conf"]),
    BadInput(arguments: ["--clock", "slow"], words: ["--clock", "slow", "real", "fast"]),
    BadInput(arguments: ["--board", "x"], words: ["--board", "x", "sim", "linux"]),
    BadInput(arguments: ["--colour"], words: ["--colour", "--help"]),
    BadInput(arguments: ["--seed", "-1"], words: ["--seed", "-1", "whole number"]),
    BadInput(arguments: ["--seed"], words: ["--seed", "whole number"]),
    BadInput(arguments: ["--script", "/nowhere/commands"], words: ["--script", "/nowhere/commands", "can be read"]),
    BadInput(arguments: ["--script", "/"], words: ["--script", "can be read"]),
    BadInput(arguments: ["--script", "/dev/null", "--console", "/dev/ttyX"], words: ["--script", "--console"]),
    BadInput(arguments: ["--clock", "fast", "--board", "linux"], words: ["--clock", "fast", "--board sim"]),
    BadInput(
      configuration: """
        [record]
        preroll_seconds = 60
        stall_seconds = 60
        [video]
        width = 4096
        height = 4096
        frame_rate = 120
        """, words: ["memory", " MB ", "preroll_seconds", "frame_rate"]),
  ]

  @Test("wrong arguments and configurations are refused in one line with what was expected", arguments: badInput)
  func refuses(input: BadInput) throws {
    let folder = try TemporaryFolder()
    // The options under test come last, because the last of two counts.
    var arguments = ["--board", "sim", "--data", folder.path(of: "data")]
    if let text = input.configuration {
      arguments += ["--config", try folder.write([UInt8]((text + "\n").utf8), as: "configuration")]
    }
    let session = try Session(arguments: arguments + input.arguments)
    #expect(session.end() == 2)
    #expect(try session.lines() == [])
    let complaints = try session.complaints()
    #expect(complaints.count == 1)
    for word in input.words { #expect(complaints.first?.contains(word) == true, "\(word) in \(complaints)") }
  }

  @Test("a data folder that cannot be written is refused in one line", arguments: ["file/data", "/proc/data"])
  func dataFolder(name: String) throws {
    let folder = try TemporaryFolder()
    _ = try folder.write([], as: "file")
    let path = name.hasPrefix("/") ? name : folder.path(of: name)
    let session = try Session(arguments: ["--board", "sim", "--clock", "fast", "--data", path])
    #expect(session.end() == 1)
    let complaints = try session.complaints()
    #expect(complaints.count == 1)
    // A line has room for 64 bytes of a path; a longer path loses its beginning.
    #expect(complaints.first?.contains(path.suffix(60)) == true)
  }

  @Test("a limit of files that shared memory does not fit is named, and no other remedy", arguments: [100, 2_000])
  func fileLimit(kilobytes: Int) throws {
    let folder = try TemporaryFolder()
    let command = "ulimit -f \(kilobytes); exec \"$0\" --board sim --clock fast --data \"$1\" 2>&1 </dev/null"
    let line = try ForeignProgram.text(
      "bash", ["-c", "(\(command)) || true", ProgramUnderTest.path(), folder.path(of: "data")])
    #expect(line.hasSuffix("(errno 27): raise LimitFSIZE in the service"), "\(line)")
    #expect(!line.contains("\n"))
  }

  @Test("help and version are printed, and nothing else happens", arguments: ["--help", "-h", "--version"])
  func telling(option: String) throws {
    let session = try Session(arguments: [option])
    #expect(session.end() == 0)
    #expect(try session.complaints() == [])
    let lines = try session.lines()
    #expect(lines.first?.hasPrefix("fieldcorder 0.") == true)
    if option == "--version" {
      #expect(lines.count == 1)
    } else {
      for name in [
        "--board", "--config", "--data", "--console", "--clock", "--seed", "--script", "--help", "--version",
      ] {
        #expect(lines.contains { $0.contains(name) }, "\(name)")
      }
    }
  }
}
