/// CoreAudio's channel layout tags (`AudioChannelLayoutTag`), as MOV and CAF carry them.
enum ChannelLayoutTag {
  /// One channel is mono, two are left and right; of more nobody knows what the microphones pointed at.
  static func tag(channelCount: UInt16) -> UInt32 {
    let mono: UInt32 = 100
    let stereo: UInt32 = 101
    let discreteInOrder: UInt32 = 147
    let layout =
      switch channelCount {
      case 1: mono
      case 2: stereo
      default: discreteInOrder
      }
    return layout << 16 | UInt32(channelCount)
  }
}
