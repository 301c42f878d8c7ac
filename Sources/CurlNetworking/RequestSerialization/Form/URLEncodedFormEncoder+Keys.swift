extension URLEncodedFormEncoder {
    /// How keys are written.
    #if hasAttribute(nonexhaustive)
        @nonexhaustive
    #endif
    public enum KeyEncoding: Sendable {
        /// Unchanged.
        case useDefaultKeys
        /// `oneTwoURL` becomes `one_two_url`.
        case convertToSnakeCase
        /// `oneTwoURL` becomes `one-two-url`.
        case convertToKebabCase
        /// `oneTwo` becomes `OneTwo`.
        case capitalized
        /// `oneTwo` becomes `ONETWO`.
        case uppercased
        /// `oneTwo` becomes `onetwo`.
        case lowercased
        /// As a closure returns them.
        ///
        /// It is called on the thread that creates the request.
        case custom(@Sendable (String) -> String)

        func key(_ key: String) -> String {
            switch self {
            case .useDefaultKeys: key
            case .convertToSnakeCase: Self.words(of: key).joined(separator: "_")
            case .convertToKebabCase: Self.words(of: key).joined(separator: "-")
            case .capitalized: key.prefix(1).uppercased() + key.dropFirst()
            case .uppercased: key.uppercased()
            case .lowercased: key.lowercased()
            case .custom(let spell): spell(key)
            }
        }

        /// Splits a key into words.
        ///
        /// A word starts at an uppercase letter after a lowercase letter or a digit, and at the
        /// last of several uppercase letters before a lowercase one.
        private static func words(of key: String) -> [String] {
            let characters = Array(key)
            var words: [String] = []
            for (index, character) in characters.enumerated() {
                let previous = index > 0 ? characters[index - 1] : nil
                let next = index + 1 < characters.count ? characters[index + 1] : nil
                let begins =
                    character.isUppercase
                    && (previous.map { $0.isLowercase || $0.isNumber } ?? false
                        || (previous?.isUppercase ?? false) && (next?.isLowercase ?? false))
                if words.isEmpty || begins { words.append("") }
                words[words.count - 1] += character.lowercased()
            }
            return words
        }
    }

    /// How keys of nested structures are named.
    #if hasAttribute(nonexhaustive)
        @nonexhaustive
    #endif
    public enum KeyPathEncoding: Sendable {
        /// `outer[inner]`. The default.
        case brackets
        /// `outer.inner`.
        case dots
        /// As a closure returns it for outer name and inner key.
        case custom(@Sendable (_ outer: String, _ inner: String) -> String)

        func name(of inner: String, in outer: String) -> String {
            switch self {
            case .brackets: "\(outer)[\(inner)]"
            case .dots: "\(outer).\(inner)"
            case .custom(let name): name(outer, inner)
            }
        }
    }
}
