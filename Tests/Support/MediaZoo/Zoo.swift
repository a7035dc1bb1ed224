import Foundation
import Synchronization
import TestSupport

/// The folder of the files. Each file is made when it is first requested, and stays until the tests end.
package final class Zoo: Sendable {
  /// The zoo of this run.
  package static let shared = Zoo()

  private let folder: String
  private let cages = Mutex<[String: Cage]>([:])

  private init() {
    folder = FileManager.default.temporaryDirectory.path + "/fieldcorder-zoo-\(getpid())"
    atexit { try? FileManager.default.removeItem(atPath: Zoo.shared.folder) }
  }

  /// The file of a specimen.
  /// - Throws: the error reported by the program that makes it.
  package func path(of specimen: Specimen) throws -> String {
    try made(specimen.name) { path in
      // The file extension is kept, because some programs choose the format by it.
      let unfinished = path.dropLast(specimen.name.count) + "making-" + specimen.name
      let input = try self.path(of: specimen.source)
      let arguments = specimen.arguments.map {
        $0.replacing("{in}", with: input).replacing("{out}", with: unfinished)
      }
      try ForeignProgram.run(specimen.program, arguments)
      try FileManager.default.moveItem(atPath: String(unfinished), toPath: path)
    }
  }

  /// A signal as a WAV file.
  package func path(of signal: Signal) throws -> String {
    let kind = signal.isPureSine ? "sine" : "signal"
    let name =
      "\(kind)-\(signal.sampleRateHz)-\(signal.channelCount)-\(signal.bitsPerSample)-\(signal.frameCount).wav"
    return try made(name) { try Data(signal.wav()).write(to: URL(fileURLWithPath: $0)) }
  }

  /// The file with that name. `make` creates it at the given path, unless it has already been created.
  package func made(_ name: String, _ make: @Sendable (String) throws -> Void) throws -> String {
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

/// One file's slot: a caller waits while another is making the file.
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
