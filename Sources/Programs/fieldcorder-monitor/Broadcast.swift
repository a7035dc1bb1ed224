import CHTTP
import Listening
import LiveStreams
import Posix
import Rings
import Text
import Values
import Viewing

/// What is sent and to whom. The loop and the server's callbacks share it, on one thread.
struct Broadcast: ~Copyable {
  /// How long a client may take to ask.
  private static var askingNanoseconds: UInt64 { 10_000_000_000 }
  /// How long a short answer may take: two minutes for a still of 1 MB at 8 kB/s.
  private static var answerNanoseconds: UInt64 { 120_000_000_000 }

  let token: AccessToken
  let answers: FixedAnswers
  private(set) var recorder: RecorderMemory?
  private var samples: SampleFollower?
  private(set) var sound: SoundStreams
  let listeners: ListenerTable
  /// How many streams were ended because their listener was too slow, and pictures passed over, since the start.
  private(set) var endedCount: UInt64 = 0
  /// The last that joined or left, for the recorder.
  private(set) var news = FixedText<256>()

  /// - Returns: nil when `memory` is used up.
  init?(token: AccessToken, answers: FixedAnswers, connectionCount: Int, in memory: inout BootMemory) {
    guard let sound = SoundStreams(in: &memory),
      let listeners = ListenerTable(capacity: connectionCount, in: &memory)
    else { return nil }
    self.token = token
    self.answers = answers
    self.sound = sound
    self.listeners = listeners
  }

  /// Reads another recorder's memory from now on, or none.
  mutating func attach(_ memory: RecorderMemory?) {
    recorder?.unmap()
    recorder = memory
    samples = memory?.reader.samples
    sound.restart()
    // Who was sent the one before has heard its end.
    for index in 0..<listeners.count {
      if case .pictures? = listeners[index]?.use { listeners[index]?.end() }
    }
  }

  /// Takes what is new, and lets those go on who wait for it.
  mutating func follow(at now: Instant) {
    for number in 0...SoundKind.opus.rawValue {
      let kind = SoundKind(rawValue: number)!
      if !listeners.hasListener(kind) { sound.leave(kind) }
    }
    if var samples {
      sound.follow(&samples)
      self.samples = samples
    }
    for index in 0..<listeners.count { look(after: index, at: now) }
  }

  private mutating func look(after index: Int, at now: Instant) {
    guard let listener = listeners[index] else { return }
    var hasNews = false
    switch listener.use {
    case .none: if now >= listener.since + Self.askingNanoseconds { listener.end() }
    case .answer: if now >= listener.since + Self.answerNanoseconds { listener.end() }
    case .sound(let kind, let cursor):
      let behind = sound.bytesBehind(kind, cursor)
      hasNews = behind != 0
      if behind == nil { listener.end() }
    case .pictures(_, let cursor):
      hasNews = recorder.map { cursor.hasNews(of: $0.reader.pictures) } ?? true
    }
    guard hasNews, listener.isSuspended else { return }
    listeners[index]?.isSuspended = false
    unsafe MHD_resume_connection(listener.connection)
  }

  /// A listener of sound begins.
  mutating func join(_ kind: SoundKind) -> Listener.Use? {
    guard var samples else { return nil }
    defer { self.samples = samples }
    return sound.join(kind, &samples).map { .sound(kind, $0) }
  }

  /// The next bytes of a stream.
  /// - Returns: what became of it, and the listener's use from now on.
  mutating func read(
    _ use: Listener.Use, into buffer: inout MutableRawSpan
  ) -> (reading: StreamReading, use: Listener.Use) {
    switch use {
    case .none, .answer: return (.end, use)
    case .sound(let kind, var cursor):
      let reading = sound.read(kind, &cursor, into: &buffer)
      if reading == .tooSlow { endedCount += 1 }
      return (reading, .sound(kind, cursor))
    case .pictures(let path, var cursor):
      guard let recorder else { return (.end, use) }
      let reading = cursor.read(recorder.reader.pictures, into: &buffer)
      if reading == .tooSlow { endedCount += 1 }
      return (reading, .pictures(path, cursor))
    }
  }

  /// Everyone who listens, for the console.
  func list(at now: Instant) -> ListenerList {
    var list = ListenerList()
    for index in 0..<listeners.count {
      guard let listener = listeners[index], let path = listener.path else { continue }
      let seconds = now.distance(since: listener.since) / 1_000_000_000
      list.append(
        "\(listener.address) \(path.name) for \(duration: seconds), \(size: listener.sentByteCount) sent, "
          as FixedText<160>
      )
      switch listener.use {
      case .sound(let kind, let cursor):
        list.append("\(sound.bytesBehind(kind, cursor) ?? 0) bytes behind\n" as FixedText<64>)
      case .pictures(_, let cursor):
        list.append("\(cursor.bytesBehind) bytes behind, \(cursor.skippedCount) pictures left out\n" as FixedText<96>)
      case .none, .answer: break
      }
    }
    return list
  }
}
