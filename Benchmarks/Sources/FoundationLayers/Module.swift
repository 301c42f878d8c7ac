// What `Load` is compiled against: the same sources are FoundationNetworking's client, too.
@_exported public import CurlURLSession
