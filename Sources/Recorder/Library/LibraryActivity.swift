/// What the library does in the folders.
enum LibraryActivity {
  /// Nothing, until the next pass is due.
  case resting
  case scanning(FolderScan)
  /// Looks from this slot on for files that the scan has not met.
  case sweeping(slot: UInt32)
}
