import Foundation

/// A folder for one test, removed with its contents when the value ends.
package struct TemporaryFolder: ~Copyable {
  /// Its path, without a slash at the end.
  package let path: String

  /// Creates the empty folder.
  package init() throws {
    // Short, because file names in a configuration have 63 bytes at most.
    let name = "fieldcorder-test-\(UUID().uuidString.prefix(13))"
    let url = FileManager.default.temporaryDirectory.appendingPathComponent(name)
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: false)
    path = url.path
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  /// The path of `name` in the folder.
  package func path(of name: String) -> String { path + "/" + name }

  /// Writes a file and returns its path.
  package func write(_ bytes: [UInt8], as name: String) throws -> String {
    try Data(bytes).write(to: URL(fileURLWithPath: path(of: name)))
    return path(of: name)
  }

  /// Copies a file, makes it executable, and returns its path.
  ///
  /// A separate program copies it: if this process did, a process forked by another test would inherit the open copy
  /// until its own exec, and the kernel refuses to run a file that is open for writing (ETXTBSY).
  /// - Parameter source: `/dev/stdin` stands for `input`.
  package func install(_ source: String, as name: String, input: [UInt8] = []) throws -> String {
    try ForeignProgram.run("install", ["--mode=755", source, path(of: name)], input: input)
    return path(of: name)
  }

  /// Makes an executable of shell lines, and returns its path.
  package func installScript(_ lines: String, as name: String) throws -> String {
    try install("/dev/stdin", as: name, input: [UInt8](("#!/bin/sh\n" + lines).utf8))
  }

  /// The contents of a file.
  package func read(_ name: String) throws -> [UInt8] {
    [UInt8](try Data(contentsOf: URL(fileURLWithPath: path(of: name))))
  }
}
