import Base
import Catalog
import Configuration
import Console
import Machine
import Record

extension Services {
  /// `disk`.
  /// - Parameter card: nil when the system does not tell.
  mutating func listDisk(_ form: StatusForm, _ card: CardReport?) {
    let progress = recording.progress
    var writer = ListingWriter(form)
    writer.fact("in use", "in_use", .word(recording.hasFallenBack ? "fallback folder" : "card"), &console)
    if let card {
      writer.fact("file system", "file_system", text: card.fileSystem, &console)
    } else {
      writer.fact("file system", "file_system", .none, &console)
    }
    writer.fact("read-only", "read_only", card.map { .flag($0.isReadOnly) } ?? .none, &console)
    writer.fact("size", "size_bytes", card.map { .size($0.byteCount) } ?? .none, &console)
    writer.fact("free", "free_bytes", .size(card?.freeByteCount ?? progress.freeByteCount), &console)
    writer.fact("reserve", "reserve_bytes", .size(context.settings.reserveByteCount), &console)
    let shares = retention.shares
    writer.fact("takes", "takes_bytes", shares.map { .size($0.takeByteCount) } ?? .none, &console)
    writer.fact("stills", "stills_bytes", shares.map { .size($0.stillByteCount) } ?? .none, &console)
    writer.fact("bin", "bin_bytes", shares.map { .size($0.binByteCount) } ?? .none, &console)
    writer.fact("newest take", "take_bytes", .size(recording.take?.finalByteCount ?? progress.byteCount), &console)
    writer.fact("written in a second", "bytes_per_second", .size(top.rates.bytesPerSecond), &console)
    writer.fact("stalls", "stalls", .count(recording.stallCount), &console)
    writer.fact("stalled now", "stalled", .flag(recording.growth?.hasStopped == true), &console)
    writer.beginRows("times", "µs              count       p50       p99    p99.9   longest", &console)
    add("write", progress.writes.histogram, to: &writer)
    add("flush", progress.flushes.histogram, to: &writer)
    writer.endRows()
    writer.end(&console)
  }

  /// As `timing` tells them.
  private mutating func add(_ name: StaticString, _ times: Histogram, to writer: inout ListingWriter) {
    writer.beginRow()
    writer.cell("name", .word(name), columns: 12, console)
    writer.cell("count", .count(times.totalCount), columns: 9, console)
    writer.cell("p50_us", .count(times.percentile(permille: 500)), columns: 10, console)
    writer.cell("p99_us", .count(times.percentile(permille: 990)), columns: 10, console)
    writer.cell("p999_us", .count(times.percentile(permille: 999)), columns: 9, console)
    writer.cell("max_us", .count(times.maximumMicroseconds), columns: 10, console)
    writer.endRow(&console)
  }
}
