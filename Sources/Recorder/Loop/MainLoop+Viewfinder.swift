import Port
import Configuration
import Console
import Imaging
import Values
import Text

extension MainLoop where Machine: ~Copyable {
  /// Serves `viewfinder`.
  mutating func serve(_ order: ViewfinderOrder) {
    guard let view = pictureView else { return console.refuse(noCamera(to: "frame with")) }
    switch order {
    case .show: break
    case .place(let x, let y, let width, let height):
      viewfinder.place(x: x, y: y, width: width, height: height, in: view)
    case .move(let x, let y): viewfinder.move(x: x, y: y, in: view)
    }
    let place = viewfinder.rectangle(in: view)
    console.reply(
      "viewfinder \(place.x) \(place.y) \(place.width) \(place.height) of \(view.width) x \(view.height)"
        as FixedText<128>)
    console.complete()
  }

  /// The view of what the camera delivers, as the device is held now; nil where the camera never delivered anything.
  var pictureView: PictureView? {
    guard let video = plannedVideo else { return nil }
    return context.settings.view.view(of: video, panel.orientation)
  }
}

extension ViewSettings {
  /// The view of a camera's pictures: where no size is configured it is theirs, and a device that is held on its side has
  /// the sides exchanged.
  func view(of video: VideoFormat, _ orientation: Orientation) -> PictureView {
    let size = PixelSize(
      width: Int(width == 0 ? video.widthPixels : width), height: Int(height == 0 ? video.heightPixels : height)
    ).upright(orientation)
    return PictureView(x: Int(x), y: Int(y), width: size.width, height: size.height)
  }
}
