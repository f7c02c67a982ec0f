import RxDiagnostics
import RxYAML

/// Merges several files into one configuration. A later file replaces sources, pipelines and tests of the same name as a
/// whole, and settings of the daemon one by one.
struct ConfigMerge {
    private static let sections = ["sources", "pipelines", "tests"]

    private let report: Report
    private var daemon = Section()
    private var named = Dictionary(uniqueKeysWithValues: sections.map { ($0, Section()) })
    /// The pairs with unknown keys, including repeated ones.
    private var rest: [YAMLNode.Pair] = []

    /// Merges the roots of the files, in their order. Roots and sections that are not mappings are reported.
    static func merge(_ roots: [YAMLNode], _ report: Report) -> YAMLNode {
        guard roots.count > 1, let first = roots.first else {
            let nowhere = SourceLocation(file: "", line: 1, column: 1)
            return roots.first ?? YAMLNode(.mapping([]), at: nowhere)
        }
        var merge = ConfigMerge(report: report)
        for root in roots { merge.add(root) }
        let pairs = ([("daemon", merge.daemon)] + sections.map { ($0, merge.named[$0] ?? Section()) })
            .compactMap { key, section in section.pair(key) }
        return YAMLNode(.mapping(pairs + merge.rest), at: first.location)
    }

    private init(report: Report) {
        self.report = report
    }

    private mutating func add(_ root: YAMLNode) {
        guard let pairs = root.mapping else {
            report.add("the configuration needs a mapping, found \(root.described)", at: root.location)
            return
        }
        // A source may replace a pipeline of the same name, and a pipeline a source.
        let nodes = ["sources", "pipelines"]
        let names = Set(nodes.flatMap { root[$0]?.mapping ?? [] }.map(\.key))
        for section in nodes { named[section]?.remove(names, but: root[section]?.mapping ?? []) }
        for pair in pairs {
            let isNamed = Self.sections.contains(pair.key)
            guard isNamed || pair.key == "daemon" else {
                rest.append(pair)
                continue
            }
            guard pair.value.mapping != nil || pair.value.isNull else {
                report.add("'\(pair.key)' needs a mapping, found \(pair.value.described)", at: pair.value.location)
                continue
            }
            if isNamed { named[pair.key]?.add(pair) } else { daemon.add(pair) }
        }
    }

    /// The merged value of one key of the root.
    private struct Section {
        private var key: YAMLNode.Pair?
        private var pairs: [YAMLNode.Pair?] = []
        private var places: [String: Int] = [:]

        mutating func add(_ section: YAMLNode.Pair) {
            key = key ?? section
            for pair in section.value.mapping ?? [] {
                if let place = places[pair.key] {
                    pairs[place] = pair
                } else {
                    places[pair.key] = pairs.count
                    pairs.append(pair)
                }
            }
        }

        /// Removes the pairs with these names, except those that `kept` is about to replace.
        mutating func remove(_ names: Set<String>, but kept: [YAMLNode.Pair]) {
            for name in names.subtracting(kept.map(\.key)) {
                guard let place = places.removeValue(forKey: name) else { continue }
                pairs[place] = nil
            }
        }

        /// The section as a pair of the root; `nil` if no file has it.
        func pair(_ name: String) -> YAMLNode.Pair? {
            key.map { key in
                let all = YAMLNode(.mapping(pairs.compactMap(\.self)), at: key.value.location)
                return YAMLNode.Pair(name, at: key.keyLocation, all)
            }
        }
    }
}
