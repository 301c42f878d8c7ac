/// The module that the programs are compiled against.
enum Module: String {
    case foundationNetworking = "SameSourceFoundationNetworking"
    case curlURLSession = "SameSourceCurlURLSession"
}
