/// The tracks of our movies by their track ID.
enum MovieTrack: UInt32 {
  case video = 1
  case audio = 2

  static var nextFreeNumber: UInt32 { 3 }
}
