import Foundation
import Testing

/// A program that we did not write.
enum Program {
  struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  /// Runs it to its end.
  /// - Returns: what it wrote to its standard output.
  @discardableResult
  static func run(_ arguments: [String]) throws -> Data {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = arguments
    let output = Pipe()
    let diagnosis = temporaryFile("txt")
    defer { try? FileManager.default.removeItem(atPath: diagnosis) }
    _ = FileManager.default.createFile(atPath: diagnosis, contents: nil)
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = output
    process.standardError = FileHandle(forWritingAtPath: diagnosis)
    try process.run()
    let data = try output.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else {
      let text = (try? String(contentsOfFile: diagnosis, encoding: .utf8)) ?? ""
      throw Failure(description: "\(arguments.joined(separator: " ")): \(process.terminationStatus) \(text)")
    }
    return data
  }

  static func text(_ arguments: String...) throws -> String {
    try #require(String(data: run(arguments), encoding: .utf8))
  }
}

/// A path in the temporary folder that nothing else uses.
func temporaryFile(_ fileExtension: String) -> String {
  NSTemporaryDirectory() + "fieldcorder-\(UUID().uuidString).\(fileExtension)"
}

/// Lends a file on the disk with `content`, and removes it afterwards.
func withFile<Result>(
  _ content: [UInt8], _ fileExtension: String, _ body: (String) throws -> Result
) throws -> Result {
  let path = temporaryFile(fileExtension)
  defer { try? FileManager.default.removeItem(atPath: path) }
  try Data(content).write(to: URL(fileURLWithPath: path))
  return try body(path)
}
