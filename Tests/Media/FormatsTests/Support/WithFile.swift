import TestSupport

/// Lends a file on the disk with `content`, and removes it afterwards.
func withFile<Result>(
  _ content: [UInt8], _ fileExtension: String, _ body: (String) throws -> Result
) throws -> Result {
  let folder = try TemporaryFolder()
  return try body(folder.write(content, as: "take." + fileExtension))
}
