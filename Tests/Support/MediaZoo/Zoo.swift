import Foundation
import Synchronization
import TestSupport

/// The folder in which the files lie. Each is made when it is first asked for, and stays until the tests end.
public final class Zoo: Sendable {
  /// The zoo of this run.
  public static let shared = Zoo()

  private let folder: String
  private let cages = Mutex<[String: Cage]>([:])

  private init() {
    folder = FileManager.default.temporaryDirectory.path + "/fieldcorder-zoo-\(getpid())"
    atexit { try? FileManager.default.removeItem(atPath: Zoo.shared.folder) }
  }

  /// The file of a specimen.
  /// - Throws: what the program that makes it complained of.
  public func path(of specimen: Specimen) throws -> String {
    try made(specimen.name) { path in
      // The name's end stays: some programs choose the format by it.
      let unfinished = path.dropLast(specimen.name.count) + "making-" + specimen.name
      let input = try self.path(of: specimen.source)
      let arguments = specimen.arguments.map {
        $0.replacing("{in}", with: input).replacing("{out}", with: unfinished)
      }
      try ForeignProgram.run(specimen.program, arguments)
      try FileManager.default.moveItem(atPath: String(unfinished), toPath: path)
    }
  }

  /// A WAV of a signal.
  public func path(of signal: Signal) throws -> String {
    let kind = signal.isPureSine ? "sine" : "signal"
    let name =
      "\(kind)-\(signal.sampleRateHz)-\(signal.channelCount)-\(signal.bitsPerSample)-\(signal.frameCount).wav"
    return try made(name) { try Data(signal.wav()).write(to: URL(fileURLWithPath: $0)) }
  }

  /// The file of that name, which `make` makes at the path that it is given unless it was made before.
  public func made(_ name: String, _ make: @Sendable (String) throws -> Void) throws -> String {
    let cage = try cages.withLock { cages in
      if let cage = cages[name] { return cage }
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      let cage = Cage(path: folder + "/" + name)
      cages[name] = cage
      return cage
    }
    return try cage.made(make)
  }
}

/// One file's place: whoever comes while it is being made waits.
private final class Cage: Sendable {
  private let path: String
  private let result = Mutex<Result<Void, any Error>?>(nil)

  init(path: String) { self.path = path }

  func made(_ make: @Sendable (String) throws -> Void) throws -> String {
    try result.withLock { result in
      let made = result ?? Result { try make(path) }
      result = made
      return try made.get()
    }
    return path
  }
}
