/// The region and the service that an AWS signature names.
///
/// libcurl would take them from the first two labels of a host name, which are a bucket's name and
/// `s3` for `https://bucket.s3.eu-west-1.amazonaws.com`.
struct SignatureScope: Equatable {
    let region: String
    let service: String

    private init(_ region: String, _ service: String) {
        self.region = region
        self.service = service
    }

    /// The scope that the name of an AWS endpoint declares.
    ///
    /// `nil` if it isn't in a domain of AWS, or doesn't declare both. Source:
    /// <https://docs.aws.amazon.com/general/latest/gr/rande.html>.
    ///
    /// - Parameter host: In lower case.
    init?(host: String) {
        let suffixes = [".amazonaws.com", ".amazonaws.com.cn"]
        guard let suffix = suffixes.first(where: host.hasSuffix) else { return nil }
        let labels = host.dropLast(suffix.utf8.count).split(
            separator: ".",
            omittingEmptySubsequences: false
        )
        // A bucket's name may have labels of its own, such as `s3`: the last one counts.
        let found = labels.lastIndex {
            $0 == "s3" || $0.hasPrefix("s3-") || $0.hasPrefix("s3express-")
        }
        if let found {
            self.init(storage: labels[found], Array(labels[(found + 1)...]))
        } else {
            self.init(labels)
        }
    }

    /// The scope of S3's label, such as `s3` or `s3-fips`, with the labels behind it.
    private init?(storage label: Substring, _ rest: [Substring]) {
        var service = "s3"
        if label.hasPrefix("s3express-") { service = "s3express" }
        for name in ["s3-outposts", "s3-object-lambda"] where label.hasPrefix(name) {
            service = name
        }
        // Endpoints for IPv6, and those within a private network.
        let places = rest.filter { $0 != "dualstack" && $0 != "vpce" }
        switch places.count {
        case 1 where Self.isRegion(places[0]):
            self.init(String(places[0]), service)
        case 0 where label == "s3" || label == "s3-external-1":
            self.init("us-east-1", service)
        case 0 where Self.isRegion(label.dropFirst(3)):
            // The older form, `s3-eu-west-1`.
            self.init(String(label.dropFirst(3)), service)
        default:
            return nil
        }
    }

    /// The scope of another service: `SERVICE.REGION`, or `SERVICE` alone if it is a global one.
    private init?(_ labels: [Substring]) {
        // Gateways and search domains have a name before them.
        if labels.count == 3, labels[1] == "execute-api", Self.isRegion(labels[2]) {
            self.init(String(labels[2]), "execute-api")
            return
        }
        if labels.count == 3, labels[2] == "es" || labels[2] == "aoss", Self.isRegion(labels[1]) {
            self.init(String(labels[1]), String(labels[2]))
            return
        }
        guard labels.count <= 2, let first = labels.first, !first.isEmpty else { return nil }
        let service = first.hasSuffix("-fips") ? first.dropLast(5) : first
        guard labels.count == 2 else {
            self.init("us-east-1", String(service))
            return
        }
        guard Self.isRegion(labels[1]) else { return nil }
        // The name of this service differs from that of its endpoints.
        self.init(String(labels[1]), service == "email" ? "ses" : String(service))
    }

    /// Whether a label has the form of a region, such as `us-gov-west-1`.
    private static func isRegion(_ label: Substring) -> Bool {
        let parts = label.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count >= 3, let number = parts.last, Int(number) != nil else { return false }
        return parts.dropLast().allSatisfy { part in
            !part.isEmpty && part.allSatisfy { ("a"..."z").contains($0) }
        }
    }
}

/// The provider, region and service with which libcurl signs a request for AWS.
struct SignatureProvider: Equatable {
    /// The value of libcurl's option, such as `aws:amz:eu-west-1:s3`.
    let text: String

    /// Whether the service is S3, which requires the hash of the content as a field.
    let requiresContentHash: Bool

    /// Adds what `provider` lacks: region and service, or the service.
    ///
    /// Providers other than AWS are passed on as they are.
    ///
    /// - Parameter host: The request's host in lower case.
    init(_ provider: String, host: String) throws(TransportError) {
        var parts = provider.split(separator: ":", omittingEmptySubsequences: false).map(
            String.init
        )
        let isAmazon = parts[0].lowercased() == "aws" && parts.count > 1
        if isAmazon, parts.count < 4 {
            guard let scope = SignatureScope(host: host) else {
                let missing = parts.count < 3 ? "region and service" : "the service"
                let region = parts.count < 3 ? "eu-west-1" : parts[2]
                throw .invalidRequest(
                    "the host name doesn't declare \(missing) for the AWS signature; name both, "
                        + "such as aws:amz:\(region):s3"
                )
            }
            if parts.count < 3 { parts.append(scope.region) }
            parts.append(scope.service)
        }
        text = parts.joined(separator: ":")
        requiresContentHash = isAmazon && parts.last?.hasPrefix("s3") == true
    }
}
