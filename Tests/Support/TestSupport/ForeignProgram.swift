import Foundation

/// Programs that we did not write, as judges of what we wrote.
public enum ForeignProgram {
  /// A program that was not there, or that ended with an error.
  public struct Failure: Error, CustomStringConvertible {
    /// The program, its status and what it complained of.
    public let description: String

    /// A failure that is told in these words.
    public init(description: String) { self.description = description }
  }

  /// Runs a program found in `PATH`, gives it `input`, and waits for it.
  /// - Returns: what it wrote to its standard output.
  /// - Throws: ``Failure`` with what it wrote to standard error, when it ends with another status than 0.
  @discardableResult
  public static func run(_ name: String, _ arguments: [String], input: [UInt8] = []) throws -> [UInt8] {
    // Files instead of pipes: nothing can block, however much goes in and comes out.
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

  /// As ``run(_:_:input:)``, as text without the line ends around it.
  public static func text(_ name: String, _ arguments: [String], input: [UInt8] = []) throws -> String {
    String(decoding: try run(name, arguments, input: input), as: UTF8.self)
      .trimmingCharacters(in: .whitespacesAndNewlines)
  }

  /// One entry of a stream of a file, as ffprobe tells it.
  /// - Parameter stream: such as `v:0` or `a:0`.
  public static func probe(_ path: String, stream: String, entry: String) throws -> String {
    try text(
      "ffprobe",
      ["-v", "error", "-select_streams", stream, "-show_entries", "stream=\(entry)", "-of", "csv=p=0", path])
  }

  /// The luma of every picture of a file's first video stream, turned as it lies in the file, one after another.
  public static func decodeLuma(_ path: String) throws -> [UInt8] {
    try run(
      "ffmpeg",
      [
        "-v", "error", "-noautorotate", "-i", path, "-map", "0:v:0", "-fps_mode", "passthrough", "-f", "rawvideo",
        "-pix_fmt", "gray", "-",
      ])
  }

  /// Every sample of a file's first audio stream, interleaved, full scale being 1.
  /// - Parameter part: options of ffmpeg's that choose a part of it, such as `-ss 5 -t 1`.
  public static func decodeSamples(_ path: String, part: [String] = []) throws -> [Float] {
    let bytes = try run("ffmpeg", ["-v", "error"] + part + ["-i", path, "-map", "0:a:0", "-f", "f32le", "-"])
    return unsafe bytes.withUnsafeBytes { raw in
      (0..<raw.count / 4).map { unsafe raw.loadUnaligned(fromByteOffset: $0 * 4, as: Float.self) }
    }
  }
}
