import Foundation

/// A folder for one test, removed with its contents when the value ends.
public struct TemporaryFolder: ~Copyable {
  /// Its path, without a slash at the end.
  public let path: String

  /// Creates the empty folder.
  public init() throws {
    // Short: a configuration's file names have 63 bytes at most.
    let name = "fieldcorder-test-\(UUID().uuidString.prefix(13))"
    let url = FileManager.default.temporaryDirectory.appendingPathComponent(name)
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: false)
    path = url.path
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  /// The path of `name` in the folder.
  public func path(of name: String) -> String { path + "/" + name }

  /// Writes a file and returns its path.
  public func write(_ bytes: [UInt8], as name: String) throws -> String {
    try Data(bytes).write(to: URL(fileURLWithPath: path(of: name)))
    return path(of: name)
  }

  /// The contents of a file.
  public func read(_ name: String) throws -> [UInt8] {
    [UInt8](try Data(contentsOf: URL(fileURLWithPath: path(of: name))))
  }
}
