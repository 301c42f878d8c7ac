internal import CurlTransport
internal import Foundation
internal import HTTPSemantics

extension SessionCore {
    /// Adds stored credentials that the plan's server and proxy have accepted before.
    func authorized(_ plan: LoadRequest) -> LoadRequest {
        guard !protection.isEmpty, let storage = settings.urlCredentialStorage,
            let url = plan.request.url
        else { return plan }
        var authorization = plan.authorization ?? Authorization()
        if authorization.server == nil, !settings.hasAuthorization(plan.request) {
            authorization.server = protection.space(of: url).flatMap { known($0, storage) }
        }
        if authorization.proxy == nil, let proxy = settings.proxy(for: url),
            proxy.credentials == nil
        {
            authorization.proxy = protection.space(of: proxy).flatMap { known($0, storage) }
        }
        guard authorization.server != nil || authorization.proxy != nil else { return plan }
        var plan = plan
        plan.authorization = authorization
        return plan
    }

    private func known(
        _ space: URLProtectionSpace,
        _ storage: URLCredentialStorage
    ) -> Authorization.Proof? {
        guard let credential = storage.proposal(for: space), credential.user != nil else {
            return nil
        }
        return Authorization.Proof(
            scheme: .basic,
            space: space,
            credential: credential,
            isRemembered: true
        )
    }
}

extension SessionSettings {
    /// Whether the request or the configuration sets an `Authorization` field.
    fileprivate func hasAuthorization(_ request: URLRequest) -> Bool {
        fields(for: request).lines.contains { $0.name.equalsIgnoringASCIICase("Authorization") }
    }
}
