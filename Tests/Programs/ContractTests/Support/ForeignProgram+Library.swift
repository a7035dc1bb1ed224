import TestSupport

extension ForeignProgram {
  /// Compiles a library that is placed between a program and the system by `LD_PRELOAD`.
  /// - Parameter source: in C.
  /// - Returns: its path.
  static func compileLibrary(_ source: String, in folder: borrowing TemporaryFolder) throws -> String {
    let library = folder.path(of: "preloaded.so")
    let file = try folder.write([UInt8](source.utf8), as: "preloaded.c")
    try run("clang", ["-shared", "-fPIC", "-o", library, file, "-ldl"])
    return library
  }
}
