internal import Foundation
internal import HTTPSemantics

/// Encodes and decodes optional values. An absent key decodes as `nil`.
extension NSCoder {
    func encode(_ value: String?, key: String) {
        encode(value.map { NSString(string: $0) }, forKey: key)
    }

    func encode(_ value: URL?, key: String) {
        encode(value.map { $0 as NSURL }, forKey: key)
    }

    func encode(_ value: Data?, key: String) {
        encode(value.map { $0 as NSData }, forKey: key)
    }

    func encode(_ value: UInt, key: String) {
        encode(Int64(clamping: value), forKey: key)
    }

    /// Encodes header lines as one array of alternating names and values.
    func encode(_ lines: [HeaderLine]?, key: String) {
        guard let lines else { return }
        let texts = lines.flatMap { [NSString(string: $0.name), NSString(string: $0.value)] }
        encode(NSArray(array: texts), forKey: key)
    }

    func decodeString(_ key: String) -> String? {
        decode(NSString.self, key).map { $0 as String }
    }

    func decodeURL(_ key: String) -> URL? {
        decode(NSURL.self, key).map { $0 as URL }
    }

    func decodeData(_ key: String) -> Data? {
        decode(NSData.self, key).map { $0 as Data }
    }

    /// Decodes a value if its key is present. Unarchivers treat an absent key as a corrupt archive.
    private func decode<Value: NSObject & NSCoding>(_ type: Value.Type, _ key: String) -> Value? {
        containsValue(forKey: key) ? decodeObject(of: type, forKey: key) : nil
    }

    func decodeUInt(_ key: String) -> UInt? {
        containsValue(forKey: key) ? UInt(exactly: decodeInt64(forKey: key)) : nil
    }

    func decodeBool(_ key: String, default fallback: Bool) -> Bool {
        containsValue(forKey: key) ? decodeBool(forKey: key) : fallback
    }

    func decodeHeaderLines(_ key: String) -> [HeaderLine]? {
        guard containsValue(forKey: key) else { return nil }
        let decoded = decodeObject(of: [NSArray.self, NSString.self], forKey: key)
        guard let texts = (decoded as? NSArray)?.compactMap({ $0 as? String }) else { return nil }
        return stride(from: 0, to: texts.count - 1, by: 2).map {
            HeaderLine(name: texts[$0], value: texts[$0 + 1])
        }
    }
}
