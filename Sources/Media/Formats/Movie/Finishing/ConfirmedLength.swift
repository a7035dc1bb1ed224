/// How much of a growing file was flushed.
package enum ConfirmedLength: BitwiseCopyable, Equatable, Sendable {
  /// So many bytes: what follows was never confirmed.
  case exactly(UInt64)
  /// So many bytes at least: what follows may be confirmed too.
  case atLeast(UInt64)

  /// Bytes from the start of the file that are confirmed for certain.
  package var byteCount: UInt64 {
    switch self {
    case .exactly(let byteCount), .atLeast(let byteCount): byteCount
    }
  }
}
