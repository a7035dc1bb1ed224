/// A hash of bytes that grow, from hashes of blocks of 1 MiB: a tree as in RFC 6962, 2.1, of which only the top is kept.
///
/// Two trees over the same number of bytes have the same blocks under each of their ``nodes``: where these differ, the
/// bytes do.
public struct HashTree: BitwiseCopyable, Sendable {
  /// Bytes under a leaf.
  public static var blockByteCount: UInt64 { 1 << 20 }

  /// When there are so many nodes, pairs of them become one: a movie of 4 GiB has nodes of 64 or 128 MiB.
  static var mostNodes: Int { 64 }

  /// How the lines start in which the ledger of a take has its nodes.
  public static var hashLineStart: StaticString { "hashes of " }

  /// Whole blocks so far.
  private var blockCount: UInt64 = 0
  /// The block that is not whole yet.
  private var block = Self.leaf
  private var byteCountOfBlock: UInt64 = 0
  /// What is below the next node: the one at index `n` stands for 2ⁿ blocks if bit `n` of ``blockCount`` is set.
  private var parts = InlineArray<44, Digest>(repeating: Digest(words: InlineArray(repeating: 0)))
  /// A node stands for 2 to the power of this many blocks.
  private var level = 0
  private var nodes = InlineArray<64, Digest>(repeating: Digest(words: InlineArray(repeating: 0)))
  /// How many ``node(_:)`` has.
  public private(set) var nodeCount = 0

  /// Of nothing yet.
  public init() {}

  /// Bytes so far.
  public var byteCount: UInt64 { blockCount * Self.blockByteCount + byteCountOfBlock }

  /// Bytes under each node.
  public var nodeByteCount: UInt64 { Self.blockByteCount << UInt64(level) }

  /// The hash of the bytes from `index` × ``nodeByteCount`` on.
  /// - Parameter index: 0..<``nodeCount``. What follows the last is under no node yet.
  public func node(_ index: Int) -> Digest { nodes[index] }

  /// Takes in a piece.
  public mutating func add(_ bytes: RawSpan) {
    var start = 0
    while start < bytes.byteCount {
      let room = Int(Self.blockByteCount - byteCountOfBlock)
      let end = min(start + room, bytes.byteCount)
      block.add(bytes.extracting(start..<end))
      byteCountOfBlock += UInt64(end - start)
      start = end
      if byteCountOfBlock == Self.blockByteCount { endBlock() }
    }
  }

  /// The hash of all bytes so far: of the nodes, of what is below the next one, and of the block that is not whole.
  public var root: Digest {
    var hash = RunningHash()
    hash.add(byte: 2)
    for index in 0..<nodeCount { hash.add(nodes[index]) }
    for index in stride(from: level - 1, through: 0, by: -1) where blockCount >> UInt64(index) & 1 == 1 {
      hash.add(parts[index])
    }
    if byteCountOfBlock > 0 { hash.add(block.digest) }
    return hash.digest
  }

  private mutating func endBlock() {
    var whole = block.digest
    var height = 0
    while height < level, blockCount >> UInt64(height) & 1 == 1 {
      whole = Self.parent(of: parts[height], whole)
      height += 1
    }
    if height == level { append(node: whole) } else { parts[height] = whole }
    blockCount += 1
    block = Self.leaf
    byteCountOfBlock = 0
  }

  private mutating func append(node: Digest) {
    nodes[nodeCount] = node
    nodeCount += 1
    guard nodeCount == Self.mostNodes else { return }
    for index in 0..<nodeCount / 2 { nodes[index] = Self.parent(of: nodes[2 * index], nodes[2 * index + 1]) }
    nodeCount /= 2
    level += 1
  }

  /// The first byte says what a hash is of, so that none can pass for another.
  private static var leaf: RunningHash {
    var hash = RunningHash()
    hash.add(byte: 0)
    return hash
  }

  private static func parent(of left: Digest, _ right: Digest) -> Digest {
    var hash = RunningHash()
    hash.add(byte: 1)
    hash.add(left)
    hash.add(right)
    return hash.digest
  }
}
