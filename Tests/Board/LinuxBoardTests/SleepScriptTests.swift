import Base
import Foundation
import Machine
import TestSupport
import Testing

/// The scripts that have the machine sleep, and the call of them.
@Suite struct SleepScriptTests {
  private static let scripts = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()
    .appending(path: "rootfs-overlay/usr/lib/fieldcorder/sleep").path

  private func text(_ path: String) -> String {
    String(decoding: FileManager.default.contents(atPath: path) ?? Data(), as: UTF8.self)
  }

  /// Runs a script of the overlay.
  /// - Returns: its exit status, and what it says.
  private func run(_ script: String, _ words: [String], _ environment: [String: String]) throws -> String {
    let process = Process()
    process.executableURL = URL(filePath: "\(Self.scripts)/\(script)")
    process.arguments = words
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    let pipe = Pipe()
    process.standardOutput = pipe
    process.standardError = pipe
    try process.run()
    let said = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return "\(process.terminationStatus) \(String(decoding: said, as: UTF8.self))"
  }

  @Test("the recorder calls the script with board, depth and time, and tells the line with which it refuses")
  func calls() throws {
    let folder = try TemporaryFolder()
    let system = SystemInspector(dataFolder: ".", fallbackFolder: nil)
    let root = folder.path
    let place = FixedText<128>(Array(root.utf8).span)
    _ = try folder.installScript("printf '%s' \"$*\" >\(folder.path(of: "words")); exit 0", as: "sleep")
    let order = SleepOrder(.suspend, board: "rtc", unixSeconds: 1_777_777_777, patienceSeconds: 5)
    try system.sleep(order, scripts: place)
    #expect(text(root + "/words") == "rtc suspend 1777777777")
    _ = try folder.installScript("echo 'no clock has an alarm'; exit 1", as: "sleep")
    let failure = #expect(throws: DeviceFailure.self) { try system.sleep(order, scripts: place) }
    let line = failure.map { String($0.problemLine) }
    #expect(line == "power saving \"no clock has an alarm\" is why the machine does not sleep")
    _ = try folder.installScript("sleep 60", as: "sleep")
    let slow = SleepOrder(.powerOff, board: "rtc", unixSeconds: 1, patienceSeconds: 0)
    let late = #expect(throws: DeviceFailure.self) { try system.sleep(slow, scripts: place) }
    #expect(late.map { String($0.problem.description) } == "has a script for sleeping that does not end")
  }

  @Test("the script of the kernel's clock sets a relative alarm, and suspends or powers off")
  func clock() throws {
    let folder = try TemporaryFolder()
    let root = folder.path
    let manager = FileManager.default
    try manager.createDirectory(atPath: root + "/class/rtc/rtc0", withIntermediateDirectories: true)
    try manager.createDirectory(atPath: root + "/power", withIntermediateDirectories: true)
    try Data().write(to: URL(filePath: root + "/class/rtc/rtc0/wakealarm"))
    try Data("freeze mem disk".utf8).write(to: URL(filePath: root + "/power/state"))
    let environment = ["SYSFS": root, "POWEROFF": "true"]
    let wake = Int(Date().timeIntervalSince1970) + 1_000
    #expect(try run("rtc", ["suspend", "\(wake)"], environment) == "0 ")
    let alarm = text(root + "/class/rtc/rtc0/wakealarm")
    #expect(["+1000\n", "+999\n", "+998\n"].contains(alarm), "\(alarm)")
    #expect(text(root + "/power/state") == "mem\n")
    #expect(try run("rtc", ["poweroff", "\(wake)"], environment) == "0 ")
    #expect(try run("rtc", ["suspend", "1000"], environment) == "1 the time to wake is over\n")
    try Data("disk".utf8).write(to: URL(filePath: root + "/power/state"))
    #expect(
      try run("rtc", ["suspend", "\(wake)"], environment) == "1 the kernel cannot suspend this machine\n")
    try manager.removeItem(atPath: root + "/class/rtc/rtc0")
    #expect(try run("rtc", ["suspend", "\(wake)"], environment) == "1 no clock has an alarm\n")
  }

  @Test("a board that cannot suspend says so", arguments: ["wittypi", "pijuice", "sleepypi"])
  func cannotSuspend(_ board: String) throws {
    let said = try run(board, ["suspend", "1000"], [:])
    #expect(said.hasPrefix("1 ") && said.contains("cannot suspend: set sleep = poweroff"))
  }

  @Test("words that are no order are refused", arguments: [["../rtc", "suspend", "1"], ["rtc", "", "1"], ["rtc"]])
  func refusesWords(_ words: [String]) throws {
    #expect(try run("sleep", words, [:]).hasPrefix("2 "))
  }
}
