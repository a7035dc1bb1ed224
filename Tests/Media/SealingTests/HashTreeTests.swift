import TestSupport
import Testing

@testable import Sealing

/// The tree against its definition, by recursion, and the hash against another program's.
@Suite struct HashTreeTests {
  private func digest(_ parts: [UInt8]...) -> Digest {
    var hash = RunningHash()
    for part in parts { unsafe hash.add(part.span.bytes) }
    return hash.digest
  }

  private func bytes(_ digest: Digest) -> [UInt8] {
    let digits = Array(String(digest.text).utf8)
    return stride(from: 0, to: 64, by: 2).map {
      UInt8(String(decoding: digits[$0..<$0 + 2], as: UTF8.self), radix: 16)!
    }
  }

  private func tree(_ leaves: ArraySlice<Digest>) -> Digest {
    guard leaves.count > 1 else { return leaves.first! }
    let middle = leaves.startIndex + leaves.count / 2
    return digest([1], bytes(tree(leaves[..<middle])), bytes(tree(leaves[middle...])))
  }

  /// Nodes of the largest power of two of blocks of which there are less than 64, then what is left in powers of two,
  /// the largest first.
  private func root(_ content: [UInt8]) -> (Digest, nodes: [Digest]) {
    let blocks = stride(from: 0, to: content.count, by: 1 << 20).map { Array(content[$0...].prefix(1 << 20)) }
    let leaves = blocks.filter { $0.count == 1 << 20 }.map { digest([0], $0) }
    var size = 1
    while leaves.count / size >= 64 { size *= 2 }
    var parts: [Digest] = []
    var next = 0
    while leaves.count - next >= size {
      parts.append(tree(leaves[next..<next + size]))
      next += size
    }
    let nodes = parts
    while size > 1 {
      size /= 2
      guard leaves.count - next >= size else { continue }
      parts.append(tree(leaves[next..<next + size]))
      next += size
    }
    let rest = blocks.last.map { $0.count < 1 << 20 ? bytes(digest([0], $0)) : [] } ?? []
    return (digest([2], parts.flatMap(bytes), rest), nodes)
  }

  @Test("the hash of bytes is the first half of what sha512sum says of them")
  func hash() throws {
    for text in ["", "a", String(repeating: "field recorder ", count: 1_000)] {
      let sum = try ForeignProgram.text("sha512sum", [], input: Array(text.utf8))
      #expect(String(digest(Array(text.utf8)).text) == sum.prefix(64))
    }
  }

  @Test(
    "the root is that of the definition, however the bytes come",
    arguments: [0, 1, 1 << 20 - 1, 1 << 20, 1 << 20 + 1, 3 << 20, 63 << 20, 64 << 20, (64 << 20) + 5, (131 << 20) + 7])
  func root(byteCount: Int) {
    var generator = SeededGenerator(seed: UInt64(byteCount))
    let start = UInt8.random(in: 0...255, using: &generator)
    let content = (0..<byteCount).map { start &+ UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 9) }
    var hashTree = HashTree()
    var offset = 0
    while offset < byteCount {
      let count = min(Int.random(in: 1...3_000_000, using: &generator), byteCount - offset)
      unsafe hashTree.add(content.span.bytes.extracting(offset..<offset + count))
      offset += count
    }
    let (expected, nodes) = root(content)
    #expect(hashTree.root == expected)
    #expect(hashTree.byteCount == UInt64(byteCount))
    #expect((0..<hashTree.nodeCount).map { hashTree.node($0) } == nodes)
  }

  @Test("a seal is read as it was written, and one of which any character was changed is none, or not signed")
  func line() {
    let key = SigningKey(seed: KeyBytes(InlineArray { UInt8($0) }))
    var hash = RunningHash()
    hash.add(byte: 1)
    let seal = Seal(
      content: 1_024..<5_678_901, contentHash: HashTree().root, entryByteCount: 345, entryHash: hash.digest)
    let line = Array(String(seal.line(signedBy: key)).utf8.dropLast())
    #expect(line.count == Seal.lineByteCount - 1)
    let found = FoundSeal(line: line.span)
    #expect(found?.seal == seal && found?.key == key.publicKey && found?.isSigned == true)
    for index in line.indices {
      var changed = line
      changed[index] = changed[index] == UInt8(ascii: "1") ? UInt8(ascii: "2") : UInt8(ascii: "1")
      let isAccepted = FoundSeal(line: changed.span)?.isSigned ?? false
      #expect(!isAccepted, "character \(index)")
    }
  }
}
