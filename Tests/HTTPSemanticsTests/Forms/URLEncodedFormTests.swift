import Testing

@testable import HTTPSemantics

@Suite struct URLEncodedFormTests {
    private func text(_ pairs: [(String, String)]) -> String {
        String(decoding: URLEncodedForm.encode(pairs), as: UTF8.self)
    }

    @Test("Only letters, digits and *-._ stay as they are, and a space becomes a plus sign")
    func bytesAreEscaped() {
        #expect(text([("a b", "c+d&e=f%")]) == "a+b=c%2Bd%26e%3Df%25")
        #expect(text([("*-._~", "AZaz09")]) == "*-._%7E=AZaz09")
        #expect(text([("ü", "€\r\n\0")]) == "%C3%BC=%E2%82%AC%0D%0A%00")
    }

    @Test("Pairs keep their order, also those of one name, and empty ones are written")
    func pairsKeepOrder() {
        #expect(text([("b", "1"), ("a", ""), ("b", "2"), ("", "x")]) == "b=1&a=&b=2&=x")
        #expect(text([]).isEmpty)
    }

    @Test("Names in multipart headers are escaped as browsers do")
    func dispositionsAreEscaped() {
        #expect(
            MultipartSyntax.disposition(name: "a\"b", fileName: "c\r\nd ü.txt")
                == "form-data; name=\"a%22b\"; filename=\"c%0D%0Ad ü.txt\""
        )
        #expect(MultipartSyntax.disposition(name: "a") == "form-data; name=\"a\"")
        #expect(
            MultipartSyntax.contentType("text/plain; charset=\"a\"\r\n")
                == "text/plain; charset=\"a\"%0D%0A"
        )
    }
}
