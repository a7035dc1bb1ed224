import Base
import Foundation
import TestSupport
import Testing

@testable import Machine

/// Linux's reports, compared with what other programs read from the same sources.
@Suite struct SystemInspectorTests {
  private func inspector(_ folder: String = "/tmp") -> SystemInspector {
    SystemInspector(dataFolder: FixedText(folder), fallbackFolder: "/proc")
  }

  private func output(_ program: String, _ arguments: String...) throws -> String {
    let process = Process()
    let pipe = Pipe()
    process.executableURL = URL(fileURLWithPath: program)
    process.arguments = arguments
    process.standardOutput = pipe
    try process.run()
    let data = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return String(decoding: data, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
  }

  @Test("The file system of a folder is the one that stat tells, and the fallback folder is another")
  func card() throws {
    let card = try inspector().card(isFallback: false)
    let numbers = try output("/usr/bin/stat", "-f", "-c", "%S %b %t", "/tmp").split(separator: " ")
    let byteCount = try #require(UInt64(numbers[0])) * (try #require(UInt64(numbers[1])))
    #expect(card.byteCount == byteCount && card.freeByteCount > 0 && card.freeByteCount < byteCount)
    let names = ["ef53": "ext4", "1021994": "tmpfs", "794c7630": "overlay", "58465342": "xfs", "9123683e": "btrfs"]
    if let name = names[String(numbers[2])] { #expect(String(card.fileSystem) == name) }
    // The kernel's own magic number for procfs.
    #expect(String(try inspector().card(isFallback: true).fileSystem) == "0x9fa0")
    #expect(throws: DeviceFailure.self) { try inspector("/nowhere").card(isFallback: false) }
  }

  @Test("Every character device of this machine has the driver, bus and address that its real path in sysfs leads to")
  func drivers() throws {
    let files = FileManager.default
    for name in try files.contentsOfDirectory(atPath: "/dev").sorted() {
      let node = "/dev/" + name
      guard (try? files.attributesOfItem(atPath: node)[.type] as? FileAttributeType) == .typeCharacterSpecial else {
        continue
      }
      let number = try output("/usr/bin/stat", "-c", "%Hr:%Lr", node)
      var place = URL(fileURLWithPath: "/sys/dev/char/\(number)").resolvingSymlinksInPath()
      var expected = ["", "", ""]
      while place.path.hasPrefix("/sys/devices/") {
        if let driver = try? files.destinationOfSymbolicLink(atPath: place.path + "/driver") {
          let bus = try? files.destinationOfSymbolicLink(atPath: place.path + "/subsystem")
          expected = [bus ?? "", place.path, driver].map { $0.split(separator: "/").last.map(String.init) ?? "" }
          break
        }
        place.deleteLastPathComponent()
      }
      var names = DeviceNames(repeating: "")
      names[ListedDevice.camera.rawValue] = FixedText(node)
      let found = inspector().drivers(names)[ListedDevice.camera.rawValue]
      #expect([String(found.bus), String(found.address), String(found.driver)] == expected, "\(node)")
    }
    #expect(String(inspector().drivers(DeviceNames(repeating: "/nowhere"))[ListedDevice.display.rawValue].driver) == "")
  }

  @Test("This process and a program that it has started are told, with their times, policies and memory")
  func process() throws {
    let child = Process()
    child.executableURL = URL(fileURLWithPath: "/bin/sleep")
    child.arguments = ["60"]
    try child.run()
    defer { child.terminate() }
    let report = try inspector().process()
    let tasks = (0..<report.taskCount).compactMap { report[$0] }
    let own = try #require(tasks.first { $0.number == getpid() })
    #expect(own.name == "loop" && !own.isProcess && own.priority == 0)
    #expect(own.policy.map { Int32($0.rawValue) } == sched_getscheduler(getpid()))
    let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
    let resident = try #require(status.firstMatch(of: /VmRSS:\s+(\d+)/)?.1).description
    let ratio = Double(report.residentByteCount) / (try #require(Double(resident)) * 1024)
    #expect((0.5...2).contains(ratio))
    // Before it sleeps it may run, or wait for the disk it is loaded from. The loop ends when the child does, at the
    // latest.
    var seen = report
    while !seen.isFull {
      let tasks = (0..<seen.taskCount).compactMap { seen[$0] }
      let sleeper = try #require(tasks.first { $0.number == child.processIdentifier })
      #expect(sleeper.isProcess)
      if sleeper.name == "sleep" && sleeper.state == UInt8(ascii: "S") { break }
      Thread.sleep(forTimeInterval: 0.01)
      seen = try inspector().process()
    }
  }
}
