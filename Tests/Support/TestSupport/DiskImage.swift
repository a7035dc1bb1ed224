/// The operations on a ``MemoryDisk``, in order: enough to rebuild its state after a power cut.
package enum DiskOperation: Equatable, Sendable {
  case create(path: String, file: Int)
  case write(file: Int, offset: Int, bytes: [UInt8])
  case truncate(file: Int, byteCount: Int)
  case synchronise(file: Int)
  case synchroniseFolder(String)
  /// Complete and durable at once.
  case replace(path: String, bytes: [UInt8])
  case rename(path: String, newPath: String, file: Int)
  case remove(path: String)
}

/// The files of a disk: their names and contents.
package struct DiskImage: Sendable {
  /// The file number of each path.
  package private(set) var names: [String: Int] = [:]
  /// The bytes of each file, by its number.
  package private(set) var contents: [Int: [UInt8]] = [:]
  private var nextFile = 0

  /// An empty disk.
  package init() {}

  /// The bytes at a path; nil if there is no such file.
  package subscript(path: String) -> [UInt8]? { names[path].flatMap { contents[$0] } }

  /// Total bytes of all files that have a name.
  package var byteCount: Int { names.values.reduce(0) { $0 + (contents[$1]?.count ?? 0) } }

  /// A number for a new file.
  mutating func makeFileNumber() -> Int {
    nextFile += 1
    return nextFile
  }

  /// Drops files that have no name.
  mutating func forgetRemovedFiles() {
    let named = Set(names.values)
    contents = contents.filter { named.contains($0.key) }
  }

  /// Applies an operation, with only the first `limit` bytes of a write.
  mutating func apply(_ operation: DiskOperation, limit: Int = .max) {
    switch operation {
    case .create(let path, let file):
      names[path] = file
      contents[file, default: []] += []
      nextFile = max(nextFile, file)
    case .write(let file, let offset, let bytes):
      let kept = bytes.prefix(limit)
      let end = offset + kept.count
      let missing = end - contents[file, default: []].count
      if missing > 0 { contents[file, default: []] += [UInt8](repeating: 0, count: missing) }
      contents[file, default: []].replaceSubrange(offset..<end, with: kept)
    case .truncate(let file, let byteCount):
      if let content = contents[file], content.count > byteCount {
        contents[file]!.removeLast(content.count - byteCount)
      }
    case .replace(let path, let bytes):
      let file = makeFileNumber()
      names[path] = file
      contents[file] = bytes
    case .rename(let path, let newPath, let file):
      names[path] = nil
      names[newPath] = file
      contents[file, default: []] += []
    case .remove(let path): names[path] = nil
    case .synchronise, .synchroniseFolder: break
    }
  }

  /// The disk after a power cut.
  ///
  /// Synchronised data is kept. A disk that reorders writes may keep any part of the rest, and a part of the operation
  /// in progress.
  /// - Parameters:
  ///   - operationCount: the number of operations that had returned.
  ///   - generator: decides what is lost; nil keeps everything, like a disk that writes in order.
  package static func afterCut(
    _ operations: [DiskOperation], at operationCount: Int, using generator: inout SeededGenerator?
  ) -> DiskImage {
    var image = DiskImage()
    // A file whose creation is lost keeps its number: it may get another name later.
    image.nextFile = operations.count
    let safe = safeIndices(operations[..<operationCount])
    for index in 0..<operationCount {
      let isLost = !safe.contains(index) && generator != nil && Bool.random(using: &generator!)
      if !isLost { image.apply(operations[index]) }
    }
    if operationCount < operations.count, case .write(_, _, let bytes) = operations[operationCount], generator != nil {
      image.apply(operations[operationCount], limit: Int.random(in: 0...bytes.count, using: &generator!))
    }
    return image
  }

  private static func safeIndices(_ operations: ArraySlice<DiskOperation>) -> Set<Int> {
    var safe = Set<Int>()
    var waiting: [String: [Int]] = [:]
    for (index, operation) in operations.enumerated() {
      switch operation {
      case .write(let file, _, _), .truncate(let file, _): waiting["#\(file)", default: []].append(index)
      case .create(let path, _), .remove(let path), .rename(_, let path, _):
        waiting[folder(of: path), default: []].append(index)
      case .synchronise(let file): safe.formUnion(waiting.removeValue(forKey: "#\(file)") ?? [])
      case .synchroniseFolder(let path): safe.formUnion(waiting.removeValue(forKey: path) ?? [])
      case .replace: safe.insert(index)
      }
    }
    return safe
  }

  private static func folder(of path: String) -> String {
    path.lastIndex(of: "/").map { String(path[..<$0]) } ?? ""
  }
}
