internal import HTTPSemantics
internal import HTTPTypes

extension HTTPRequest {
    /// Changes the query to the form that AWS signs, and adds the hash of the content for S3.
    mutating func prepareSignature(
        by provider: SignatureProvider,
        isSecure: Bool,
        body: BodySource?
    ) {
        if let path { self.path = SignedQuery.path(path) }
        guard provider.requiresContentHash, let name = HTTPField.Name("x-amz-content-sha256"),
            !headerFields.contains(name)
        else { return }
        if let bytes = body == nil ? [] : body?.smallBytes {
            let hash = Hexadecimal.text(MessageDigest.of(bytes, .sha256))
            // Without a hash function, S3 refuses the request and says why.
            if !hash.isEmpty { headerFields[name] = hash }
        } else if isSecure {
            headerFields[name] = "UNSIGNED-PAYLOAD"
        }
    }
}
