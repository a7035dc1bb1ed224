import Base
import Machine
import Media

extension LedgerTexts {
  /// The newer of the two seals in the file of a ledger of which the file has all hashes, with the line of the rate in
  /// front of it; empty if there is none. The list then has as many entries as it seals.
  mutating func seal(in hashes: inout HashList<StoredFile>) -> FixedText<512> {
    var newest = FixedText<512>()
    var end: UInt64 = 0
    hashes.entryCount = 0
    for slot in 0..<2 {
      let lines = read(&hashes.source, at: LedgerFile.sealOffset(slot), byteCount: LedgerFile.sealByteCount)
      guard lines.byteCount == LedgerFile.sealByteCount,
        let found = FoundSeal(line: lines.bytes.extracting(TakeTime.rateLineByteCount..<lines.byteCount - 1)),
        found.isSigned, found.seal.content.upperBound > end,
        let count = entryCount(
          covering: found.seal.content.upperBound - found.seal.content.lowerBound, in: &hashes.source)
      else { continue }
      newest = lines
      end = found.seal.content.upperBound
      hashes.entryCount = count
    }
    return newest
  }

  private mutating func read(
    _ file: inout StoredFile?, at offset: UInt64, byteCount: Int
  ) -> FixedText<512> {
    do throws(DeviceFailure) {
      var buffer = bufferBytes
      var room = buffer._mutatingExtracting(first: byteCount)
      let readByteCount = try file?.read(at: offset, into: &room) ?? 0
      return FixedText(bufferText.extracting(first: readByteCount))
    } catch {
      return FixedText()
    }
  }

  /// How many entries of the list are of so many bytes of a take; nil if it does not have that many.
  private mutating func entryCount(
    covering wanted: UInt64, in file: inout StoredFile?
  ) -> Int? {
    var covered: UInt64 = 0
    var count = 0
    do throws(DeviceFailure) {
      while covered < wanted {
        var room = bufferBytes
        let offset = HashListCoding.sourceOffset + UInt64(count * FragmentHash.byteCount)
        let readCount = (try file?.read(at: offset, into: &room) ?? 0) / FragmentHash.byteCount
        guard readCount > 0 else { return nil }
        for index in 0..<readCount where covered < wanted {
          let hash = FragmentHash(bufferText.extracting(droppingFirst: index * FragmentHash.byteCount))
          guard hash.byteCount > 0 else { return nil }
          covered += UInt64(hash.byteCount)
          count += 1
        }
      }
    } catch {
      return nil
    }
    return covered == wanted ? count : nil
  }
}
