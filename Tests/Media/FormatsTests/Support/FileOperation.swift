/// What a file was asked to do, in order: enough to rebuild it as it stands after a cut at any moment.
enum FileOperation: Equatable {
  case write(offset: Int, bytes: [UInt8])
  case truncate(byteCount: Int)
  case synchronise

  /// Where a write starts; nil for what is no write.
  var offset: Int? { if case .write(let offset, _) = self { offset } else { nil } }

  /// Does it to `content`, with only the first `limit` bytes of a write.
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
