import RxEngineModel

let arguments = CommandLine.arguments
let count = Int(arguments.dropFirst().first ?? "") ?? 1000
var seed = UInt64(arguments.dropFirst(2).first ?? "") ?? 1
var different = 0
var discarded = 0
for number in 0..<count {
    var generator = Generator(seed: seed &+ UInt64(number))
    let program = generator.program()
    switch compare(program) {
    case .same: break
    case .discarded: discarded += 1
    case .different:
        different += 1
        let shrunk = program.shrunk { compare($0).isDifferent }
        print("seed \(seed + UInt64(number)): \(shrunk)")
        if case .different(let model, let engine) = compare(shrunk) { print("MODEL\n\(model)\nENGINE\n\(engine)\n") }
    }
    if different >= 30 { break }
}
print("\(different) different, \(discarded) discarded of \(count)")
