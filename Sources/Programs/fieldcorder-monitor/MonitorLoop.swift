import Base
import CLinux
import Machine
import Wire

/// The one thread: it waits for the recorder, the server's connections and the time, and does what there is to do.
@safe struct MonitorLoop: ~Copyable {
  /// From one look at the recorder's rings to the next while somebody plays in sync: as often as the recorder itself
  /// looks, because a chunk's time is known no better.
  private static var playersMilliseconds: Int32 { 5 }
  /// The same while somebody listens.
  private static var lookMilliseconds: Int32 { 20 }
  /// The same while nobody does: connections that ask for nothing are ended that late.
  private static var idleMilliseconds: Int32 { 250 }
  /// How often the recorder is told who listens.
  private static var listNanoseconds: UInt64 { 1_000_000_000 }

  // Safe: made at the start, and never destroyed.
  private let broadcast: UnsafeMutablePointer<Broadcast>
  private let server: HTTPServer
  private var snapcast: SnapcastFeed?
  private var reportedList = ListenerList()
  private var nextList: Instant = 0
  /// When frame 0 of what is sent belongs to; nil while that is the microphone.
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
      // First of all: players compare clocks by how soon they are answered.
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

  /// Whether anybody plays in step with others.
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

  /// Reads another recorder's memory from now on, or none; that of the one before is unmapped.
  private mutating func attach(_ memory: RecorderMemory?) {
    epoch = nil
    snapcast?.attach(memory?.reader.samples)
    unsafe broadcast.pointee.attach(memory)
  }

  /// The recorder says whether listeners hear the microphone or what is played.
  private mutating func chooseSource() {
    guard let reader = unsafe broadcast.pointee.recorder?.reader, let status = reader.status.read(),
      status.sharedEpoch != epoch
    else { return }
    epoch = status.sharedEpoch
    let source = epoch == nil ? reader.samples : reader.shared
    snapcast?.change(to: source, epoch: epoch)
    unsafe broadcast.pointee.change(to: source, epoch: epoch)
  }

  /// - Parameter now: of this round.
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
