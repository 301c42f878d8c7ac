internal import CurlTransport
internal import Foundation
internal import HTTPSemantics

/// The state needed to resume an upload.
///
/// It has the request, the content, and the server's URL for the upload.
struct UploadResumeData: Sendable {
    /// The encoded part, followed by the bytes if the content is in memory.
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

    /// Creates resume data for a running upload from an informational head.
    ///
    /// Returns `nil` if the head isn't an offer of resumption, or leads to another origin, which
    /// must not get the data meant for this one.
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

    // MARK: Encoding

    /// Separates the encoded head from the bytes. The JSON doesn't contain it.
    private static let separator = UInt8(ascii: "\n")

    /// Decodes data that ``encoded`` produced; `nil` for anything else.
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

    /// The resume data for the user. It includes a body in memory, but not a file.
    var encoded: Data? {
        guard var data = try? JSONEncoder().encode(head) else { return nil }
        data.append(Self.separator)
        if case .data(let bytes) = content { data.append(bytes) }
        return data
    }

    // MARK: Requests

    /// The length of the body in bytes.
    var length: Int64 { head.length }

    /// The interrupted request, without its body.
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

    /// The request that asks for the server's offset.
    var inquiry: LoadRequest {
        LoadRequest(
            request("HEAD", UploadProtocol.inquiryLines),
            body: .none,
            hasLeftOrigin: head.hasLeftOrigin,
            upload: .inquiry
        )
    }

    /// Returns the request that sends the bytes from an offset to the end.
    func rest(from offset: Int64) -> LoadRequest {
        LoadRequest(
            request("PATCH", UploadProtocol.restLines(from: offset)),
            body: content.body(from: offset),
            hasLeftOrigin: head.hasLeftOrigin,
            upload: .rest(from: offset)
        )
    }

    // MARK: Server responses

    /// Records the offset that the server has reported.
    mutating func acknowledge(_ offset: Int64) {
        guard offset <= head.length else { return }
        head.acknowledged = max(head.acknowledged, offset)
    }

    /// The largest offset that the server has reported.
    var acknowledged: Int64 { head.acknowledged }
}

extension UploadContent {
    fileprivate var file: FileVersion? {
        if case .file(let file) = self { file } else { nil }
    }
}
