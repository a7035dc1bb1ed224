import Foundation

/// Third-party programs that check our output.
package enum ForeignProgram {
  /// A program that is missing, or that ended with an error.
  package struct Failure: Error, CustomStringConvertible {
    /// The program, its status and its error output.
    package let description: String

    /// A failure with this description.
    package init(description: String) { self.description = description }
  }

  /// Runs a program found in `PATH`, gives it `input`, and waits for it.
  /// - Returns: its standard output.
  /// - Throws: ``Failure`` with its standard error output if its exit status is not 0.
  @discardableResult
  package static func run(_ name: String, _ arguments: [String], input: [UInt8] = []) throws -> [UInt8] {
    // Files instead of pipes: nothing can block, however large input and output are.
    let folder = try TemporaryFolder()
    let inputPath = try folder.write(input, as: "input")
    _ = try folder.write([], as: "output")
    _ = try folder.write([], as: "errors")
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = [name] + arguments
    process.standardInput = FileHandle(forReadingAtPath: inputPath)
    process.standardOutput = FileHandle(forWritingAtPath: folder.path(of: "output"))
    process.standardError = FileHandle(forWritingAtPath: folder.path(of: "errors"))
    try process.run()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else {
      let errors = String(decoding: try folder.read("errors"), as: UTF8.self)
      throw Failure(description: "\(name) ended with \(process.terminationStatus): \(errors)")
    }
    return try folder.read("output")
  }

  /// As ``run(_:_:input:)``, as text without leading and trailing line ends.
  package static func text(_ name: String, _ arguments: [String], input: [UInt8] = []) throws -> String {
    String(decoding: try run(name, arguments, input: input), as: UTF8.self)
      .trimmingCharacters(in: .whitespacesAndNewlines)
  }

  /// One entry of a stream of a file, as reported by ffprobe.
  /// - Parameter stream: such as `v:0` or `a:0`.
  package static func probe(_ path: String, stream: String, entry: String) throws -> String {
    try text(
      "ffprobe",
      ["-v", "error", "-select_streams", stream, "-show_entries", "stream=\(entry)", "-of", "csv=p=0", path])
  }

  /// The luma of every picture of a file's first video stream, one after another, in the stored orientation.
  package static func decodeLuma(_ path: String) throws -> [UInt8] {
    try run(
      "ffmpeg",
      [
        "-v", "error", "-noautorotate", "-i", path, "-map", "0:v:0", "-fps_mode", "passthrough", "-f", "rawvideo",
        "-pix_fmt", "gray", "-",
      ])
  }

  /// Every sample of a file's first audio stream, interleaved; full scale is 1.
  /// - Parameter part: ffmpeg options that select a part of it, such as `-ss 5 -t 1`.
  package static func decodeSamples(_ path: String, part: [String] = []) throws -> [Float] {
    let bytes = try run("ffmpeg", ["-v", "error"] + part + ["-i", path, "-map", "0:a:0", "-f", "f32le", "-"])
    return unsafe bytes.withUnsafeBytes { raw in
      (0..<raw.count / 4).map { unsafe raw.loadUnaligned(fromByteOffset: $0 * 4, as: Float.self) }
    }
  }
}
