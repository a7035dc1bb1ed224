import Foundation
import TestSupport

/// An isolated network with D-Bus and Avahi, on which services are announced. It ends with the value.
final class AvahiNetwork {
  private let folder: TemporaryFolder
  private let process = Process()

  private static var script: String {
    ProgramUnderTest.checkout.appendingPathComponent("Tests/Support/AvahiNetwork/run").path
  }

  /// Whether this machine permits it: not without an administrator's rights, nor in some containers.
  static let isPossible = (try? ForeignProgram.run("bash", [script])) != nil

  /// - Parameter services: Avahi service files by name.
  init(_ services: [String: String]) throws {
    folder = try TemporaryFolder()
    // Other users read and connect here.
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder.path)
    try FileManager.default.createDirectory(atPath: folder.path(of: "services"), withIntermediateDirectories: false)
    for (name, text) in services { _ = try folder.write(Array(text.utf8), as: "services/\(name).service") }
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["bash", Self.script, folder.path]
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
    while process.isRunning, !FileManager.default.fileExists(atPath: folder.path(of: "bus")) { usleep(1_000) }
  }

  deinit {
    // All its processes end with the first one.
    kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
  }

  /// Environment for a program that is to query this network's Avahi.
  var environment: [String: String] { Self.environment(bus: folder.path(of: "bus")) }

  static func environment(bus path: String) -> [String: String] { ["DBUS_SYSTEM_BUS_ADDRESS": "unix:path=\(path)"] }

  /// An installed service file, by which other devices find this one.
  static func installedFile(_ name: String) throws -> String {
    let path = "rootfs-overlay/usr/share/fieldcorder/avahi/\(name).service"
    return try String(contentsOf: ProgramUnderTest.checkout.appendingPathComponent(path), encoding: .utf8)
  }

  /// The content of an Avahi service file.
  static func file(name: String, _ type: String, port: Int) -> String {
    """
    <service-group><name>\(name)</name><service><type>\(type)</type><port>\(port)</port></service></service-group>
    """
  }
}
