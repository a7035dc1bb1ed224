/// The limits of what is sent to listeners.
package enum StreamLimits {
  /// How far a listener may fall behind: 1.3 s of CD-like sound (48 kHz, 16 bits, stereo: 192 kB/s) and a quarter of a
  /// minute of Opus at 128 kbit/s. Also what one stream keeps, because nobody reads anything older.
  package static var behindByteCount: Int { 262_144 }

  /// The longest header: two Ogg pages for Opus, with a comment of at most a kilobyte; 68 bytes for WAV, 42 for FLAC.
  package static var headerByteCount: Int { 4_096 }

  /// The longest token: 256 bits in hexadecimal digits.
  package static var tokenByteCount: Int { 64 }
}
