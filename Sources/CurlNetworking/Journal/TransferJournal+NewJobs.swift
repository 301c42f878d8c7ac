internal import Foundation

// What is looked at before a job is written down.

extension TransferJournal {
    func newDownload(
        _ request: URLRequest,
        _ destination: URL,
        _ id: String,
        _ options: DownloadOptions
    ) throws -> TransferJob {
        let method = request.httpMethod ?? "GET"
        guard method == "GET", request.httpBody == nil, request.httpBodyStream == nil else {
            throw TransferJournalError(
                .invalidRequest,
                "A download is a GET request without a body, not \(method): what changes something on "
                    + "the server can't be asked for twice. Use a task of the manager."
            )
        }
        guard request.value(forHTTPHeaderField: "Range") == nil else {
            throw TransferJournalError(
                .invalidRequest,
                "A download is of all the content: the journal asks for parts by itself. Leave out the "
                    + "field Range."
            )
        }
        guard destination.isFileURL, !destination.hasDirectoryPath else {
            throw TransferJournalError(
                .invalidDestination,
                "A download's destination is a file of this machine, not “\(destination)”."
            )
        }
        let file = destination.absoluteURL.standardizedFileURL
        let part = file.deletingLastPathComponent()
            .appendingPathComponent(".journal-\(UUID().uuidString).part")
        return TransferJob(
            id: id,
            kind: .download,
            request: try storable(request),
            file: file,
            partFile: part,
            options: options
        )
    }

    func newUpload(_ request: URLRequest, _ file: URL, _ id: String) throws -> TransferJob {
        guard file.isFileURL else {
            throw TransferJournalError(
                .invalidRequest,
                "An upload sends a file of this machine, not “\(file)”."
            )
        }
        return TransferJob(
            id: id,
            kind: .upload,
            request: try storable(request),
            file: file.absoluteURL.standardizedFileURL,
            partFile: nil,
            options: []
        )
    }

    private func storable(_ request: URLRequest) throws -> StorableRequest {
        let names = core.configuration.omittedHeaderFields
        guard let storable = StorableRequest(request, omitting: names) else {
            throw TransferJournalError(
                .invalidRequest,
                "A job's URL is one of http or https, not “\(request.url?.scheme ?? "none")”."
            )
        }
        return storable
    }
}
