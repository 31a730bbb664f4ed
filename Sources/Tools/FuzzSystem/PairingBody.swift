import FasciaPairing
import FasciaWire
import FuzzCore
import SwiftProtobuf

/// Input: steps of 2 bytes and what they need. Two ends with the same code talk; the fuzzer stands between and may change, drop, repeat
/// and make up what they say. Nobody finishes unless every message came through as it was sent.
@Sendable func checkPairing(_ input: [UInt8]) -> String? {
    guard var code = PairingCode("123456") else { return "a code is none" }
    code.cost = 2
    var input = FuzzInput(input)
    let binding = PairingBinding(phone: [1], headUnit: [2], exporter: [3])
    var phone = PairingExchange(.phone, code: code, name: "phone", binding: binding)
    var headUnit = PairingExchange(.headUnit, code: code, name: "car", binding: binding)
    var toHeadUnit: [PairingExchange.Message] = [], toPhone: [PairingExchange.Message] = []
    var tampered = false, ended = false
    var steps = 0
    while !input.isEmpty, steps < 16 {
        steps += 1
        let step = input.byte(), choice = input.byte()
        let isForPhone = choice & 1 == 0
        var outcome: PairingExchange.Step
        switch step % 8 {
        case 0: outcome = phone.start()
        case 1...4:
            // The next message in order, perhaps changed.
            guard let message = isForPhone ? toPhone.first : toHeadUnit.first else { continue }
            if isForPhone { toPhone.removeFirst() } else { toHeadUnit.removeFirst() }
            var body = message.body
            if choice & 6 == 6, !body.isEmpty {
                let at = Int(input.word()) % body.count, change = input.byte()
                body[at] ^= change
                tampered = tampered || change != 0
            }
            outcome = isForPhone ? phone.receive(message.type, body) : headUnit.receive(message.type, body)
        default:
            // Made up.
            let types = [MessageType.pairStart, MessageType.pairReply, MessageType.pairConfirm, MessageType.pairDone]
            let body = input.take(Int(input.byte()))
            tampered = true
            outcome = isForPhone ? phone.receive(types[Int(choice >> 1 & 3)], body) : headUnit.receive(types[Int(choice >> 1 & 3)], body)
        }
        let isPhone = step % 8 == 0 || isForPhone
        switch outcome {
        case .send(let message): if isPhone { toHeadUnit.append(message) } else { toPhone.append(message) }
        case .finished(let name, let last):
            // A changed name is not protected by the exchange, nor is PairDone's empty body; shares and confirmations are.
            if tampered, !isPhone, name != "phone", name.utf8.count > PairingExchange.maximumNameLength { return "a name of \(name.utf8.count) bytes" }
            if let last, !isPhone { toPhone.append(last) }
            ended = true
        case .failed: ended = true
        }
    }
    return ended || steps <= 16 ? nil : "no end"
}
