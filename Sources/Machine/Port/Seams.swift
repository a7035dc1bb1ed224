// Where a test puts something of its own in place of the system's files, processes and terminal. In the firmware each name
// is one type; in the tests it is a box for any type of its kind.
#if hasFeature(Embedded)
  package typealias HostFile = PosixFile
  package typealias HostStorage = FolderStorage
  package typealias HostTerminal = TerminalLine
  package typealias Host = SystemHost
  package typealias Decoder = DecoderProcess
  package typealias VideoEncoder = V4L2Encoder
  package typealias View = ViewProcess
#else
  package typealias HostFile = any StorageFile & ~Copyable
  package typealias HostStorage = any StorageDriver & ~Copyable
  package typealias HostTerminal = any ConsoleLineDriver & ~Copyable
  package typealias Host = any HostDriver
  package typealias Decoder = any DecoderDriver & ~Copyable
  package typealias VideoEncoder = any VideoEncoderDriver & ~Copyable
  package typealias View = any ViewDriver & ~Copyable
#endif
