import Base
import Foundation
import TestSupport
import Testing
import Wire

@testable import Machine

/// A card that is removed and inserted again, or replaced by another.
@Suite struct DataFolderTests {
  /// Gives the data folder this file, and an identity.
  private func insert(_ card: String, with file: String, _ place: borrowing TemporaryFolder) throws {
    try FileManager.default.createDirectory(
      atPath: place.path(of: card + "/music"), withIntermediateDirectories: true)
    _ = try place.write(Array("x".utf8), as: "\(card)/music/\(file)")
    _ = try place.write(Array("01234567".utf8), as: card + "/identity")
  }

  /// Removes the card, which exposes the folder below its mount point; that one is not ours.
  private func pull(_ place: borrowing TemporaryFolder) throws {
    try FileManager.default.moveItem(atPath: place.path(of: "data"), toPath: place.path(of: "gone"))
    try FileManager.default.createDirectory(atPath: place.path(of: "data"), withIntermediateDirectories: false)
  }

  private func putIn(_ place: borrowing TemporaryFolder) throws {
    try FileManager.default.removeItem(atPath: place.path(of: "data"))
    try insert("data", with: "other.mp3", place)
  }

  private func names(_ folders: inout FolderStorage, isExamined: Bool) throws -> [String] {
    var names: [String] = []
    _ = try folders.forEachEntry(of: "music", from: 0, isExamined: isExamined) { entry in
      names.append(String(entry.name))
      return true
    }
    return names
  }

  @Test("the library and retention look into the folder that has the name, and keep the last one of ours meanwhile")
  func follows() throws {
    let place = try TemporaryFolder()
    try insert("data", with: "a.mp3", place)
    var library = try FolderStorage(folder: FixedText(place.path(of: "data")), for: .browsing)
    var days = try FolderStorage(folder: FixedText(place.path(of: "data")), for: .keeping)
    #expect(try names(&library, isExamined: true) == ["a.mp3"])
    try pull(place)
    #expect(try names(&library, isExamined: true) == ["a.mp3"])
    #expect(try names(&days, isExamined: false) == ["a.mp3"])
    try putIn(place)
    #expect(try names(&library, isExamined: true) == ["other.mp3"])
    #expect(try names(&days, isExamined: false) == ["other.mp3"])
    #expect(try library.entry(at: "music/other.mp3").isOnOtherDevice == false)
    #expect(try days.entry(at: "music/other.mp3").kind == .file)
  }

  @Test("the player opens a file of the card that was put in")
  func plays() throws {
    let rig = try DecoderRig(files: ["data/music/a.mp3": "x", "data/identity": "01234567"])
    var decoder = try DecoderProcess(
      program: DecoderRig.standIn, dataFolder: FixedText(rig.folder.path(of: "data")),
      ringByteCount: DecoderRig.ringByteCount, format: DecoderRig.format, isInStep: false)
    try decoder.start()
    _ = try decoder.receive(waitNanoseconds: 60_000_000_000)
    try pull(rig.folder)
    try decoder.send(.open(requestID: 1, ringFrame: 0), withFileAt: "music/a.mp3")
    try putIn(rig.folder)
    #expect(throws: DeviceFailure.self) {
      try decoder.send(.open(requestID: 2, ringFrame: 0), withFileAt: "music/a.mp3")
    }
    try decoder.send(.open(requestID: 3, ringFrame: 0), withFileAt: "music/other.mp3")
  }
}
