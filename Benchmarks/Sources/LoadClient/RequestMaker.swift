internal import CurlTransport
internal import HTTPTypes
internal import LoadKit

/// Makes the requests: the same four fields that the hand-off floor sends, one of them new for each.
struct RequestMaker: Sendable {
    private let templates: [HTTPRequest]
    private let fields: HTTPFields
    private let identifier: HTTPField.Name?

    init(_ options: LoadOptions) throws(TransportError) {
        var templates: [HTTPRequest] = []
        for url in options.urls {
            templates.append(
                try HTTPRequest(method: options.mode == .upload ? .post : .get, url: url)
            )
        }
        self.templates = templates
        var fields = HTTPFields()
        for (name, value) in RequestFields.fixed {
            if let name = HTTPField.Name(name) { fields[name] = value }
        }
        self.fields = fields
        identifier = HTTPField.Name(RequestFields.identifier)
    }

    func request(number: Int) -> HTTPRequest {
        var request = templates[number % templates.count]
        request.headerFields = fields
        if let identifier { request.headerFields[identifier] = "\(number)" }
        return request
    }
}
