internal import FoundationEssentials
internal import HTTPSemantics

extension BatchResult {
    /// Appends this result as a line of JSON.
    ///
    ///     {"ordinal":1,"line":1,"tag":null,"url":"…","final_url":"…","status":200,"ok":true,
    ///      "error":null,"attempts":1,"bytes":5,"decoded_bytes":5,"sha256":null,"etag":null,
    ///      "last_modified":null,"content_type":"text/plain","http_version":"1.1",
    ///      "peer":"127.0.0.1:80","reused":true,"started_at":"2026-11-22T16:04:12.123456Z",
    ///      "t":{"queue":0.000010,"dns":null,"connect":null,"tls":null,"ttfb":0.001,"total":0.002},
    ///      "path":"example.org/a"}
    ///
    /// Times are in seconds, and `bytes` is the transferred size. An error is an object with `code`
    /// (``BatchFailure/Code/name``) and `message`, and with `curl` (the CURLcode) and `errno` of
    /// the system; these two are null if they don't apply. `ok` is null for a duplicate.
    ///
    /// Optional fields are:
    /// - `content_encoding`: the coding of a body that isn't decoded.
    /// - `duplicate_of`: the ordinal of the first request of which this is a duplicate.
    /// - `mirror`: the URL that was used instead of `url`.
    /// - `sha512`, `sha1`, `md5`: checksums that were computed.
    /// - `existing` (true): a file of that name existed and was kept.
    /// - `unchanged` (true): the body is that of an earlier run.
    /// - `shard`, `offset`: the location of the body in an archive.
    /// - `body_base64`: the body, if it is in the result.
    func appendJSONLine(to bytes: inout [UInt8]) {
        var line = JSONLine(appendingTo: bytes)
        bytes = []
        line.beginObject()
        line.field("ordinal", Int64(ordinal))
        line.field("line", Int64(self.line))
        line.field("tag", tag)
        line.field("url", url)
        if let mirror { line.field("mirror", mirror) }
        line.field("final_url", finalURL)
        line.field("status", status.map { Int64($0) })
        if let duplicateOf {
            // The first request may still fail, so neither value would be true for sure.
            line.field("ok", nil as String?)
            line.field("duplicate_of", Int64(duplicateOf))
        } else {
            line.field("ok", isFetched)
        }
        appendFailure(to: &line)
        line.field("attempts", Int64(attempts))
        line.field("bytes", transferredBytes)
        line.field("decoded_bytes", self.bytes)
        appendDigests(to: &line)
        line.field("etag", etag)
        line.field("last_modified", lastModified)
        line.field("content_type", contentType)
        if let contentEncoding { line.field("content_encoding", contentEncoding) }
        line.field("http_version", httpVersion)
        line.field("peer", peer)
        line.field("reused", isConnectionReused)
        line.field("started_at", microseconds: startedAt)
        appendTimings(to: &line)
        place.appendFields(to: &line)
        line.endObject()
        line.endLine()
        bytes = line.takeBytes()
    }

    private func appendFailure(to line: inout JSONLine) {
        guard let failure else { return line.field("error", nil as String?) }
        line.key("error")
        line.beginObject()
        line.field("code", failure.code.name)
        line.field("message", failure.message)
        line.field("curl", failure.curlCode.map { Int64($0) })
        line.field("errno", failure.systemErrno.map { Int64($0) })
        line.endObject()
    }

    private func appendDigests(to line: inout JSONLine) {
        line.field("sha256", digests[.sha256].map { Hexadecimal.text($0) })
        if let digest = digests[.sha512] { line.field("sha512", Hexadecimal.text(digest)) }
        if let digest = digests[.sha1] { line.field("sha1", Hexadecimal.text(digest)) }
        if let digest = digests[.md5] { line.field("md5", Hexadecimal.text(digest)) }
    }

    private func appendTimings(to line: inout JSONLine) {
        line.key("t")
        line.beginObject()
        line.field("queue", seconds: timings.queue)
        line.field("dns", seconds: timings.nameLookup)
        line.field("connect", seconds: timings.connect)
        line.field("tls", seconds: timings.tls)
        line.field("ttfb", seconds: timings.firstByte)
        line.field("total", seconds: timings.total)
        line.endObject()
    }
}

extension BodyPlace {
    fileprivate func appendFields(to line: inout JSONLine) {
        line.field("path", path)
        if isExisting { line.field("existing", true) }
        if isUnchanged { line.field("unchanged", true) }
        if let shard {
            line.field("shard", shard)
            line.field("offset", shardOffset)
        }
        if let body { line.field("body_base64", Data(body).base64EncodedString()) }
    }
}

extension BatchResult {
    /// The line of JSON of a file of results, without the line's end.
    package var jsonLine: String {
        var bytes: [UInt8] = []
        appendJSONLine(to: &bytes)
        while bytes.last == UInt8(ascii: "\n") { bytes.removeLast() }
        return String(decoding: bytes, as: UTF8.self)
    }
}
