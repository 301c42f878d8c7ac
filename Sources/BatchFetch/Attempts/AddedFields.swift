import CurlTransport
import HTTPTypes

/// The fields that a run adds to requests. A request's own fields take precedence.
struct AddedFields: Sendable {
    /// For requests after a redirect to another origin.
    private let usual: HTTPFields
    /// For requests to hosts of the list.
    private let complete: HTTPFields
    private let netrc: NetrcFile?

    /// - Parameter configuration: One that was validated.
    /// - Throws: ``BatchFailure/Code/configuration`` for an invalid value, or a file that can't be
    ///   read.
    init(_ configuration: BatchConfiguration) throws(BatchFailure) {
        let requests = configuration.requests
        var complete = requests.headerFields
        for field in try Self.identification(configuration.politeness)
        where !complete.contains(field.name) && !requests.omittedFields.contains(field.name) {
            complete.append(field)
        }
        var usual = complete
        RedirectFields.removePrivate(from: &usual)
        self.usual = usual
        let isAuthorized = !requests.omittedFields.contains(.authorization)
        if isAuthorized, let value = requests.credentials?.fieldValue,
            !complete.contains(.authorization)
        {
            complete[.authorization] = value
        }
        self.complete = complete
        // A file that isn't used is checked, too.
        let netrc = try requests.netrc()
        self.netrc = isAuthorized && requests.credentials == nil ? netrc : nil
    }

    /// The fields that identify the client in servers' logs.
    private static func identification(_ politeness: Politeness) throws(BatchFailure) -> HTTPFields
    {
        var fields = HTTPFields()
        for (name, value) in [
            (HTTPField.Name.userAgent, politeness.userAgent),
            (HTTPField.Name("From"), politeness.from),
        ] {
            guard let name, let value else { continue }
            guard HTTPField.isValidValue(value) else {
                throw BatchFailure(
                    .configuration,
                    "the \(name) has line ends or other control characters: remove them"
                )
            }
            fields[name] = value
        }
        return fields
    }

    /// Adds the fields to a request's own.
    func add(to fields: inout HTTPFields, for target: FetchTarget) {
        let added = target.allowsCredentials ? complete : usual
        if fields.isEmpty {
            fields = added
        } else {
            let own = fields
            for field in added where !own.contains(field.name) { fields.append(field) }
        }
        guard let netrc, target.allowsCredentials, !fields.contains(.authorization),
            let login = netrc.login(for: target.host)
        else { return }
        fields[.authorization] = HTTPRequest.basic(login.user, login.password)
    }
}

extension BatchCredentials {
    /// The value of the `Authorization` field.
    ///
    /// `nil` for signatures, which the transport makes.
    fileprivate var fieldValue: String? {
        switch self {
        case .basic(let user, let password): HTTPRequest.basic(user, password)
        case .bearer(let token): "Bearer \(token)"
        case .awsSigV4: nil
        }
    }
}
