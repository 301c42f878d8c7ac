import Curl

/// What an earlier run over the same list has fetched, by its results. What failed then, or isn't in
/// them, is still to be fetched.
public struct EarlierResults: Sendable {
    private static let chunk = 1 << 20

    /// The ordinals of the URLs.
    let fetched: OrdinalSet

    /// How many URLs were fetched.
    public var fetchedCount: Int { fetched.count }

    /// Reads results. Blocks.
    ///
    /// - Throws: ``BatchFailure/Code/input`` if they can't be read, or are no results.
    public init(path: String) throws(BatchFailure) {
        var fetched = OrdinalSet()
        var reader = ResultTail()
        do throws(FileError) {
            let file = try FileDescriptor.openForReading(path)
            var bytes: [UInt8] = []
            while try file.read(appendingTo: &bytes, upTo: Self.chunk) > 0 {
                reader.read(bytes)
                for entry in reader.takeEntries() where entry.isFetched {
                    fetched.insert(entry.ordinal)
                }
                bytes.removeAll(keepingCapacity: true)
            }
        } catch {
            throw BatchFailure(.input, "\(error): name the results of an earlier run")
        }
        guard !reader.hasForeignLine else {
            throw BatchFailure(.input, "“\(path)” has lines that are no results")
        }
        self.fetched = fetched
    }
}
