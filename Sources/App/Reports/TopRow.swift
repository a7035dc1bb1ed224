import Base
import Console
import Machine
import Record
import Wire

/// Composes one row of `top`.
struct TopRow {
  let status: StatusReport
  /// A bit for each ``ViewFault``.
  let faults: UInt32
  let rates: TopRates
  let levels: SoundLevels
  /// Full scale is 1; nil before they are measured.
  let truePeaks: InlineArray<8, HeldMaximum>?

  /// The meter's scale: 2 dB per cell, which fits a display of 80 columns down to the noise of a quiet room.
  private static var barColumns: Range<Int> { 4..<34 }
  private static var decibelsPerCell: Double { 2 }
  private static var lowestDecibels: Double { -60 }
  private static var firstMeterRow: Int { 4 }

  func put(_ row: Int, on console: inout ConsoleSession) {
    let meterEnd = Self.firstMeterRow + levels.channelCount
    // With eight channels the last two share a row.
    let isFull = meterEnd + 6 == ConsoleSession.cellRowCount
    switch row {
    case 0: console.putRow(status.stateLine, at: row, status.state == .recording ? .bad : .strong)
    case 1: console.putRow(status.takeLine ?? "take         none since the start", at: row)
    case 2: console.putRow(status.prerollLine, at: row)
    case 3: putScale(row, &console)
    case ..<meterEnd: putMeter(row, channel: row - Self.firstMeterRow, &console)
    case meterEnd: console.putRow(pictureLine, at: row, status.losses.pictures > 0 ? .warning : .plain)
    case meterEnd + 1: console.putRow(ringLine, at: row)
    case meterEnd + 2: console.putRow("written      \(size: rates.bytesPerSecond) a second", at: row)
    case meterEnd + 3: console.putRow(FixedText(status.roomLine.bytes), at: row)
    case meterEnd + 4: console.putRow(loopLine, at: row)
    case meterEnd + 5 where !isFull || faults == 0:
      console.putRow(status.temperatureLine ?? "temperature  no thermometer", at: row)
    case meterEnd + 5: putFaults(row, &console)
    case meterEnd + 6: putFaults(row, &console)
    default: console.putRow("", at: row)
    }
  }

  private var pictureLine: FixedText<256> {
    """
    frames       \(rates.picturesPerSecond, decimals: 1) a second, lost: \(count: status.losses.pictures, "frame"), \
    \(count: status.losses.audioOverruns, "audio gap")
    """
  }

  private var ringLine: FixedText<256> {
    """
    rings        sound \(rates.soundPercent) % full, at most \(rates.highestSoundPercent) %; frames \
    \(rates.picturePercent) %, at most \(rates.highestPicturePercent) %
    """
  }

  private var loopLine: FixedText<256> {
    let loop = status.loop
    return """
      loop         late \(grouped: loop.wakeMicroseconds[0]) µs, p99.9 \(grouped: loop.wakeMicroseconds[2]) µs, works \
      \(grouped: loop.workMicroseconds) µs, missed \(count: loop.missedCount, "tick")
      """
  }

  private func putScale(_ row: Int, _ console: inout ConsoleSession) {
    console.put("-60       -40       -20        0", row: row, columns: 3..<36)
    console.putRight(console.words("peak"), row: row, columns: 36..<46)
    console.putRight("RMS", row: row, columns: 46..<55)
    console.putRight(console.words("true peak"), row: row, columns: 55..<66)
    console.putRight(console.words("clips"), row: row, columns: 66..<76)
  }

  private func putMeter(_ row: Int, channel: Int, _ console: inout ConsoleSession) {
    let heard = levels[channel]
    console.put("\(channel + 1)", row: row, columns: 0..<4)
    putBar(of: SoundLevels.decibels(heard.rms), peak: SoundLevels.decibels(heard.peak), row, &console)
    putLevel(heard.isMeasured ? heard.peak : nil, row, 36..<46, &console)
    putLevel(heard.isMeasured ? heard.rms : nil, row, 46..<55, &console)
    putLevel(truePeaks?[channel].value, row, 55..<66, &console)
    console.putRight("\(grouped: heard.clipCount)", row: row, columns: 66..<76, heard.clipCount > 0 ? .bad : .plain)
  }

  private func putLevel(_ amplitude: Float?, _ row: Int, _ columns: Range<Int>, _ console: inout ConsoleSession) {
    guard let amplitude else { return console.putRight("-", row: row, columns: columns) }
    let decibels = SoundLevels.decibels(amplitude)
    console.putRight("\(decibels, decimals: 1)", row: row, columns: columns, decibels >= -0.1 ? .bad : .plain)
  }

  /// Draws the mean level as a bar, with a mark in the cell of the peak.
  private func putBar(of rms: Double, peak: Double, _ row: Int, _ console: inout ConsoleSession) {
    let eighths = Self.eighths(rms)
    let peakCell = min(Self.eighths(peak) / 8, Self.barColumns.count - 1)
    for cell in Self.barColumns.indices {
      let index = cell - Self.barColumns.lowerBound
      let filled = min(max(eighths - index * 8, 0), 8)
      var text = FixedText<256>()
      if index == peakCell, peak > Self.lowestDecibels {
        text = "|"
      } else if console.looks.hasBlocks {
        // U+2588 is a full block, and U+258F one eighth of a block.
        if filled > 0, let block = Unicode.Scalar(UInt32(0x2590 - filled)) { text.append(scalar: block) }
      } else if filled >= 4 {
        text = "="
      }
      console.put(text, row: row, columns: cell..<cell + 1, Self.style(ofCell: index))
    }
  }

  private static func eighths(_ decibels: Double) -> Int {
    Int(min(max((decibels - lowestDecibels) / decibelsPerCell * 8, 0), Double(barColumns.count * 8)))
  }

  /// The colours of the display's meter.
  private static func style(ofCell index: Int) -> CellStyle {
    let decibels = lowestDecibels + Double(index) * decibelsPerCell
    return decibels < -12 ? .good : decibels < -3 ? .warning : .bad
  }

  private func putFaults(_ row: Int, _ console: inout ConsoleSession) {
    guard faults != 0 else { return console.putRow("no faults", at: row, .good) }
    var line = FixedText<256>()
    var number: UInt32 = 0
    var unshownCount = 0
    while let fault = ViewFault(rawValue: number) {
      number += 1
      guard faults & fault.bit != 0 else { continue }
      let words = console.displayed(fault.words)
      guard unshownCount == 0, line.bytes.columnCount + words.bytes.columnCount + 6 <= 80 else {
        unshownCount += 1
        continue
      }
      if !line.isEmpty { line.append(", ") }
      line.append(words)
    }
    if unshownCount > 0 { line.append(", +\(unshownCount)" as FixedText<8>) }
    console.put(line, row: row, columns: 0..<80, .bad)
  }
}
