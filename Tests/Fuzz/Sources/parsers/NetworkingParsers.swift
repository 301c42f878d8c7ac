internal import Foundation

@testable internal import CurlNetworking
@testable internal import HTTPSemantics

/// Parses server-sent events, in one piece and in several.
func parseEvents(_ bytes: [UInt8]) {
    let whole = events([bytes]), parts = events(pieces(bytes))
    // In pieces, a line or event that is too long may be detected earlier.
    guard !whole.isCut, !parts.isCut else { return }
    expect(whole.events, equals: parts.events, "events in pieces")
}

private func events(_ pieces: [[UInt8]]) -> (events: [String], isCut: Bool) {
    var lines = LineParser(limit: 1000)
    var parser = ServerSentEventParser(limit: 1000)
    var found: [String] = []
    do {
        for piece in pieces {
            lines.append(piece)
            while let line = try lines.next() {
                if let event = try parser.take(line) { found.append("\(event)") }
            }
        }
        if let line = try lines.finish(), let event = try parser.take(line) {
            found.append("\(event)")
        }
    } catch {
        return (found, true)
    }
    return (found, false)
}

/// Makes a multipart form with the names and content in the input.
func parseMultipart(_ bytes: [UInt8]) {
    let parts = bytes.split(separator: 0, maxSplits: 3, omittingEmptySubsequences: false).map {
        text($0)
    }
    guard parts.count == 4, let url = URL(string: "http://127.0.0.1/") else { return }
    let request = try? HTTPRequestSerializer().multipartFormRequest(
        withMethod: "POST",
        urlString: url.absoluteString,
        parameters: [parts[0]: parts[1]],
        constructingBodyWith: { form in
            form.appendPart(
                withFileData: Data(parts[3].utf8),
                name: parts[0],
                fileName: parts[1],
                mimeType: parts[2]
            )
        }
    )
    guard let stream = request?.httpBodyStream else { return }
    stream.open()
    var buffer = [UInt8](repeating: 0, count: 64)
    var total = 0
    while stream.hasBytesAvailable {
        let count = stream.read(&buffer, maxLength: 1 + total % 63)
        guard count > 0 else { break }
        total += count
    }
    stream.close()
    if let length = request?.value(forHTTPHeaderField: "Content-Length") {
        expect(length, equals: "\(total)", "the length of a form")
    }
}

/// Reads the record of a job in a transfer journal, and writes and reads it again.
func parseTransferJob(_ bytes: [UInt8]) {
    guard let first = bytes.first else { return }
    let states: [TransferJob.State] = [.waiting, .moving, .finished, .failed, .cancelled]
    let read = try? TransferJob(
        Data(bytes.dropFirst()),
        state: states[Int(first) % states.count],
        isDelivered: first & 64 != 0,
        sequence: Int(first)
    )
    guard let read else { return }
    _ = read.request.urlRequest
    _ = read.usableBytes(of: read.bytes)
    // The first time, a relative path may become an absolute one.
    let written = stored(read)
    expect(stored(written), equals: written, "a job that is read, written and read")
}

/// The job that is read from a row with `job`.
private func stored(_ job: TransferJob) -> TransferJob {
    do {
        return try JournalRow(job).job().get()
    } catch {
        fatalError("a job that was read can't be written and read: \(error)")
    }
}
