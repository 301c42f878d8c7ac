import Posix
import Testing

@Suite struct NameLookupTests {
    @Test("An address is its own address, in canonical form")
    func addressIsItsOwnAddress() {
        #expect(NameLookup.addresses(of: "127.0.0.1") == ["127.0.0.1"])
        #expect(NameLookup.addresses(of: "0:0::1") == ["::1"])
    }

    @Test("A name has each of its addresses once")
    func nameHasEachAddressOnce() {
        let addresses = NameLookup.addresses(of: "localhost")
        #expect(addresses.contains("127.0.0.1") || addresses.contains("::1"))
        #expect(Set(addresses).count == addresses.count)
    }

    @Test("What can't be a name has no address", arguments: ["", "a\0b", "a..b"])
    func malformedNameHasNoAddress(name: String) {
        #expect(NameLookup.addresses(of: name).isEmpty)
    }
}
