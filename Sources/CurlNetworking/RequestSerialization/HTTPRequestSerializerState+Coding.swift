internal import Foundation

// Closures can't be encoded: encoding throws an error instead of dropping them.

extension HTTPRequestSerializerState: Codable {
    private enum CodingKeys: CodingKey {
        case headers, options, stringEncoding, methodsEncodingParametersInURI, style
        case arrayEncoding, boolEncoding
    }

    init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        headers = try values.decode(HTTPHeaders.self, forKey: .headers)
        preparedFields = Self.prepared(headers)
        options = try values.decode(RequestOptions.self, forKey: .options)
        let encoding = try values.decode(UInt.self, forKey: .stringEncoding)
        stringEncoding = String.Encoding(rawValue: encoding)
        methodsEncodingParametersInURI = try values.decode(
            Set<HTTPMethod>.self,
            forKey: .methodsEncodingParametersInURI
        )
        style = try values.decode(
            HTTPRequestQueryStringSerializationStyle.self,
            forKey: .style
        )
        let name = try values.decode(String.self, forKey: .arrayEncoding)
        guard let arrayEncoding = Self.arrayEncodings[name] else {
            throw DecodingError.dataCorruptedError(
                forKey: .arrayEncoding,
                in: values,
                debugDescription: "\(name) isn't an array encoding."
            )
        }
        self.arrayEncoding = arrayEncoding
        boolEncoding = try values.decode(BoolEncoding.self, forKey: .boolEncoding)
    }

    func encode(to encoder: any Encoder) throws {
        guard queryBlock == nil, formEncoder == nil, let arrayEncoding = arrayEncoding.name else {
            throw EncodingError.invalidValue(
                self,
                EncodingError.Context(
                    codingPath: encoder.codingPath,
                    debugDescription: "A query string block, a form encoder and a custom array "
                        + "encoding are closures, which can't be written."
                )
            )
        }
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encode(headers, forKey: .headers)
        try values.encode(options, forKey: .options)
        try values.encode(stringEncoding.rawValue, forKey: .stringEncoding)
        try values.encode(
            methodsEncodingParametersInURI,
            forKey: .methodsEncodingParametersInURI
        )
        try values.encode(style, forKey: .style)
        try values.encode(arrayEncoding, forKey: .arrayEncoding)
        try values.encode(boolEncoding, forKey: .boolEncoding)
    }

    private static let arrayEncodings: [String: ArrayEncoding] = [
        "brackets": .brackets, "noBrackets": .noBrackets, "indexInBrackets": .indexInBrackets,
    ]
}

extension ArrayEncoding {
    /// The encoded name; `nil` for a closure.
    fileprivate var name: String? {
        switch self {
        case .brackets: "brackets"
        case .noBrackets: "noBrackets"
        case .indexInBrackets: "indexInBrackets"
        case .custom: nil
        }
    }
}
