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

  /// Stands in for a Witty Pi's `utilities.sh`: the clock and the alarm are files, and an alarm that is a folder is lost.
  private static let utilities = """
    get_rtc_timestamp() { date --date="$(cat clock)" +%s; }
    set_startup_time() { echo "$1 $2:$3:$4" >alarm; }
    get_startup_time() { cat alarm; }
    """

  @Test(
    "a Witty Pi's alarm is relative to its clock, also over a shift of local time; without one nothing is switched off")
  func wittyPi() throws {
    let folder = try TemporaryFolder()
    let root = folder.path
    try Data(Self.utilities.utf8).write(to: URL(filePath: root + "/utilities.sh"))
    // Of the day before Berlin's clocks are set back.
    try Data("2026-10-24 12:00:00".utf8).write(to: URL(filePath: root + "/clock"))
    let environment = ["WITTYPI": root, "TZ": "Europe/Berlin", "POWEROFF": "touch \(root)/off"]
    let wake = Int(Date().timeIntervalSince1970) + 86_400
    #expect(try run("wittypi", ["poweroff", "\(wake)"], environment) == "0 ")
    let alarm = text(root + "/alarm")
    #expect(["25 12:00:00\n", "25 11:59:59\n", "25 11:59:58\n"].contains(alarm), "\(alarm)")
    let manager = FileManager.default
    try manager.removeItem(atPath: root + "/off")
    try manager.removeItem(atPath: root + "/alarm")
    try manager.createDirectory(atPath: root + "/alarm", withIntermediateDirectories: true)
    #expect(try run("wittypi", ["poweroff", "\(wake)"], environment) == "1 the Witty Pi accepts no alarm\n")
    try manager.removeItem(atPath: root + "/alarm")
    try Data("2000-00-00".utf8).write(to: URL(filePath: root + "/clock"))
    #expect(try run("wittypi", ["poweroff", "\(wake)"], environment) == "1 the Witty Pi accepts no alarm\n")
    #expect(!manager.fileExists(atPath: root + "/off"))
  }

  /// Stands in for a PiJuice's Python module: it keeps what it is told.
  private static let juice = """
    import os
    class PiJuice:
        def __init__(self, bus, address): self.rtcAlarm = self.power = self
        def GetTime(self):
            return {"error": "NO_ERROR", "data": {
                "year": 2026, "month": 12, "day": 31, "hour": os.environ["HOUR"], "minute": 30, "second": 0}}
        def __getattr__(self, name):
            def tell(value):
                print(name, value, file=open(os.environ["TOLD"], "a"))
                return {"error": os.environ.get("ANSWER", "NO_ERROR")}
            return tell
    """

  @Test("a PiJuice's alarm is relative to its clock; a machine that is not switched off keeps its power")
  func piJuice() throws {
    let folder = try TemporaryFolder()
    let root = folder.path
    try Data(Self.juice.utf8).write(to: URL(filePath: root + "/pijuice.py"))
    var environment = ["PYTHONPATH": root, "TOLD": root + "/told", "HOUR": "23", "POWEROFF": "true"]
    // Beside a second's end by half a minute.
    let wake = Int(Date().timeIntervalSince1970) + 3_630
    let told = { text(root + "/told").split(separator: "\n").map { String($0) } }
    #expect(try run("pijuice", ["poweroff", "\(wake)"], environment) == "0 ")
    #expect(told().count == 3 && told()[0].contains("'minute': 30, 'hour': 0, 'day': 1}"), "\(told())")
    #expect(told().dropFirst() == ["SetWakeupEnabled True", "SetPowerOff 60"])
    (environment["HOUR"], environment["POWEROFF"]) = ("11 PM", "false")
    #expect(try run("pijuice", ["poweroff", "\(wake)"], environment) == "1 systemctl does not power off\n")
    #expect(told().dropFirst(3).first?.contains("'hour': 0, 'day': 1}") == true, "\(told())")
    #expect(told().last == "SetPowerOff 255", "\(told())")
    environment["ANSWER"] = "COMMUNICATION_ERROR"
    #expect(
      try run("pijuice", ["poweroff", "\(wake)"], environment) == "1 the PiJuice says COMMUNICATION_ERROR\n")
  }

  @Test("a Sleepy Pi's answer is found among other lines")
  func sleepyPi() throws {
    let folder = try TemporaryFolder()
    let port = folder.path(of: "port")
    // What is written to the file takes the place of its first ten bytes; the rest is read.
    try Data("..........started\r\nok\r\n".utf8).write(to: URL(filePath: port))
    let environment = ["SLEEPYPI": port, "POWEROFF": "true"]
    #expect(try run("sleepypi", ["poweroff", "1000"], environment) == "0 ")
    #expect(text(port).hasPrefix("wake 1000\nstarted"))
    try Data("..........started\r\n".utf8).write(to: URL(filePath: port))
    #expect(
      try run("sleepypi", ["poweroff", "1000"], environment) == "1 the Sleepy Pi does not answer on \(port)\n")
  }

  @Test("words that are no order are refused", arguments: [["../rtc", "suspend", "1"], ["rtc", "", "1"], ["rtc"]])
  func refusesWords(_ words: [String]) throws {
    #expect(try run("sleep", words, [:]).hasPrefix("2 "))
  }
}
