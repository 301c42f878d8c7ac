internal import CurlTransport
internal import Foundation

/// With what an upload goes on that was interrupted: its request, what it sends, and where the server
/// keeps what has come of that.
struct UploadResumeData: Sendable {
    /// What is written down of it, before the bytes where those are sent from memory.
    private struct Head: Codable {
        var version = Self.current
        let resource: URL
        let url: URL
        let method: String
        let fields: [Field]
        let hasLeftOrigin: Bool
        let length: Int64
        var acknowledged: Int64
        let file: FileVersion?

        static let current = 1
    }

    private struct Field: Codable {
        let name: String
        let value: String
    }

    private var head: Head
    let content: UploadContent

    /// Of an upload that is under way, whose server has sent this informational head; `nil` where that
    /// isn't the offer to go on with it, or leads to another origin: nobody there may see what was meant
    /// for this one.
    init?(offer: ResponseHead, request: URLRequest, hasLeftOrigin: Bool, content: UploadContent) {
        guard let location = UploadProtocol.location(in: offer), let url = request.url,
            let resource = URL(string: location, relativeTo: url)?.absoluteURL,
            resource.user == nil, RedirectedRequest.isSameOrigin(resource, url)
        else { return nil }
        head = Head(
            resource: resource,
            url: url,
            method: request.state.method,
            fields: (request.state.headerFields?.lines ?? [])
                .map { Field(name: $0.name, value: $0.value) },
            hasLeftOrigin: hasLeftOrigin,
            length: content.length,
            acknowledged: 0,
            file: content.file
        )
        self.content = content
    }

    // MARK: As data

    /// Between what is written down and the bytes. JSON has none within.
    private static let separator = UInt8(ascii: "\n")

    /// Reads what ``encoded`` wrote; `nil` for anything else.
    init?(_ data: Data) {
        let end = data.firstIndex(of: Self.separator) ?? data.endIndex
        guard let head = try? JSONDecoder().decode(Head.self, from: data[..<end]),
            head.version == Head.current, RedirectedRequest.isSameOrigin(head.resource, head.url),
            head.length >= 0, (0...head.length).contains(head.acknowledged)
        else { return nil }
        let bytes = data[end...].dropFirst()
        self.head = head
        content = head.file.map { .file($0) } ?? .data(bytes)
        guard content.length == head.length, head.file == nil || bytes.isEmpty else { return nil }
    }

    /// What the user is given. Bytes that are sent from memory are part of it, a file's aren't.
    var encoded: Data? {
        guard var data = try? JSONEncoder().encode(head) else { return nil }
        data.append(Self.separator)
        if case .data(let bytes) = content { data.append(bytes) }
        return data
    }

    // MARK: Requests

    /// How many bytes the body has.
    var length: Int64 { head.length }

    /// The request that was interrupted, without its body.
    var wholeRequest: URLRequest {
        var request = URLRequest(url: head.url)
        request.httpMethod = head.method
        if !head.fields.isEmpty { request.state.headerFields = RequestHeaderFields(lines) }
        return request
    }

    private var lines: [HeaderLine] {
        head.fields.map { HeaderLine(name: $0.name, value: $0.value) }
    }

    private func request(_ method: String, _ own: [HeaderLine]) -> URLRequest {
        var request = URLRequest(url: head.resource)
        request.httpMethod = method
        let kept = lines.filter { !UploadProtocol.isOfWhole($0.name) }
        request.state.headerFields = RequestHeaderFields(kept + own)
        return request
    }

    /// Asks how much the server has.
    var inquiry: LoadPlan {
        LoadPlan(
            SharedRequest(request("HEAD", UploadProtocol.inquiryLines)),
            body: .none,
            hasLeftOrigin: head.hasLeftOrigin,
            upload: .inquiry
        )
    }

    /// Sends what the server lacks.
    func rest(from offset: Int64) -> LoadPlan {
        LoadPlan(
            SharedRequest(request("PATCH", UploadProtocol.restLines(from: offset))),
            body: content.body(from: offset),
            hasLeftOrigin: head.hasLeftOrigin,
            upload: .rest(from: offset)
        )
    }

    // MARK: What the server says

    /// The server has said that it has so many bytes.
    mutating func acknowledge(_ offset: Int64) {
        guard offset <= head.length else { return }
        head.acknowledged = max(head.acknowledged, offset)
    }

    /// As many bytes as the server has said that it has.
    var acknowledged: Int64 { head.acknowledged }
}

extension UploadContent {
    fileprivate var file: FileVersion? {
        if case .file(let file) = self { file } else { nil }
    }
}
