internal import CurlTransport
internal import HTTPTypes

/// Makes the requests: the same four fields that the hand-off floor sends, one of them new for each.
struct RequestMaker: Sendable {
    private let template: HTTPRequest
    private let fields: HTTPFields
    private let identifier: HTTPField.Name?

    init(_ options: LoadOptions) throws(TransportError) {
        template = try HTTPRequest(
            method: options.mode == .upload ? .post : .get,
            url: options.url
        )
        var fields = HTTPFields()
        fields[.userAgent] = "loadclient/1.0"
        fields[.accept] = "application/json, */*"
        fields[.acceptLanguage] = "en;q=1.0"
        self.fields = fields
        identifier = HTTPField.Name("x-request-id")
    }

    func request(number: Int) -> HTTPRequest {
        var request = template
        request.headerFields = fields
        if let identifier { request.headerFields[identifier] = "\(number)" }
        return request
    }
}
