internal import Foundation

// Checks new jobs before they are recorded.

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
                "A download must be a GET request without a body, not \(method), because the journal may "
                    + "send it more than once. Use a task of the manager."
            )
        }
        guard request.value(forHTTPHeaderField: "Range") == nil else {
            throw TransferJournalError(
                .invalidRequest,
                "A download requests the whole content, and the journal resumes it by itself. Remove the "
                    + "Range field."
            )
        }
        guard destination.isFileURL, !destination.hasDirectoryPath else {
            throw TransferJournalError(
                .invalidDestination,
                "A download's destination must be a local file, not “\(destination)”."
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
                "An upload's source must be a local file, not “\(file)”."
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
                "A job's URL must use http or https, not “\(request.url?.scheme ?? "none")”."
            )
        }
        return storable
    }
}
