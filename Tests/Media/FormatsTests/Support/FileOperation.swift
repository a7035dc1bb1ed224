/// The operations on a file, in order: enough to rebuild its state after a cut at any moment.
enum FileOperation: Equatable {
  case write(offset: Int, bytes: [UInt8])
  case truncate(byteCount: Int)
  case synchronise

  /// Where a write starts; nil for other operations.
  var offset: Int? { if case .write(let offset, _) = self { offset } else { nil } }

  /// Applies the operation to `content`, with only the first `limit` bytes of a write.
  func apply(to content: inout [UInt8], limit: Int = .max) {
    switch self {
    case .write(let offset, let bytes):
      let kept = bytes.prefix(limit)
      let end = offset + kept.count
      if content.count < end { content += [UInt8](repeating: 0, count: end - content.count) }
      content.replaceSubrange(offset..<end, with: kept)
    case .truncate(let byteCount):
      content = Array(content.prefix(byteCount))
    case .synchronise: break
    }
  }
}
