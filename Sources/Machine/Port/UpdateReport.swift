import Base

/// A request about updates of the card's image, whose installer runs beside the recorder, with other rights.
package enum UpdateOrder: BitwiseCopyable, Sendable {
  /// How far is it?
  case look
  /// Install the update in a file.
  /// - Parameters:
  ///   - file: an absolute path, or the name of a file in the data folder or on a stick.
  ///   - allowsOlder: whether an older release, or the same one, is accepted.
  case begin(file: FixedText<256>, allowsOlder: Bool)
}

/// What the installer says about the last update.
package struct UpdateReport: BitwiseCopyable, Equatable, Sendable {
  package enum State: UInt8, Choice, BitwiseCopyable {
    /// The machine does not run the card's image.
    case unavailable
    /// There has been none since the machine started.
    case none
    /// The request waits for the installer.
    case asked
    case checking
    case installing
    /// It starts at the machine's next start, on trial.
    case installed
    case refused
    /// The running release is on trial.
    case trial
    /// It has recorded, and stays.
    case kept
    /// It did not record; the release before it runs again.
    case returned

    /// The installer's word for it, and the name for programs.
    package var name: StaticString {
      switch self {
      case .unavailable: "unavailable"
      case .none: "none"
      case .asked: "asked"
      case .checking: "checking"
      case .installing: "installing"
      case .installed: "installed"
      case .refused: "refused"
      case .trial: "trial"
      case .kept: "kept"
      case .returned: "returned"
      }
    }
  }

  package enum Refusal: UInt8, Choice, BitwiseCopyable {
    /// Another update is being installed.
    case busy
    /// It is neither an absolute path nor a name.
    case name
    /// There is no such file.
    case missing
    /// It is a folder, a link or a device.
    case notAFile
    /// It is no update, or has another key's signature.
    case foreign
    case board
    case older
    /// The running release is on trial: its update would replace the release to go back to.
    case trial
    case failed

    /// The installer's word for it, and the name for programs.
    package var name: StaticString {
      switch self {
      case .busy: "busy"
      case .name: "name"
      case .missing: "missing"
      case .notAFile: "not-a-file"
      case .foreign: "foreign"
      case .board: "board"
      case .older: "older"
      case .trial: "trial"
      case .failed: "failed"
      }
    }
  }

  package var state: State
  /// Why it was refused.
  package var refusal: Refusal?
  /// How much of it is installed.
  package var percent: UInt8?
  /// What it concerns: the update's release or board, the file's name, or the installer's own words.
  package var detail: FixedText<96> = ""
  /// The board that this is.
  package var board: FixedText<48> = ""
  /// The release that runs; empty if it is unknown.
  package var release: FixedText<48> = ""
  /// The slot that it runs from: `A` or `B`.
  package var slot: FixedText<8> = ""

  package init(_ state: State = .unavailable, _ refusal: Refusal? = nil) {
    self.state = state
    self.refusal = refusal
  }

  /// - Parameter line: the installer's: state, reason or percent, detail, board, release and slot, between tabs.
  /// - Returns: nil for any other line.
  package init?(line: Span<UInt8>) {
    var fields = Fields(line)
    let (state, second) = (fields.next(), fields.next())
    guard let state = State(name: state.bytes) else { return nil }
    self.state = state
    if state == .refused { refusal = Refusal(name: second.bytes) ?? .failed }
    if state == .installing { percent = second.bytes.parseInteger(as: UInt8.self) }
    detail = fields.next()
    board = FixedText(fields.next().bytes)
    release = FixedText(fields.next().bytes)
    slot = FixedText(fields.next().bytes)
  }

  /// Whether the installer is at work, or will be soon.
  package var isBusy: Bool {
    switch state {
    case .asked, .checking, .installing: true
    default: false
    }
  }
}

/// The fields of a line, between tabs.
private struct Fields: ~Escapable {
  private var rest: Span<UInt8>

  @_lifetime(copy line)
  init(_ line: Span<UInt8>) { rest = line }

  /// - Returns: the next field; empty after the last.
  mutating func next() -> FixedText<96> {
    var end = 0
    while end < rest.count, rest[end] != UInt8(ascii: "\t") { end += 1 }
    let field = FixedText<96>(rest.extracting(first: end))
    rest = rest.extracting(droppingFirst: min(end + 1, rest.count))
    return field
  }
}

/// Where the recorder and the installer leave their messages.
package struct UpdateFolders: BitwiseCopyable, Sendable {
  /// The recorder's, for requests.
  package var requests: FixedText<96>
  /// The installer's, for its reports.
  package var reports: FixedText<96>

  package init(requests: FixedText<96>, reports: FixedText<96>) {
    self.requests = requests
    self.reports = reports
  }
}
