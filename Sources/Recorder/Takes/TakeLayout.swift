import Formats

/// How a take's file is built.
enum TakeLayout: Sendable {
  case movie(MovieDescription)
  case audio(AudioFileDescription)

  /// The folder of the data folder that it goes to.
  var folderName: StaticString {
    switch self {
    case .movie: "video"
    case .audio: "audio"
    }
  }

  var fileExtension: StaticString {
    switch self {
    case .movie: "mov"
    case .audio(let audio): audio.container.fileExtension
    }
  }
}
