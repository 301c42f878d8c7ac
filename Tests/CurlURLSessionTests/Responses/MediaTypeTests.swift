import Testing

@testable import CurlURLSession

struct MediaTypeTests {
    @Test(arguments: [
        ("index.html", "text/html"), ("INDEX.HTM", "text/html"), ("a.json", "application/json"),
        ("a.b.png", "image/png"), ("photo.JPG", "image/jpeg"), ("photo.jpeg", "image/jpeg"),
        ("a.js", "text/javascript"), ("a.xml", "application/xml"), ("a.txt", "text/plain"),
        ("a.ico", "image/vnd.microsoft.icon"), ("archive.tar.gz", "application/gzip"),
        ("a", "application/octet-stream"), ("a.", "application/octet-stream"),
        (".png", "application/octet-stream"), ("a.unheard", "application/octet-stream"),
        ("", "application/octet-stream"),
    ])
    func typeIsFoundByFileName(name: String, type: String) {
        #expect(MediaType.type(ofFilename: name) == type)
    }

    @Test func everyTypeIsFoundByItsExtension() {
        for suffix in Set(MediaType.filenameExtension.values) {
            let type = MediaType.type(ofFilename: "a." + suffix)
            #expect(type != MediaType.unknown, "\(suffix)")
        }
    }
}
