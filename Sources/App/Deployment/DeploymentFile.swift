import Base
import Configuration
import Console
import Machine
import Media
import Record
import Wire

/// The file `deployment`: what was known when a deployment began.
enum DeploymentFile {
  /// - Parameter since: when it began, in Unix seconds; 0 if the clock was not set.
  static func text(
    _ name: DeploymentName, note: FixedText<96>, since: Int64, _ context: borrowing ApplianceContext,
    _ settings: Settings, fix: GeoPoint?
  ) -> KeptText.Content {
    var content: KeptText.Content = "name = \(name)\n"
    if !note.isEmpty { content.append("note = \(note)\n" as FixedText<128>) }
    content.append("since = \(since)\n" as FixedText<64>)
    if since > 0 {
      content.append("begun = \(context.localTime.civilTime(unixSeconds: since).iso8601)\n" as FixedText<64>)
    }
    content.append("software = \(context.software)\ndevice = \(context.identity.text)\n" as FixedText<128>)
    if let fix {
      content.append("position = \(fix.text)\n" as FixedText<64>)
    } else if let latitude = settings.schedule.latitude, let longitude = settings.schedule.longitude {
      content.append("position = \(latitude, decimals: 5) \(longitude, decimals: 5)\n" as FixedText<64>)
    }
    // At most 450 bytes precede it, and the last line has 33. What does not fit is cut at the end of a line.
    var changes: KeptText.Content = settings.text(over: Settings())
    changes.truncate(to: 1500)
    while !changes.isEmpty, !changes.bytes.hasSuffix("\n") { changes.truncate(to: changes.byteCount - 1) }
    content.append(bytes: changes.bytes)
    return content
  }

  /// The last line, once it has ended.
  static func end(_ time: CivilTime) -> FixedText<64> { "ended = \(time.iso8601)\n" }
}
