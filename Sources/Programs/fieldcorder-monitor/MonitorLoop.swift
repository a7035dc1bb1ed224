import Base
import CLinux
import Machine
import Wire

/// The only thread: waits for the recorder, the server's connections and timers, and handles them.
@safe struct MonitorLoop: ~Copyable {
  /// The polling interval of the recorder's rings while somebody plays in sync: the recorder's own interval, because a
  /// chunk's time is not known more precisely.
  private static var playersMilliseconds: Int32 { 5 }
  /// The same while there are listeners but no players in sync.
  private static var lookMilliseconds: Int32 { 20 }
  /// The same while there are none; a connection without a request may last that much too long.
  private static var idleMilliseconds: Int32 { 250 }
  /// How often the recorder is sent the list of listeners.
  private static var listNanoseconds: UInt64 { 1_000_000_000 }

  // Safe: made at the start, and never destroyed.
  private let broadcast: UnsafeMutablePointer<Broadcast>
  private let server: HTTPServer
  private var snapcast: SnapcastFeed?
  private var reportedList = ListenerList()
  private var nextList: Instant = 0
  /// The instant of frame 0 of the shared playback; nil while the microphone is sent.
  private var epoch: Instant?

  init(_ broadcast: UnsafeMutablePointer<Broadcast>, _ server: HTTPServer, _ snapcast: consuming SnapcastFeed?) {
    unsafe self.broadcast = broadcast
    self.server = server
    self.snapcast = snapcast
  }

  /// Never returns: a signal ends the process.
  mutating func run() {
    while true {
      wait()
      hearRecorder()
      chooseSource()
      // Done first, because players measure clock offsets by how fast they are answered.
      snapcast?.follow()
      if let clock = playersClock { unsafe broadcast.pointee.go(by: clock) }
      let now = Instant.now
      unsafe broadcast.pointee.follow(at: now)
      server.run()
      tellRecorder(at: now)
    }
  }

  private func wait() {
    let (listening, recorder) = unsafe broadcast.pointee.link.descriptors
    var watched: InlineArray<5, pollfd> = [
      pollfd(fd: server.events, events: Int16(POLLIN), revents: 0),
      pollfd(fd: listening, events: Int16(POLLIN), revents: 0),
      pollfd(fd: recorder, events: Int16(POLLIN), revents: 0),
      pollfd(fd: playersEvents, events: Int16(POLLIN), revents: 0),
      pollfd(fd: unsafe broadcast.pointee.fileDescriptor, events: Int16(POLLIN), revents: 0),
    ]
    let isBusy = unsafe broadcast.pointee.listeners.streamCount > 0
    let longest = isBusy ? Self.lookMilliseconds : Self.idleMilliseconds
    let timeout = server.timeoutMilliseconds(atMost: hasPlayers ? Self.playersMilliseconds : longest)
    var span = watched.mutableSpan
    unsafe span.withUnsafeMutableBufferPointer { _ = unsafe poll($0.baseAddress, 5, timeout) }
  }

  /// poll(2) ignores negative descriptors.
  private var playersEvents: Int32 {
    switch snapcast {
    case .some(let feed): feed.events
    case nil: -1
    }
  }

  private var playersClock: ChunkClock? {
    switch snapcast {
    case .some(let feed): feed.clock
    case nil: nil
    }
  }

  /// Whether anybody plays in sync with others.
  private var hasPlayers: Bool {
    if unsafe broadcast.pointee.listeners.hasListener(.timed) { return true }
    switch snapcast {
    case .some(let feed): return feed.hasClients
    case nil: return false
    }
  }

  private mutating func hearRecorder() {
    switch unsafe broadcast.pointee.link.hear() {
    case .nothing: break
    case .recorder(let memory):
      attach(memory)
      reportedList = ListenerList()
    case .stranger:
      StandardStreams.complain("fieldcorder-monitor: the recorder has another version: install matching versions")
      attach(nil)
    case .gone: attach(nil)
    }
  }

  /// Reads another recorder's memory from now on, or none; the previous one is unmapped.
  private mutating func attach(_ memory: RecorderMemory?) {
    epoch = nil
    snapcast?.attach(memory?.reader.samples)
    unsafe broadcast.pointee.attach(memory)
  }

  /// Follows the recorder's choice of whether listeners hear the microphone or the playback.
  private mutating func chooseSource() {
    guard let reader = unsafe broadcast.pointee.recorder?.reader, let status = reader.status.read(),
      status.sharedEpoch != epoch
    else { return }
    epoch = status.sharedEpoch
    let source = epoch == nil ? reader.samples : reader.shared
    snapcast?.change(to: source, epoch: epoch)
    unsafe broadcast.pointee.change(to: source, epoch: epoch)
  }

  /// - Parameter now: the time of this round.
  private mutating func tellRecorder(at now: Instant) {
    guard now >= nextList else { return }
    nextList = now + Self.listNanoseconds
    var list = unsafe broadcast.pointee.list(at: now)
    snapcast?.list(into: &list, at: now)
    guard list != reportedList else { return }
    reportedList = list
    unsafe broadcast.pointee.link.tell(.listeners(list))
  }
}
