import SeededRandom

extension Config {
    /// A random configuration.
    static func random(_ random: inout SplitMix64) -> Config {
        var config = Config()
        for (index, name) in ["a", "b", "c"].prefix(random.within(1...3)).enumerated() {
            let isFiles = index == 0 || random.chance(50)
            config.sources.append(
                Source(
                    name: name, kind: isFiles ? .files : .interval(random.within(80...250)),
                    inFlight: random.chance(20) ? random.within(50...100) : nil))
            config.add(.base(name), named: "\(name)-base", &random)
        }
        for number in 1...random.within(1...4) { config.addPipeline("p\(number)", &random) }
        // A node without consumers does not run.
        for (index, node) in config.nodes.enumerated() where node.sinks.isEmpty && !node.isBase {
            config.nodes[index].sinks = [Sink(key: "\(node.name)/file", kind: .file, before: 0, after: 0)]
        }
        for (index, node) in config.nodes.enumerated() where node.fails && random.chance(60) {
            config.nodes[index].failureSinks = Self.receivers(of: node, &random)
        }
        for (index, node) in config.nodes.enumerated() where !node.fails && random.chance(30) {
            guard let command = node.sinks.firstIndex(where: { $0.kind == .command }) else { continue }
            config.nodes[index].sinks[command].fails = true
            config.nodes[index].failureSinks = Self.receivers(of: node, &random)
        }
        for sink in config.nodes.flatMap(\.outlets).map(\.sink) {
            config.settings[sink.key] = SinkSettings(isSpooled: random.chance(30))
        }
        config.edited = Edited.all(&random)
        config.chooseSinkEdits(&random)
        config.drain = random.pick([0, 100, 1000, 5000])
        config.connect()
        return config
    }

    /// The sinks for the failures of a node, which finish an event independently of each other.
    private static func receivers(of node: Node, _ random: inout SplitMix64) -> [Sink] {
        let kinds: [Sink.Kind] = random.chance(40) ? [.file, .http] : [.file]
        return kinds.map { Sink(key: "\(node.failures)/\($0.rawValue)", kind: $0, before: 0, after: 0) }
    }

    func node(_ name: String) -> Node? { nodes.first { $0.name == name } }

    private mutating func addPipeline(_ name: String, _ random: inout SplitMix64) {
        // When a pipeline with a `take` completes, those that follow it complete in this process or, after a restart,
        // with the next event.
        let nodes = nodes.filter { !$0.ends }
        let input = random.pick(nodes)
        // Nodes that can be combined with it in the order of the sources' events.
        let others = nodes.filter { $0.log == nil && input.log == nil && $0.sources.isDisjoint(with: input.sources) }
        func steps(with others: [Node] = []) -> [Step] {
            (0...random.below(4)).map { _ in Step.random(&random, others: others.map(\.name)) }
        }
        let pairs = nodes.compactMap(\.pairForZip)
        let races = nodes.compactMap(\.pairForAmb)
        let kind: Node.Kind
        switch random.below(14) {
        case 0...3: kind = .later(input.name, Later.random(&random))
        case 10...11 where !pairs.isEmpty:
            let pair = random.pick(pairs)
            kind = .zip(pair.0, pair.1, steps())
        case 12...13 where !races.isEmpty:
            let pair = random.pick(races)
            kind = .amb(pair.0, pair.1)
        case 4 where !input.isLoose:
            kind = .mix([input.name, random.pick(nodes.filter { !$0.isLoose }).name])
        case 5...6 where !others.isEmpty: kind = .merge([input.name, random.pick(others).name], steps())
        case 7...8 where !others.isEmpty: kind = .combineLatest([input.name, random.pick(others).name], steps())
        default: kind = .steps(input.name, steps(with: others))
        }
        add(kind, named: name, &random)
    }

    private mutating func add(_ kind: Node.Kind, named name: String, _ random: inout SplitMix64) {
        let inputs: [Node]
        var steps: [Step] = []
        switch kind {
        case .base: inputs = []
        case .steps(let input, let list): (inputs, steps) = ([input].compactMap(node), list)
        case .merge(let names, let list), .combineLatest(let names, let list):
            (inputs, steps) = (names.compactMap(node), list)
        case .later(let input, _): inputs = [input].compactMap(node)
        case .zip(let one, let other, let list): (inputs, steps) = ([one, other].compactMap(node), list)
        case .amb(let one, let other): inputs = [one, other].compactMap(node)
        case .mix(let names): inputs = names.compactMap(node)
        }
        var sources = inputs.reduce(into: Set<String>()) { $0.formUnion($1.sources) }
        for case .withLatestFrom(let other) in steps { sources.formUnion(node(other)?.sources ?? []) }
        if case .base(let source) = kind { sources = [source] }
        var isLoose = inputs.contains(where: \.isLoose)
        var log = inputs.first?.log
        switch kind {
        case .mix, .amb: (isLoose, log) = (true, name)
        // Which events are dropped depends on time.
        case .later(_, let later): (isLoose, log) = (isLoose || later.passing != .all || later.reorders, name)
        case .base, .steps, .merge, .combineLatest, .zip: break
        }
        var sinks: [Sink] = []
        if case .base = kind, random.chance(70) {
        } else {
            for kind in Sink.Kind.allCases where random.chance(60) {
                sinks.append(
                    Sink(
                        key: "\(name)/\(kind.rawValue)", kind: kind, before: random.pick([0, 0, 1, 5, 10]),
                        after: random.pick([0, 0, 1, 5, 10])))
            }
        }
        nodes.append(Node(name: name, kind: kind, sinks: sinks, sources: sources, log: log, isLoose: isLoose))
    }

    /// Numbers the components.
    private mutating func connect() {
        for (number, source) in sources.enumerated() { components[source.name] = number }
        for node in nodes {
            let numbers = Set(node.sources.compactMap { components[$0] })
            guard let least = numbers.min() else { continue }
            for (source, number) in components where numbers.contains(number) { components[source] = least }
        }
    }

    /// Changes some of the parts that a reload may change, and describes the change.
    mutating func edit(_ random: inout SplitMix64) -> String {
        if random.chance(25) { return editSinks(&random) }
        switch random.below(8) {
        case 6...7: return edited[random.below(edited.count)].edit(&random)
        case 0:
            rotation += 1
            return "order"
        case 1:
            drain = random.pick([0, 100, 1000, 5000])
            return "drain \(drain)"
        case 2:
            if extras.isEmpty || random.chance(50) {
                let name = random.pick(["extra", "other"])
                guard !extras.contains(where: { $0.name == name }) else { return "nothing" }
                let names = sources.map(\.name)
                let extra = Extra(
                    name: name, sources: Set([random.pick(names), random.pick(names)]).sorted(),
                    // The events that wait in it are not counted.
                    steps: (0...1).map { _ in Step.random(&random, others: []) }.filter { !$0.holds })
                extras.append(extra)
                return "add \(name)"
            }
            return "remove \(extras.remove(at: random.below(extras.count)).name)"
        case 3:
            guard let key = settings.keys.sorted().randomElement(using: &random) else { return "nothing" }
            settings[key]?.isSpooled.toggle()
            return "spool \(key) \(settings[key]?.isSpooled == true)"
        case 4:
            guard let key = settings.keys.sorted().randomElement(using: &random) else { return "nothing" }
            settings[key]?.capacity = random.within(40_000...60_000)
            return "queue \(key)"
        default:
            guard let key = settings.keys.sorted().randomElement(using: &random) else { return "nothing" }
            settings[key]?.timeout = random.within(30...90)
            return "timeout \(key)"
        }
    }
}

extension Config.Node {
    /// Its input and itself, if it makes one event of each at once.
    fileprivate var pairForZip: (String, String)? {
        guard case .steps(let input, let steps) = kind, steps.allSatisfy(\.isOneToOne) else { return nil }
        return (input, name)
    }

    /// Its input and itself, if it passes all of its events on later.
    fileprivate var pairForAmb: (String, String)? {
        guard case .later(let input, let later) = kind, later.passing == .all else { return nil }
        return (input, name)
    }
}
