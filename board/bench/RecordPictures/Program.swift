import Base
import CLinux
import Machine
import Media
import Record

/// Records a file of raw pictures through the production code of the encoder and the storage worker, as fast as one
/// thread can: the cost of recording without the devices.
///
///     record-pictures WIDTH HEIGHT PICTURES_PER_SECOND QUALITY RAW_FILE DATA_FOLDER ZOOM_FACTOR
@_cdecl("record_pictures_main")
public func main(count: Int32, words: UnsafePointer<UnsafePointer<CChar>?>) -> Int32 {
  let words = unsafe Words(count: count, words: words)
  guard let width = words.number(1), let height = words.number(2), let rate = words.number(3),
    let quality = words.number(4), let rawPath = words.path(5), let dataPath = words.path(6),
    let zoomFactor = words.decimal(7),
    let raw = FileDescriptor(path: rawPath, flags: O_RDONLY)
  else { return 2 }
  let format = VideoFormat(
    widthPixels: UInt16(width), heightPixels: UInt16(height), pixelFormat: .yuv420, bytesPerRow: UInt32(width),
    frameRate: FrameRate(frames: UInt32(rate)), colorRange: .limited)
  do throws(DeviceFailure) {
    var bench = try Bench(format: format, quality: quality, zoomFactor: zoomFactor, dataFolder: dataPath)
    return bench.record(raw) ? 0 : 1
  } catch {
    return 1
  }
}
