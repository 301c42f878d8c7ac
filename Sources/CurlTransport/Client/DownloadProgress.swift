/// How much of a download has been written.
public struct DownloadProgress: Sendable, Hashable {
    /// The number of bytes in the file.
    ///
    /// It counts the decompressed bytes. Those of an earlier download that this one continues are
    /// included.
    public var received: Int64

    /// The number of bytes in the complete file; nil if the server doesn't announce it, or if the
    /// content is compressed.
    public var expected: Int64?

    /// How many of the bytes are from an earlier download.
    public var resumed: Int64

    /// Creates a progress.
    public init(received: Int64, expected: Int64? = nil, resumed: Int64 = 0) {
        self.received = received
        self.expected = expected
        self.resumed = resumed
    }

    /// The fraction from 0 to 1; nil if the expected size is unknown.
    public var fraction: Double? {
        guard let expected else { return nil }
        return expected > 0 ? min(1, Double(received) / Double(expected)) : 1
    }
}
