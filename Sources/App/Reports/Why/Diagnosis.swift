import Base
import Console
import Machine

/// Everything that keeps the recorder from what somebody expects of it.
struct Diagnosis {
  /// A bit for each ``Cause``.
  private var bits: UInt64 = 0
  /// Why the speaker is not available.
  var speakerFailure: DeviceFailure?

  mutating func add(_ cause: Cause, if holds: Bool = true) {
    if holds { bits |= 1 << UInt64(cause.rawValue) }
  }

  mutating func remove(_ cause: Cause) { bits &= ~(1 << UInt64(cause.rawValue)) }

  func contains(_ cause: Cause) -> Bool { bits & 1 << UInt64(cause.rawValue) != 0 }

  /// The worst one from a number on.
  func first(from number: UInt8 = 0) -> Cause? {
    var number = number
    while let cause = Cause(rawValue: number) {
      if contains(cause) { return cause }
      number += 1
    }
    return nil
  }

  /// How many are faults.
  var wrongCount: Int { (bits & (1 << UInt64(Cause.noVolume.rawValue) - 1)).nonzeroBitCount }

  /// What is wrong and what to do, in the words of the device that failed if there are any.
  private func words(_ cause: Cause, _ console: borrowing ConsoleSession) -> (
    text: FixedText<192>, remedy: StaticString
  ) {
    guard let device = cause.device,
      let failure = (device == .speaker ? speakerFailure : nil) ?? console.newestFailure(of: device)
    else { return ("\(cause.text)", cause.remedy) }
    return (failure.problemLine, failure.remedy)
  }

  /// Replies with all of them, each with what to do.
  func reply(_ form: StatusForm, _ console: inout ConsoleSession) {
    guard form == .lines else { return replyJSON(&console) }
    var number: UInt8 = 0
    while let cause = first(from: number) {
      let (text, remedy) = words(cause, console)
      console.reply(Self.line(cause.symptom, text))
      console.reply("                \(remedy)" as FixedText<256>)
      number = cause.rawValue + 1
    }
    if bits == 0 { console.reply("nothing is wrong, and a take is being recorded") }
    console.complete()
  }

  private func replyJSON(_ console: inout ConsoleSession) {
    var writer = ListingWriter(.json)
    writer.beginRows("causes", "", &console)
    var number: UInt8 = 0
    while let cause = first(from: number) {
      let (text, remedy) = words(cause, console)
      writer.beginRow()
      writer.cell("symptom", .name(cause.symptom.name), console)
      writer.cell("wrong", .flag(cause.isWrong), console)
      writer.cell("text", text: text.bytes)
      writer.cell("remedy", .name(remedy), console)
      writer.endRow(&console)
      number = cause.rawValue + 1
    }
    writer.endRows()
    writer.end(&console)
  }

  /// Replies with the worst one, for `status`.
  func replyWorst(_ console: inout ConsoleSession) {
    guard let cause = first(), cause.isWrong else { return console.reply("well         nothing is wrong") }
    let (text, remedy) = words(cause, console)
    if wrongCount == 1 {
      console.reply("wrong        \(text)" as FixedText<256>)
    } else {
      console.reply("wrong        \(text); why shows \(wrongCount - 1) more" as FixedText<256>)
    }
    console.reply("remedy       \(remedy)" as FixedText<256>)
  }

  private static func line(_ symptom: Symptom, _ text: FixedText<192>) -> FixedText<256> {
    switch symptom {
    case .notArmed: "not armed       \(text)"
    case .notRecording: "not recording   \(text)"
    case .silent: "silent          \(text)"
    case .dark: "dark            \(text)"
    case .unheard: "unheard         \(text)"
    case .unsynchronised: "unsynchronised  \(text)"
    case .damaged: "damaged         \(text)"
    case .hindered: "hindered        \(text)"
    }
  }
}
