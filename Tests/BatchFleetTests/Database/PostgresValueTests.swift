import BatchFleet
import Testing

@Suite struct PostgresValueTests {
    @Test("A list of texts is PostgreSQL's array with each text quoted")
    func textsAreQuoted() {
        #expect(PostgresValue.texts([]).text == "{}")
        let texts = PostgresValue.texts(["a,b", nil, "NULL", "", #"say "\n""#, "ü"])
        #expect(texts.text == #"{"a,b",NULL,"NULL","","say \"\\n\"","ü"}"#)
    }

    @Test("The byte 0, which PostgreSQL refuses, becomes the replacement character")
    func zeroIsReplaced() {
        #expect(PostgresValue.text("a\0b").text == "a\u{FFFD}b")
        #expect(PostgresValue.text("a\0\u{301}b").text == "a\u{FFFD}\u{301}b")
        #expect(PostgresValue.texts(["a\0b"]).text == "{\"a\u{FFFD}b\"}")
    }

    @Test("Numbers that aren't finite have PostgreSQL's names")
    func numbersAreNamed() {
        let numbers = PostgresValue.reals([1.5, .infinity, -.infinity, .nan])
        #expect(numbers.text == "{1.5,Infinity,-Infinity,NaN}")
        #expect(PostgresValue.integers([1, -2]).text == "{1,-2}")
        #expect(PostgresValue.null.text == nil)
    }
}
