import Posix
import Synchronization

/// The files of an archive in object storage.
///
/// A file is written to an anonymous file, and uploaded when it is full. Its results are held until
/// it is stored, so it is also ended when it is old, or has many bodies.
final class ArchiveObjects: ArchivePlace {
    let name: String
    let ending: String
    let trailer: [UInt8]
    let maximumAge: Duration?
    let endsWhenIdle: Bool
    let maximumEntries: Int? = 50_000
    private let contentType: String
    private let uploads: ObjectUploads
    private let results: HeldResults
    /// The number after those of earlier runs.
    private let firstNumber = Mutex(0)

    /// - Parameter isShared: Whether other machines wait for the results, so that these must come
    ///   soon.
    init(
        _ uploads: ObjectUploads,
        name: String,
        ending: String,
        contentType: String,
        trailer: [UInt8],
        isShared: Bool,
        holding results: HeldResults
    ) {
        self.uploads = uploads
        self.name = name
        self.ending = ending
        self.contentType = contentType
        self.trailer = trailer
        self.results = results
        endsWhenIdle = isShared
        maximumAge = isShared ? .seconds(10) : .seconds(60)
    }

    /// Finds the number after those of earlier runs, and removes the parts of uploads that a
    /// killed run has left.
    func recover() throws(BatchFailure) {
        let prefix = uploads.storage.key("\(name)-")
        let parent = uploads.storage.key("")
        let result: Result<[String], S3Error> = try uploads.wait { client in
            do throws(S3Error) {
                let keys = try await client.keys(prefix: prefix)
                let open = (try? await client.openUploads(prefix: prefix)) ?? []
                for upload in open where self.number(of: upload.key, in: parent) != nil {
                    try? await client.abort(upload)
                }
                return .success(keys)
            } catch {
                return .failure(error)
            }
        }
        switch result {
        case .success(let keys):
            let numbers = keys.compactMap { number(of: $0, in: parent) }
            firstNumber.withLock { $0 = (numbers.max() ?? -1) + 1 }
        case .failure(let error):
            throw uploads.failure(error, storing: "\(name)-…")
        }
    }

    private func number(of key: String, in parent: String) -> Int? {
        guard key.hasPrefix(parent) else { return nil }
        return ArchiveName.number(of: String(key.dropFirst(parent.count)), name, ending)
    }

    func makeFile(number: inout Int) throws(BatchFailure) -> any ArchiveTarget {
        number = max(number, firstNumber.withLock { $0 })
        return ObjectArchiveFile(
            ArchiveName.file(name, number, ending),
            contentType: contentType,
            in: uploads,
            holding: results
        )
    }
}

/// A file of an archive that becomes an object.
private final class ObjectArchiveFile: ArchiveTarget {
    let name: String
    private let contentType: String
    private let content = SpooledBody(folder: SpooledBody.temporaryFolder)
    private let uploads: ObjectUploads
    private let results: HeldResults
    private let isClosed = Atomic(false)

    init(
        _ name: String,
        contentType: String,
        in uploads: ObjectUploads,
        holding results: HeldResults
    ) {
        self.name = name
        self.contentType = contentType
        self.uploads = uploads
        self.results = results
    }

    deinit {
        guard !isClosed.load(ordering: .relaxed) else { return }
        let reason = "the archive “\(name)” could not be written, so it isn't in object storage"
        var failure = BatchFailure(.output, reason)
        failure.endsRun = true
        results.end(name, failure)
    }

    func write(_ bytes: [UInt8]) throws(FileError) {
        try content.append(bytes)
    }

    /// Starts the upload.
    func close() throws(FileError) {
        isClosed.store(true, ordering: .relaxed)
        results.beginUpload()
        uploads.store(
            content,
            as: name,
            contentType: contentType,
            replacesObject: false,
            isCancellable: false
        ) { [results, name] failure in
            results.endUpload(of: name, failure)
        }
    }
}
