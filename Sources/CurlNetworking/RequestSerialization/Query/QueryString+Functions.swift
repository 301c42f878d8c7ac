/// Percent-encodes text for a query's name or value: AFNetworking's `AFPercentEscapedStringFromString`.
///
/// All but `A–Z a–z 0–9 - . _ ~ / ?` is written as `%XX` of its UTF-8 bytes, a space as `%20` and a `%` as
/// `%25`, whether it was escaped already or not.
public func percentEscapedString(from string: String) -> String {
    QueryString.escaped(string)
}

/// Parameters as a query: AFNetworking's `AFQueryStringFromParameters`.
///
/// - Dictionaries are sorted by their keys' descriptions, by scalar values, so that `B` comes before `a`.
///   What is in an inner dictionary is called `outer[inner]`.
/// - Arrays keep their order; how their elements are called, `arrayEncoding` says.
/// - The members of a set are sorted by their descriptions and have all the same key.
/// - `nil` and `NSNull` are a key without `=`. Empty collections are nothing.
/// - Text, numbers (`1.0` is `1`), dates (`2001-01-01 00:00:00 +0000`), URLs and UUIDs are what they
///   describe themselves as, truth values what `boolEncoding` says, and data is written in Base64. Every
///   other value is what `String(describing:)` makes of it.
///
/// - Parameters:
///   - parameters: A dictionary; or one value that isn't a collection, which gets no name: `=value`.
///   - arrayEncoding: How elements of arrays are called.
///   - boolEncoding: How truth values are written.
/// - Returns: The query, without `?`. Empty if there is nothing in it.
/// - Throws: An error of ``URLRequestSerializationErrorDomain`` for an array or set, whose elements
///   have no name.
public func queryString(
    from parameters: Any,
    arrayEncoding: ArrayEncoding = .brackets,
    boolEncoding: BoolEncoding = .numeric
) throws -> String {
    QueryString.joined(
        try QueryStringPair.pairs(
            of: parameters,
            QueryStringPair.Style(arrayEncoding: arrayEncoding, boolEncoding: boolEncoding)
        )
    )
}
