internal import HTTPSemantics
internal import Testing

/// Validators that identify a content byte for byte (RFC 9110, 8.8.1).
@Suite struct StrongValidatorTests {
    private static let modified = "Sun, 06 Nov 1994 08:49:37 GMT"
    /// The time of ``modified``.
    private static let time: Int64 = 784_111_777

    private func validator(
        _ fields: [String: String],
        receivedAt now: Int64 = time + 1_000_000
    ) -> StrongValidator? {
        StrongValidator(receivedAt: now) { fields[$0] }
    }

    @Test func strongEntityTagIsUsed() {
        let fields = ["ETag": "\"a-b\"", "Last-Modified": Self.modified]
        #expect(validator(fields) == .entityTag("\"a-b\""))
        #expect(validator(fields)?.fieldValue == "\"a-b\"")
    }

    /// RFC 9110, 13.1.5: a client that has an entity tag must not send a date instead.
    @Test(arguments: ["W/\"a\"", "a", "\"", "", "\"a", "\"a\u{1}\""])
    func dateDoesNotReplaceWeakEntityTag(tag: String) {
        #expect(validator(["ETag": tag, "Last-Modified": Self.modified]) == nil)
    }

    /// RFC 9110, 8.8.2.2: by one clock, a second tells two contents apart.
    @Test(arguments: [
        ("Sun, 06 Nov 1994 08:49:37 GMT", false), ("Sun, 06 Nov 1994 08:49:38 GMT", true),
        ("Sun, 06 Nov 1994 08:49:36 GMT", false),
    ])
    func lastModifiedIsStrongOneSecondBeforeResponse(date: String, isStrong: Bool) {
        let found = validator(["Last-Modified": Self.modified, "Date": date])
        #expect(found == (isStrong ? .lastModified(Self.modified) : nil))
    }

    /// Our clock may differ from the server's.
    @Test func noDateCountsWithoutTheServersTime() {
        let found = validator(["Last-Modified": Self.modified], receivedAt: Self.time + 1_000_000)
        #expect(found == nil)
        #expect(validator(["Last-Modified": Self.modified, "Date": "soon"]) == nil)
    }

    @Test(arguments: ["yesterday", "", "Sun, 06 Nov 1994 08:49:37 GMT\r\nX: y"])
    func invalidDateIsNoValidator(text: String) {
        #expect(validator(["Last-Modified": text]) == nil)
    }

    @Test func partMustRepeatEntityTag() {
        let tag = StrongValidator.entityTag("\"a\"")
        #expect(!tag.isContradicted { _ in "\"a\"" })
        #expect(tag.isContradicted { _ in "\"b\"" })
        #expect(tag.isContradicted { _ in nil })
        let date = StrongValidator.lastModified(Self.modified)
        #expect(!date.isContradicted { _ in nil })
        #expect(!date.isContradicted { _ in Self.modified })
        #expect(date.isContradicted { _ in "Sun, 06 Nov 1994 08:49:38 GMT" })
    }

    /// A `416` has no content whose entity tag it could repeat.
    @Test func aResponseWithoutValidatorIsOfNoOtherContent() {
        let tag = StrongValidator.entityTag("\"a\"")
        #expect(!tag.differs { _ in nil })
        #expect(!tag.differs { _ in "\"a\"" })
        #expect(tag.differs { _ in "\"b\"" })
    }

    @Test(arguments: [StrongValidator.entityTag("\"a\""), .lastModified(modified)])
    func storedFieldValueIsParsed(validator: StrongValidator) {
        #expect(StrongValidator(fieldValue: validator.fieldValue) == validator)
    }
}
