import Foundation

extension SurfaceScript {
    static func responses(_ stage: Stage) {
        let response = URLResponse(
            url: stage.url("/folder/picture.png"),
            mimeType: "image/png",
            expectedContentLength: 1234,
            textEncodingName: "utf-8"
        )
        describe(response, stage)
        let same = response.copy() as? URLResponse
        stage.log("copied: \(response.isEqual(same)), \(response.hash == same?.hash)")
        let zoned = response.copy(with: nil) as? URLResponse
        stage.log("equal: \(zoned == response)")
        let bare = URLResponse(
            url: stage.url("/"),
            mimeType: nil,
            expectedContentLength: -1,
            textEncodingName: nil
        )
        describe(bare, stage)
        stage.log("equal: \(bare == response)")
        stage.log("of the length unknown: \(bare.expectedContentLength == unknownLength)")
    }

    private static let unknownLength = NSURLSessionTransferSizeUnknown

    private static func describe(_ response: URLResponse, _ stage: Stage) {
        stage.log("\(response.url?.path ?? "nowhere"): \(response.expectedContentLength)")
        stage.log(
            "\(response.mimeType ?? "no type") in \(response.textEncodingName ?? "no charset")"
        )
        stage.log("as \(response.suggestedFilename ?? "nothing")")
    }

    static func httpResponses(_ stage: Stage) {
        let response = HTTPURLResponse(
            url: stage.url("/report"),
            statusCode: 206,
            httpVersion: "HTTP/1.1",
            headerFields: [
                "Content-Type": "text/csv; charset=ISO-8859-1",
                "content-length": "77",
                "Content-Disposition": "attachment; filename=\"report.csv\"",
                "X-Thing": "one",
            ]
        )
        guard let response else { return stage.log("none") }
        stage.log("\(response.statusCode)")
        describe(response, stage)
        stage.log("\(response.value(forHTTPHeaderField: "x-THING") ?? "none")")
        stage.log("\(response.value(forHTTPHeaderField: "X-Other") ?? "none")")
        stage.log("\(response.allHeaderFields.count) fields")
        stage.log("\(response.allHeaderFields["X-Thing"] as? String ?? "none")")
        stage.log("described: \(response.description.contains("206"))")
        for status in [100, 200, 204, 301, 304, 401, 404, 418, 500, 503, 599, 700] {
            stage.log("\(status) \(HTTPURLResponse.localizedString(forStatusCode: status))")
        }
        let bare = HTTPURLResponse(
            url: stage.url("/"),
            statusCode: 204,
            httpVersion: nil,
            headerFields: nil
        )
        stage.log("bare: \(bare?.allHeaderFields.count ?? -1), \(bare?.expectedContentLength ?? 0)")
    }

    static func responseArchives(_ stage: Stage) throws {
        stage.log("secure: \(URLResponse.supportsSecureCoding)")
        let plain = URLResponse(
            url: stage.url("/kept.txt"),
            mimeType: "text/plain",
            expectedContentLength: 5,
            textEncodingName: "utf-8"
        )
        let archiver = NSKeyedArchiver(requiringSecureCoding: true)
        plain.encode(with: archiver)
        archiver.finishEncoding()
        let unarchiver = try NSKeyedUnarchiver(forReadingFrom: archiver.encodedData)
        if let read = URLResponse(coder: unarchiver) { describe(read, stage) }
        let response = HTTPURLResponse(
            url: stage.url("/kept"),
            statusCode: 418,
            httpVersion: "HTTP/1.1",
            headerFields: ["X-Kept": "yes"]
        )
        guard let response else { return stage.log("none") }
        let other = NSKeyedArchiver(requiringSecureCoding: true)
        response.encode(with: other)
        other.finishEncoding()
        let reader = try NSKeyedUnarchiver(forReadingFrom: other.encodedData)
        let read = HTTPURLResponse(coder: reader)
        stage.log("\(read?.statusCode ?? 0) \(read?.url?.path ?? "nowhere")")
        stage.log("\(read?.value(forHTTPHeaderField: "X-Kept") ?? "none")")
        let whole = try NSKeyedArchiver.archivedData(
            withRootObject: response,
            requiringSecureCoding: true
        )
        let object = try NSKeyedUnarchiver.unarchivedObject(
            ofClass: HTTPURLResponse.self,
            from: whole
        )
        stage.log("\(object?.statusCode ?? 0)")
    }
}
