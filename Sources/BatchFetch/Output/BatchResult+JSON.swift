extension BatchResult {
    /// Appends this result as a line of JSON.
    ///
    ///     {"url":"…","final_url":"…","status":200,"ok":true,"error":null,"attempts":1,"bytes":5,
    ///      "content_type":"text/plain","http_version":"1.1","reused":true,"path":null,
    ///      "t":{"queue":0.000010,"dns":null,"connect":null,"tls":null,"ttfb":0.001,"total":0.002}}
    ///
    /// Times are seconds.
    func appendJSONLine(to bytes: inout [UInt8]) {
        var line = JSONLine(appendingTo: bytes)
        bytes = []
        line.beginObject()
        line.field("url", url)
        line.field("final_url", finalURL)
        line.field("status", status.map { Int64($0) })
        line.field("ok", isFetched)
        line.field("error", failure.map { "\($0.code): \($0.message)" })
        line.field("attempts", Int64(attempts))
        line.field("bytes", self.bytes)
        line.field("content_type", contentType)
        line.field("http_version", httpVersion)
        line.field("reused", isConnectionReused)
        line.field("path", path)
        line.key("t")
        line.beginObject()
        line.field("queue", seconds: timings.queue)
        line.field("dns", seconds: timings.nameLookup)
        line.field("connect", seconds: timings.connect)
        line.field("tls", seconds: timings.tls)
        line.field("ttfb", seconds: timings.firstByte)
        line.field("total", seconds: timings.total)
        line.endObject()
        line.endObject()
        line.endLine()
        bytes = line.takeBytes()
    }
}
