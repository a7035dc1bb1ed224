import Foundation
import TestSupport

/// The program under test as a script runs it: commands on its standard input, replies on its standard output, and its
/// own data folder, which is removed with the session.
final class Session {
  /// The program's data folder, unless a test names another one.
  let dataFolder: String
  private let folder: TemporaryFolder
  /// The folder of a test's own data folder, which is also removed with the session.
  private let kept: TemporaryFolder?
  private let process = Process()
  /// Where further commands are written; nil if all are in the script.
  private var conversation: FileHandle?

  /// Starts the program.
  /// - Parameters:
  ///   - script: one command per element.
  ///   - configuration: the text of the file for `--config`; nil for none.
  ///   - dataFolder: nil for a fresh one.
  ///   - kept: removed with the session.
  ///   - environment: variables besides those of the test.
  ///   - isTalking: whether more commands follow the script, by ``say(_:)``.
  init(
    _ script: [String], clock: Clock = .fast, seed: UInt64 = 0, configuration: String? = nil,
    dataFolder: String? = nil, keeping kept: consuming TemporaryFolder? = nil, environment: [String: String] = [:],
    isTalking: Bool = false
  ) throws {
    process.environment = ProgramUnderTest.environment.merging(environment) { $1 }
    folder = try TemporaryFolder()
    self.kept = kept
    self.dataFolder = dataFolder ?? folder.path(of: "data")
    var arguments = ["--board", "sim", "--clock", clock.rawValue, "--seed", String(seed), "--data", self.dataFolder]
    if let configuration {
      arguments += ["--config", try folder.write([UInt8](configuration.utf8), as: "configuration")]
    }
    try start(arguments, script, isTalking: isTalking)
  }

  /// Starts the program with the test's own arguments.
  /// - Parameter input: any bytes, in place of the script.
  init(
    arguments: [String], script: [String] = [], input: [UInt8]? = nil, environment: [String: String] = [:]
  ) throws {
    process.environment = ProgramUnderTest.environment.merging(environment) { $1 }
    folder = try TemporaryFolder()
    kept = nil
    dataFolder = folder.path(of: "data")
    try start(arguments, script, input: input)
  }

  deinit { if process.isRunning { kill(process.processIdentifier, SIGKILL) } }

  enum Clock: String {
    case real
    case fast
  }

  /// Sends a command.
  func say(_ command: String) { conversation?.write(Data((command + "\n").utf8)) }

  private func start(
    _ arguments: [String], _ script: [String], input bytes: [UInt8]? = nil, isTalking: Bool = false
  ) throws {
    // Files instead of pipes: neither side ever waits for the other, and the output survives a kill.
    let commands = script.map { $0 + "\n" }.joined()
    let input = try folder.write(bytes ?? [UInt8](commands.utf8), as: "input")
    process.executableURL = URL(fileURLWithPath: try ProgramUnderTest.path())
    process.arguments = arguments
    process.standardInput = FileHandle(forReadingAtPath: input)
    process.standardOutput = FileHandle(forWritingAtPath: try folder.write([], as: "output"))
    process.standardError = FileHandle(forWritingAtPath: try folder.write([], as: "errors"))
    guard isTalking else { return try process.run() }
    let pipe = Pipe()
    process.standardInput = pipe
    try process.run()
    conversation = pipe.fileHandleForWriting
    for command in script { say(command) }
  }

  /// Waits for the program's end; after ten minutes it is killed.
  /// - Returns: its exit status, or minus the signal that ended it.
  func end() -> Int32 {
    let number = process.processIdentifier
    let patience = DispatchWorkItem { kill(number, SIGKILL) }
    DispatchQueue.global().asyncAfter(deadline: .now() + 600, execute: patience)
    process.waitUntilExit()
    patience.cancel()
    return process.terminationReason == .exit ? process.terminationStatus : -process.terminationStatus
  }

  /// Kills the program's child processes.
  /// - Returns: how many there were.
  func killChildren() -> Int {
    let children = children()
    for child in children { kill(child, SIGKILL) }
    return children.count
  }

  /// The program's child processes.
  /// - Parameter name: only those whose name begins so; the kernel keeps 15 bytes of it.
  func children(named name: String = "") -> [Int32] {
    let numbers = (try? FileManager.default.contentsOfDirectory(atPath: "/proc"))?.compactMap { Int32($0) } ?? []
    return numbers.filter { number in
      guard let line = try? String(contentsOfFile: "/proc/\(number)/stat", encoding: .utf8) else { return false }
      // The name is in parentheses, and the parent's number is the second field after it.
      let parts = line.split(separator: ")")
      let parent = parts.last?.split(separator: " ").dropFirst().first
      return parts[0].contains("(" + name) && parent.flatMap { Int32($0) } == process.processIdentifier
    }
  }

  /// Whether it has not ended yet.
  var isRunning: Bool { process.isRunning }

  /// Its process ID.
  var processNumber: Int32 { process.processIdentifier }

  /// The niceness of each of the program's threads, by thread name.
  func threadNiceness() throws -> [String: Int] {
    let folder = "/proc/\(process.processIdentifier)/task"
    var niceness: [String: Int] = [:]
    for thread in try FileManager.default.contentsOfDirectory(atPath: folder) {
      let line = try String(contentsOfFile: "\(folder)/\(thread)/stat", encoding: .utf8)
      // The name is in parentheses, and the niceness is the 17th field after it.
      guard let start = line.firstIndex(of: "("), let end = line.lastIndex(of: ")") else { continue }
      let fields = line[end...].split(separator: " ")
      niceness[String(line[line.index(after: start)..<end])] = Int(fields[17])
    }
    return niceness
  }

  /// Sends a signal.
  func send(_ signal: Int32) { kill(process.processIdentifier, signal) }

  /// The processor time used so far.
  func processorUse() throws -> ProcessorUse { try ProcessorUse(ofProcess: process.processIdentifier) }

  /// Waits until the program has printed `count` lines that begin with `prefix`, or has ended.
  func waitForLines(_ count: Int, beginningWith prefix: String) throws {
    guard let output = FileHandle(forReadingAtPath: folder.path(of: "output")) else { return }
    var unfinished: [UInt8] = []
    var found = 0
    while found < count, process.isRunning {
      var lines = (unfinished + output.availableData).split(separator: 10, omittingEmptySubsequences: false)
      unfinished = Array(lines.removeLast())
      found += lines.count { $0.starts(with: prefix.utf8) }
      usleep(1_000)
    }
  }

  /// Its output so far, without an incomplete last line.
  func lines() throws -> [String] {
    String(decoding: try folder.read("output"), as: UTF8.self).components(separatedBy: "\n").dropLast()
  }

  /// Its error messages so far.
  func complaints() throws -> [String] {
    String(decoding: try folder.read("errors"), as: UTF8.self).components(separatedBy: "\n").dropLast()
  }

  /// Every line except the replies to `status json`, which contain the disk's free space and the loop's latency.
  func linesWithoutStatus() throws -> [String] { try lines().filter { !$0.hasPrefix("{") } }

  /// The replies to `status json`.
  func statuses() throws -> [RecorderStatus] {
    try lines().filter { $0.hasPrefix("{") }.map(RecorderStatus.init)
  }

  /// The last reply to `status json` that meets the condition.
  func lastStatus(where isWanted: (RecorderStatus) -> Bool) throws -> RecorderStatus? {
    for line in try lines().reversed() where line.hasPrefix("{") {
      let status = try RecorderStatus(line: line)
      if isWanted(status) { return status }
    }
    return nil
  }

  /// The paths of all recorded files, in the order of their numbers.
  func takes() -> [String] {
    let names = FileManager.default.enumerator(atPath: dataFolder)?.compactMap { $0 as? String } ?? []
    return names.filter { $0.contains("_") && $0.contains("/") }
      .sorted { $0.split(separator: "_").last! < $1.split(separator: "_").last! }.map { dataFolder + "/" + $0 }
  }
}
