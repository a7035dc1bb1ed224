import Base
import Foundation
import Testing

/// A file on the disk of the machine that runs the tests.
struct DiskFile: MediaFile, ~Copyable {
  private let handle: FileHandle

  init(path: String) throws {
    if !FileManager.default.fileExists(atPath: path) {
      try #require(FileManager.default.createFile(atPath: path, contents: nil))
    }
    handle = try #require(FileHandle(forUpdatingAtPath: path))
  }

  var byteCount: UInt64 { (try? handle.seekToEnd()) ?? 0 }

  mutating func read(at offset: UInt64, into room: inout MutableRawSpan) throws(any Error) -> Int {
    try handle.seek(toOffset: offset)
    let data = try handle.read(upToCount: room.byteCount) ?? Data()
    unsafe room.withUnsafeMutableBytes { unsafe $0.copyBytes(from: data) }
    return data.count
  }

  mutating func write(_ bytes: RawSpan, at offset: UInt64) throws(any Error) {
    try handle.seek(toOffset: offset)
    try handle.write(contentsOf: array(bytes))
  }

  mutating func write(_ bytes: [UInt8], at offset: Int) throws {
    try handle.seek(toOffset: UInt64(offset))
    try handle.write(contentsOf: bytes)
  }

  mutating func synchronise() throws(any Error) { try handle.synchronize() }

  mutating func truncate(to byteCount: UInt64) throws(any Error) { try handle.truncate(atOffset: byteCount) }
}
