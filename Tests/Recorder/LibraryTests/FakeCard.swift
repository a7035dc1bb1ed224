import Base
import Machine
import TestSupport

/// The files of a card, set by a test and shared by the fake folders and the fake decoder.
final class FakeCard {
  /// What the decoder finds in a file.
  enum Content: Equatable {
    case sound(title: String, artist: String, seconds: Double)
    case noSound
    /// Crashes the process.
    case fatal
    /// The process stops answering.
    case endless
    /// The process answers other requests, and sends unrequested messages.
    case babble
  }

  struct File: Equatable {
    var content: Content
    var albumPlace: UInt32 = 0
    var byteCount: UInt64 = 1000
    var modifiedNanoseconds: Int64 = 0
  }

  var files: [String: File] = [:] {
    didSet { listings = [:] }
  }
  private var listings: [String: [FolderEntry]] = [:]
  /// Folders whose listing fails after this many entries of each call.
  var brokenFolders: [String: Int] = [:]
  /// Paths that cannot be read.
  var brokenFiles: Set<String> = []
  /// How many entries have been listed.
  var entryCount = 0

  /// Paths on another device, with everything below them.
  var elsewhere: Set<String> = []

  func isElsewhere(_ path: String) -> Bool { elsewhere.contains { path == $0 || path.hasPrefix($0 + "/") } }

  func put(
    _ path: String, title: String = "", artist: String = "", seconds: Double = 1, albumPlace: UInt32 = 0,
    modifiedNanoseconds: Int64 = 0
  ) {
    files[path] = File(
      content: .sound(title: title, artist: artist, seconds: seconds), albumPlace: albumPlace,
      modifiedNanoseconds: modifiedNanoseconds)
  }

  /// The entries of a folder, in an order that is stable while nothing changes; nil if there is no such folder.
  func entries(of folder: String) -> [FolderEntry]? {
    if let listing = listings[folder] { return listing }
    var names: [String: FolderEntry] = [:]
    for (path, file) in files where path.hasPrefix(folder + "/") {
      let parts = path.dropFirst(folder.count + 1).split(separator: "/", omittingEmptySubsequences: false)
      names[String(parts[0])] = FolderEntry(
        name: FixedText(String(parts[0])), kind: parts.count > 1 ? .folder : .file, byteCount: file.byteCount,
        modifiedNanoseconds: file.modifiedNanoseconds, isOnOtherDevice: isElsewhere("\(folder)/\(parts[0])"))
    }
    if names.isEmpty { return nil }
    listings[folder] = names.sorted { scrambled($0.key) < scrambled($1.key) }.map(\.value)
    return listings[folder]
  }

  private func scrambled(_ name: String) -> UInt64 {
    var hash: UInt64 = 14_695_981_039_346_656_037
    for byte in name.utf8 { hash = (hash ^ UInt64(byte)) &* 1_099_511_628_211 }
    return hash
  }
}
