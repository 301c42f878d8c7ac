import Curl

extension ResultTail {
    private static let chunk = 1 << 20

    /// Reads what the results hold beyond what the journal knows of. Those of a new journal have to be
    /// empty, for they begin anew.
    ///
    /// - Throws: ``BatchFailure/Code/journal`` if they can't be the results of that journal.
    init(of path: String, _ content: JournalContent) throws(BatchFailure) {
        self.init()
        let isMissing: Bool
        do throws(FileError) {
            isMissing = try FileSystem.kind(of: path) == nil
        } catch {
            throw BatchFailure(.output, "\(error): name a file that can be made")
        }
        if content.header == nil { try Self.checkEmpty(path, isMissing: isMissing) }
        let isBegun = content.header != nil && content.resultsLength > 0
        guard isBegun || (content.header != nil && !isMissing) else { return }
        let lost = BatchFailure(
            .journal,
            "the results “\(path)” are shorter than their journal says: they are not those that it "
                + "was kept for; put those back (they may have been given another name), or name "
                + "another journal and other results"
        )
        if isMissing { throw lost }
        let size: Int64
        do throws(FileError) {
            let file = try FileDescriptor.openForReading(path)
            size = try file.size()
            var start = content.resultsLength
            while start < size {
                let bytes = try file.bytes(at: start, upTo: Self.chunk)
                if bytes.isEmpty { break }
                read(bytes)
                start += Int64(bytes.count)
            }
        } catch {
            throw BatchFailure(.output, "\(error)")
        }
        guard size >= content.resultsLength else { throw lost }
        guard !hasForeignLine else {
            throw BatchFailure(
                .journal,
                "the results “\(path)” have lines that no journal was kept of: name another file"
            )
        }
    }

    private static func checkEmpty(_ path: String, isMissing: Bool) throws(BatchFailure) {
        guard !isMissing, let size = try? FileDescriptor.openForReading(path).size(), size > 0
        else { return }
        throw BatchFailure(
            .journal,
            "the results “\(path)” are there already, and the journal is new: name its own results, "
                + "the journal that they have, or remove them"
        )
    }
}
