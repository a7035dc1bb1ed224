import Loop
import Port
import CDeviceArena
import CHeapMeter
import Encode
import Imaging
import Library
import Playback
import Posix
import Rings
import Stills
import Takes
import Preview

/// The appliance on real time: the loop on the process's first thread, real-time where the system allows it, and a
/// thread for each worker.
enum ThreadedRun {
  /// What ``run(_:priority:until:in:encoderLife:)`` takes of boot memory.
  static func byteCount<Encoder: VideoEncoder & ~Copyable>(_: Encoder.Type) -> Int {
    EncoderPool.maximumCount * RunningWorker.byteCount(PoolEncoder.self)
      + RunningWorker.byteCount(PictureWorker<Encoder>.self) + RunningWorker.byteCount(StillWorker.self)
      + RunningWorker.byteCount(StorageWorker<FolderStorage>.self)
      + RunningWorker.byteCount(DecoderWorker<DecoderProcess>.self) + RunningWorker.byteCount(FolderLibrary.self)
      + RunningWorker.byteCount(ViewWorker<ViewProcess>.self) + RunningWorker.byteCount(PreviewWorker.self)
  }

  /// - Parameter encoderLife: runs a `WorkerContext` of this machine's ``PictureWorker``: C calls nothing generic.
  ///
  /// Returns once the appliance has come to its end and all is on the disk.
  static func run<Machine: Hardware & ~Copyable>(
    _ appliance: consuming Appliance<Machine>, priority: Int32, until signals: borrowing StopSignals,
    in memory: inout BootMemory, encoderLife: RunningWorker.Body
  ) throws(DeviceFailure)
  where
    Machine.BoardStorage == FolderStorage, Machine.BoardDecoder == DecoderProcess,
    Machine.BoardMediaFolders == PosixMediaFolders, Machine.BoardView == ViewProcess
  {
    var appliance = appliance
    let encoderControl = try WorkerControl(in: &memory)
    let lanes = try LaneThreads(&appliance.lanes, servedBy: encoderControl, &appliance.encoder, in: &memory)
    let encoder = try unsafe RunningWorker(
      appliance.encoder, name: "encoder", control: encoderControl, body: encoderLife, in: &memory)
    let still = try unsafe RunningWorker(appliance.still, name: "still", body: stillLife, in: &memory)
    let storage = try unsafe RunningWorker(appliance.storage, name: "storage", body: storageLife, in: &memory)
    let decoder = try unsafe RunningWorker(appliance.decoder, name: "decoder", body: decoderLife, in: &memory)
    let library = try unsafe RunningWorker(appliance.library, name: "library", body: libraryLife, in: &memory)
    let view = try unsafe RunningWorker(appliance.view, name: "view", body: viewLife, in: &memory)
    let preview = try unsafe RunningWorker(appliance.previewer, name: "preview", body: previewLife, in: &memory)
    var loop = appliance.loop
    prepare(&loop, priority: priority)
    encoder.waitUntilPrepared()
    lanes.waitUntilPrepared()
    still.waitUntilPrepared()
    storage.waitUntilPrepared()
    decoder.waitUntilPrepared()
    library.waitUntilPrepared()
    view.waitUntilPrepared()
    preview.waitUntilPrepared()
    device_arena_arm()
    heap_meter_mark()
    serve(&loop, until: signals, waking: encoder, lanes, still, storage, decoder, library, preview)
    // Those first whose work others still write down.
    encoder.end()
    lanes.end()
    still.end()
    storage.end()
    decoder.end()
    library.end()
    view.end()
    preview.end()
    loop.sayGoodbye()
  }

  /// Makes the calling thread's memory and scheduling real-time, and says where the system does not allow that: the
  /// appliance works without, only less punctually.
  private static func prepare<Machine: Hardware & ~Copyable>(_ loop: inout MainLoop<Machine>, priority: Int32) {
    do throws(DeviceFailure) { try lockAllMemory() } catch { loop.announce(error) }
    guard priority > 0 else { return }
    do throws(DeviceFailure) { try enterRealTime(priority: priority) } catch { loop.announce(error) }
  }

  private static func serve<Machine: Hardware & ~Copyable>(
    _ loop: inout MainLoop<Machine>, until signals: borrowing StopSignals, waking encoder: borrowing RunningWorker,
    _ lanes: borrowing LaneThreads, _ still: borrowing RunningWorker, _ storage: borrowing RunningWorker,
    _ decoder: borrowing RunningWorker,
    _ library: borrowing RunningWorker, _ preview: borrowing RunningWorker
  ) {
    var pictureCount: UInt64 = 0
    var stillPictureCount: UInt64 = 0
    var viewPictureCount: UInt64 = 0
    while loop.tick() {
      if loop.pictureCount != pictureCount {
        pictureCount = loop.pictureCount
        encoder.wake()
      }
      if loop.stillPictureCount != stillPictureCount {
        stillPictureCount = loop.stillPictureCount
        still.wake()
      }
      if loop.viewPictureCount != viewPictureCount {
        viewPictureCount = loop.viewPictureCount
        lanes.wake(0)
      }
      if loop.isDecoderCheckDue { decoder.wake() }
      if loop.isLibraryCheckDue { library.wake() }
      if loop.isPreviewCheckDue { preview.wake() }
      guard loop.isStorageCheckDue else { continue }
      storage.wake()
      if signals.isStopRequested { loop.stop() }
    }
  }
}

private let stillLife: RunningWorker.Body = { context in
  unsafe context!.assumingMemoryBound(to: WorkerContext<StillWorker>.self).pointee.run()
  return nil
}

private let storageLife: RunningWorker.Body = { context in
  unsafe context!.assumingMemoryBound(to: WorkerContext<StorageWorker<FolderStorage>>.self).pointee.run()
  return nil
}

private typealias FolderLibrary = LibraryWorker<PosixMediaFolders, DecoderProcess>

private let decoderLife: RunningWorker.Body = { context in
  unsafe context!.assumingMemoryBound(to: WorkerContext<DecoderWorker<DecoderProcess>>.self).pointee.run()
  return nil
}

private let libraryLife: RunningWorker.Body = { context in
  unsafe context!.assumingMemoryBound(to: WorkerContext<FolderLibrary>.self).pointee.run()
  return nil
}

private let viewLife: RunningWorker.Body = { context in
  unsafe context!.assumingMemoryBound(to: WorkerContext<ViewWorker<ViewProcess>>.self).pointee.run()
  return nil
}

private let previewLife: RunningWorker.Body = { context in
  unsafe context!.assumingMemoryBound(to: WorkerContext<PreviewWorker>.self).pointee.run()
  return nil
}
