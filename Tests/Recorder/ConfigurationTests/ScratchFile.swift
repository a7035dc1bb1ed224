import Base
import Configuration
import Foundation
import TestSupport

/// A file that exists for one test.
final class ScratchFile {
  let path: String

  init() {
    path = FileManager.default.temporaryDirectory.appending(path: "fieldcorder-\(UUID().uuidString).conf").path
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  /// The settings from a configuration file with these bytes.
  func load(_ bytes: [UInt8]) throws -> Settings {
    try Data(bytes).write(to: URL(fileURLWithPath: path))
    return try Settings.load(FixedText(path), mustExist: true)
  }

  func load(_ text: String) throws -> Settings { try load(Array(text.utf8)) }

  /// The line that refuses these bytes, with `FILE` in place of the path; nil if they are accepted.
  func refusal(of bytes: [UInt8]) throws -> String? {
    do {
      _ = try load(bytes)
      return nil
    } catch let error as SettingsError {
      return String(error.line).replacing(path, with: "FILE")
    }
  }

  func refusal(of text: String) throws -> String? { try refusal(of: Array(text.utf8)) }
}
