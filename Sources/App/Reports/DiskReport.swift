import Base
import Catalog
import Console
import Machine
import Record

/// The content of `disk`.
struct DiskReport {
  /// Whether takes go into the fallback folder.
  let isFallback: Bool
  /// Nil when the system does not tell.
  let card: CardReport?
  let reserveByteCount: UInt64
  /// What takes and the like have of it; nil until they are counted.
  let shares: TakeShares?
  let takeByteCount: UInt64
  let bytesPerSecond: UInt64
  let stallCount: UInt64
  let isStalled: Bool
  let progress: TakeProgress

  func report(_ form: StatusForm, _ console: inout ConsoleSession) {
    console.beginReport(form)
    console.fact("in use", "in_use", .word(isFallback ? "fallback folder" : "card"))
    console.fact("file system", "file_system", text: card?.fileSystem ?? "")
    console.fact("read-only", "read_only", .flag(card?.isReadOnly))
    console.fact("size", "size_bytes", .size(card?.byteCount))
    console.fact("free", "free_bytes", .size(card?.freeByteCount ?? progress.freeByteCount))
    console.fact("reserve", "reserve_bytes", .size(reserveByteCount))
    console.fact("takes", "takes_bytes", .size(shares?.takeByteCount))
    console.fact("stills", "stills_bytes", .size(shares?.stillByteCount))
    console.fact("bin", "bin_bytes", .size(shares?.binByteCount))
    console.fact("newest take", "take_bytes", .size(takeByteCount))
    console.fact("written in a second", "bytes_per_second", .size(bytesPerSecond))
    console.fact("stalls", "stalls", .count(stallCount))
    console.fact("stalled now", "stalled", .flag(isStalled))
    console.beginRows("times", "µs              count       p50       p99    p99.9   longest")
    report("write", progress.writes.histogram, &console)
    report("flush", progress.flushes.histogram, &console)
    console.endRows()
    console.endReport()
  }

  /// As `timing` tells them.
  private func report(_ name: StaticString, _ times: Histogram, _ console: inout ConsoleSession) {
    console.beginRow()
    console.cell("name", .word(name), columns: 12)
    console.cell("count", .count(times.totalCount), columns: 9)
    console.cell("p50_us", .count(times.percentile(permille: 500)), columns: 10)
    console.cell("p99_us", .count(times.percentile(permille: 990)), columns: 10)
    console.cell("p999_us", .count(times.percentile(permille: 999)), columns: 9)
    console.cell("max_us", .count(times.maximumMicroseconds), columns: 10)
    console.endRow()
  }
}
