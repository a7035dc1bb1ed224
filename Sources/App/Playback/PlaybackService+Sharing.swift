import Base
import Catalog
import Console
import Machine
import Playback

/// Sharing: everybody who listens over the network hears what is played here.
extension PlaybackService {
  /// Nil if nobody can listen.
  var sharingStatus: SharingStatus? {
    switch sharing {
    case .some(let sharing): sharing.status
    case nil: nil
    }
  }

  /// Begins sharing, unless the player has refused the item.
  mutating func beginSharing(for use: FileUse, _ console: borrowing ConsoleSession) {
    guard use == .share, case .player = console.pending else { return }
    hasBegunSharing = sharingStatus?.isOn == false
    sharing?.begin(microphone)
  }

  mutating func share(_ order: ShareOrder, _ console: inout ConsoleSession) -> Effect? {
    guard let status = sharingStatus else {
      console.refuse(hasSpeaker ? Self.noListeners : Self.noSpeaker)
      return nil
    }
    switch order {
    case .show: console.answer(status.isOn ? "share on" : "share off")
    case .file(let path) where path.isStreamAddress: open(MediaItem(path: path), for: .share, .console, &console)
    case .file(let path): return .find(.describe(path: path), .share, .console)
    case .queue:
      self.order(&console) { player throws(PlayerRefusal) in
        try player.go(toItem: 0)
        try player.play()
      }
      beginSharing(for: .share, console)
    case .off:
      guard status.isOn else {
        console.refuse("nothing is shared")
        return nil
      }
      // Sound that nobody hears any more does not play on.
      try? player.stop()
      sharing?.end()
      console.complete()
    }
    return nil
  }

  /// Carries out a listener's order: plays what is open to everybody from its beginning, or else the queue; or returns
  /// to the microphone.
  mutating func serve(shareOrder isWanted: Bool, _ console: inout ConsoleSession) {
    guard let status = sharingStatus, isWanted != status.isOn else { return }
    guard isWanted else {
      try? player.stop()
      sharing?.end()
      return console.announce("a listener has ended what was shared")
    }
    let isOpen = player.status.item != nil && !player.state.isPreparing
    let isBegun = attempt(for: .button, &console) { player throws(PlayerRefusal) in
      if isOpen, !player.isStreaming { try player.seek(seconds: 0) } else if !isOpen { try player.go(toItem: 0) }
      try player.play()
    }
    guard isBegun, player.state != .none, let item = player.status.item else { return }
    sharing?.begin(microphone)
    console.announce("a listener shares \(item.label)" as FixedText<320>)
  }

  static var noListeners: FixedText<128> { "nobody can listen: set [monitor] socket" }
}
