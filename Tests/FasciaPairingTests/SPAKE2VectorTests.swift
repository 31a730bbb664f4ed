import Testing

@testable import FasciaPairing

/// RFC 9382, appendix B: SPAKE2-P256-SHA256-HKDF-HMAC.
struct SPAKE2VectorTests {
    struct Vector: Sendable, CustomTestStringConvertible {
        let a: String, b: String, w: String, x: String, y: String
        let shareA: String, shareB: String, shared: String
        let ke: String, ka: String, keyA: String, keyB: String, confirmationA: String, confirmationB: String
        var testDescription: String { "A='\(a)' B='\(b)'" }
    }

    @Test(arguments: vectors)
    func bothEndsComputeTheVector(_ vector: Vector) throws {
        let w = try P256.Scalar(reducing: bytes(vector.w))
        let a = try SPAKE2(.a, w: w, secret: P256.Scalar(reducing: bytes(vector.x)))
        let b = try SPAKE2(.b, w: w, secret: P256.Scalar(reducing: bytes(vector.y)))
        #expect(a.share == bytes(vector.shareA))
        #expect(b.share == bytes(vector.shareB))
        for outcome in [
            try a.finish(peerShare: b.share, identityA: Array(vector.a.utf8), identityB: Array(vector.b.utf8), aad: []),
            try b.finish(peerShare: a.share, identityA: Array(vector.a.utf8), identityB: Array(vector.b.utf8), aad: []),
        ] {
            #expect(outcome.sharedPoint == bytes(vector.shared))
            #expect(outcome.ke == bytes(vector.ke))
            #expect(outcome.ka == bytes(vector.ka))
            #expect(outcome.confirmationKeyA == bytes(vector.keyA))
            #expect(outcome.confirmationKeyB == bytes(vector.keyB))
            #expect(outcome.confirmationA == bytes(vector.confirmationA))
            #expect(outcome.confirmationB == bytes(vector.confirmationB))
        }
    }

    /// As Fascia uses it: raw 32-byte identities and the TLS exporter as AAD. Values from an independent computation in Python
    /// (hashlib and hmac over the first vector's points).
    @Test func confirmationsWithFingerprintsAndExporter() throws {
        let vector = Self.vectors[0]
        let a = try SPAKE2(.a, w: P256.Scalar(reducing: bytes(vector.w)), secret: P256.Scalar(reducing: bytes(vector.x)))
        let outcome = try a.finish(
            peerShare: bytes(vector.shareB), identityA: [UInt8](repeating: 1, count: 32), identityB: [UInt8](repeating: 2, count: 32),
            aad: [UInt8](repeating: 3, count: 32))
        #expect(outcome.confirmationA == bytes("47c336fe27e7ec89e7a991ef7636d927cf00308913ab058c06ce9c8977dcb8c2"))
        #expect(outcome.confirmationB == bytes("e9e742b86b230a48b8269c62292b588ca663d068c367c5ab43952ceca8da797d"))
    }

    static let vectors = [
        Vector(
            a: "server", b: "client",
            w: "2ee57912099d31560b3a44b1184b9b4866e904c49d12ac5042c97dca461b1a5f",
            x: "43dd0fd7215bdcb482879fca3220c6a968e66d70b1356cac18bb26c84a78d729",
            y: "dcb60106f276b02606d8ef0a328c02e4b629f84f89786af5befb0bc75b6e66be",
            shareA: "04a56fa807caaa53a4d28dbb9853b9815c61a411118a6fe516a8798434751470f9010153ac33d0d5f2047ffdb1a3e42c9b4e6be662766e1eeb4116988ede5f912c",
            shareB: "0406557e482bd03097ad0cbaa5df82115460d951e3451962f1eaf4367a420676d09857ccbc522686c83d1852abfa8ed6e4a1155cf8f1543ceca528afb591a1e0b7",
            shared: "0412af7e89717850671913e6b469ace67bd90a4df8ce45c2af19010175e37eed69f75897996d539356e2fa6a406d528501f907e04d97515fbe83db277b715d3325",
            ke: "0e0672dc86f8e45565d338b0540abe69", ka: "15bdf72e2b35b5c9e5663168e960a91b",
            keyA: "00c12546835755c86d8c0db7851ae86f", keyB: "a9fa3406c3b781b93d804485430ca27a",
            confirmationA: "58ad4aa88e0b60d5061eb6b5dd93e80d9c4f00d127c65b3b35b1b5281fee38f0",
            confirmationB: "d3e2e547f1ae04f2dbdbf0fc4b79f8ecff2dff314b5d32fe9fcef2fb26dc459b"),
        Vector(
            a: "", b: "client",
            w: "0548d8729f730589e579b0475a582c1608138ddf7054b73b5381c7e883e2efae",
            x: "403abbe3b1b4b9ba17e3032849759d723939a27a27b9d921c500edde18ed654b",
            y: "903023b6598908936ea7c929bd761af6039577a9c3f9581064187c3049d87065",
            shareA: "04a897b769e681c62ac1c2357319a3d363f610839c4477720d24cbe32f5fd85f44fb92ba966578c1b712be6962498834078262caa5b441ecfa9d4a9485720e918a",
            shareB: "04e0f816fd1c35e22065d5556215c097e799390d16661c386e0ecc84593974a61b881a8c82327687d0501862970c64565560cb5671f696048050ca66ca5f8cc7fc",
            shared: "048f83ec9f6e4f87cc6f9dc740bdc2769725f923364f01c84148c049a39a735ebda82eac03e00112fd6a5710682767cff5361f7e819e53d8d3c3a2922e0d837aa6",
            ke: "642f05c473c2cd79909f9a841e2f30a7", ka: "0bf89b18180af97353ba198789c2b963",
            keyA: "c6be376fc7cd1301fd0a13adf3e7bffd", keyB: "b7243f4ae60440a49b3f8cab3c1fba07",
            confirmationA: "47d29e6666af1b7dd450d571233085d7a9866e4d49d2645e2df975489521232b",
            confirmationB: "3313c5cefc361d27fb16847a91c2a73b766ffa90a4839122a9b70a2f6bd1d6df"),
        Vector(
            a: "server", b: "",
            w: "626e0cdc7b14c9db3e52a0b1b3a768c98e37852d5db30febe0497b14eae8c254",
            x: "07adb3db6bc623d3399726bfdbfd3d15a58ea776ab8a308b00392621291f9633",
            y: "b6a4fc8dbb629d4ba51d6f91ed1532cf87adec98f25dd153a75accafafedec16",
            shareA: "04f88fb71c99bfffaea370966b7eb99cd4be0ff1a7d335caac4211c4afd855e2e15a873b298503ad8ba1d9cbb9a392d2ba309b48bfd7879aefd0f2cea6009763b0",
            shareB: "040c269d6be017dccb15182ac6bfcd9e2a14de019dd587eaf4bdfd353f031101e7cca177f8eb362a6e83e7d5e729c0732e1b528879c086f39ba0f31a9661bd34db",
            shared: "0445ee233b8ecb51ebd6e7da3f307e88a1616bae2166121221fdc0dadb986afaf3ec8a988dc9c626fa3b99f58a7ca7c9b844bb3e8dd9554aafc5b53813504c1cbe",
            ke: "005184ff460da2ce59062c87733c299c", ka: "3521297d736598fc0a1127600efa1afb",
            keyA: "f3da53604f0aeecea5a33be7bddf6edf", keyB: "9e3f86848736f159bd92b6e107ec6799",
            confirmationA: "bc9f9bbe99f26d0b2260e6456e05a86196a3307ec6663a18bf6ac825736533b2",
            confirmationB: "c2370e1bf813b086dff0d834e74425a06e6390f48f5411900276dcccc5a297ec"),
        Vector(
            a: "", b: "",
            w: "7bf46c454b4c1b25799527d896508afd5fc62ef4ec59db1efb49113063d70cca",
            x: "8cef65df64bb2d0f83540c53632de911b5b24b3eab6cc74a97609fd659e95473",
            y: "d7a66f64074a84652d8d623a92e20c9675c61cb5b4f6a0063e4648a2fdc02d53",
            shareA: "04a65b367a3f613cf9f0654b1b28a1e3a8a40387956c8ba6063e8658563890f46ca1ef6a676598889fc28de2950ab8120b79a5ef1ea4c9f44bc98f585634b46d66",
            shareB: "04589f13218822710d98d8b2123a079041052d9941b9cf88c6617ddb2fcc0494662eea8ba6b64692dc318250030c6af045cb738bc81ba35b043c3dcb46adf6f58d",
            shared: "041a3c03d51b452537ca2a1fea6110353c6d5ed483c4f0f86f4492ca3f378d40a994b4477f93c64d928edbbcd3e85a7c709b7ea73ee97986ce3d1438e135543772",
            ke: "fc6374762ba5cf11f4b2caa08b2cd1b9", ka: "907ae0e26e8d6234318d91583cd74c86",
            keyA: "5dbd2f477166b7fb6d61febbd77a5563", keyB: "7689b4654407a5faeffdc8f18359d8a3",
            confirmationA: "dfb4db8d48ae5a675963ea5e6c19d98d4ea028d8e898dad96ea19a80ade95dca",
            confirmationB: "d0f0609d1613138d354f7e95f19fb556bf52d751947241e8c7118df5ef0ae175"),
    ]
}

func bytes(_ hex: String) -> [UInt8] {
    let digits = Array(hex)
    return stride(from: 0, to: digits.count, by: 2).compactMap { UInt8(String(digits[$0...($0 + 1)]), radix: 16) }
}
