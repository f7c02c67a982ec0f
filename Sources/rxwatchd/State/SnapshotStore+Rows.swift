import RxJQ
import RxJSON
import RxPipelines
import RxStore

// The rows of the store, and the values that they encode.

extension SinkProgress {
    func row(of id: String, from source: String, _ process: Int64, mark: Int64) -> [DatabaseValue] {
        [.text(id), .text(source), .integer(process), .integer(mark), .blob(json.bytes)]
    }
}

extension NodeState {
    func row(of node: String) -> [DatabaseValue] {
        let cells = JSON.object(
            JSON.Object(uniqueKeysWithValues: cells.sorted { $0.key < $1.key }.map { ($0, $1.json) }))
        return [.text(node), .text(content), .text(run), .blob(cells.bytes)]
    }

    static func read(row: [DatabaseValue]) -> (String, NodeState)? {
        guard row.count == 4, let node = row[0].text, let content = row[1].text, let run = row[2].text,
            let cells = try? JSON(parsing: row[3].blob ?? []), let members = cells.object?.members
        else { return nil }
        let values = Dictionary(members.map { ($0.key, JQValue($0.value)) }) { $1 }
        return (node, NodeState(content: content, run: run, cells: values))
    }
}

extension SinkNames {
    func rows(of pipeline: String) -> [[DatabaseValue]] {
        let entries = sinks.map { ($0, false) } + removed.map { ($0, true) }
        return entries.enumerated().map { place, entry in
            let (sink, isRemoved) = entry
            return [
                .text(pipeline), .text(sink.kind), .integer(Int64(sink.number)), .integer(Int64(place)),
                .integer(isRemoved ? 1 : 0), .text(sink.content),
            ]
        }
    }

    /// Decodes the rows of several pipelines, each in the order of its sinks. Rows that cannot be decoded are skipped.
    static func read(rows: [[DatabaseValue]]) -> [String: SinkNames] {
        var read: [String: (sinks: [Entry], removed: [Entry])] = [:]
        for row in rows {
            guard row.count == 5, let pipeline = row[0].text, let kind = row[1].text,
                let number = row[2].integer.flatMap({ Int(exactly: $0) }), let content = row[4].text
            else { continue }
            let entry = Entry(kind: kind, number: number, content: content)
            if row[3].integer == 0 {
                read[pipeline, default: ([], [])].sinks.append(entry)
            } else {
                read[pipeline, default: ([], [])].removed.append(entry)
            }
        }
        return read.mapValues { SinkNames(sinks: $0.sinks, removed: $0.removed) }
    }
}

/// A note of the progress of sinks with an event since the last snapshot.
struct ProgressNote {
    let id: String
    let source: String
    let progress: SinkProgress

    init?(row: [DatabaseValue]) {
        guard row.count == 3, let id = row[0].text, let source = row[1].text,
            let done = try? JSON(parsing: row[2].blob ?? [])
        else { return nil }
        (self.id, self.source, progress) = (id, source, SinkProgress(done))
    }
}

extension SourceEvent {
    /// The primary key of the event's row.
    var key: [DatabaseValue] { [.text(source), .text(run), .integer(Int64(sequence))] }
}

extension UnsettledEvent {
    var row: [DatabaseValue] {
        event.key + [
            .real(event.time), .blob(value.bytes), .blob(progress.json.bytes), .blob(results.json.bytes),
            .integer(Int64(order)),
        ]
    }

    /// Whether both have the same row, if they have the same key.
    func isStoredLike(_ other: UnsettledEvent) -> Bool {
        order == other.order && value == other.value && progress == other.progress && results == other.results
    }

    init?(row: [DatabaseValue]) {
        guard row.count == 8, let source = row[0].text, let run = row[1].text,
            let sequence = row[2].integer.flatMap({ UInt64(exactly: $0) }), let time = row[3].real,
            let value = try? JSON(parsing: row[4].blob ?? [])
        else { return nil }
        // An event whose progress cannot be decoded is delivered again all the same.
        let done = try? JSON(parsing: row[5].blob ?? [])
        let results = try? JSON(parsing: row[6].blob ?? [])
        self.init(
            SourceEvent(source, run: run, sequence: sequence, time: time, isRedelivered: true), value,
            SinkProgress(done ?? [:]), StepResults(results ?? []),
            order: row[7].integer.flatMap { Int(exactly: $0) } ?? 0)
    }
}

extension SinkProgress {
    /// An object: by the name of a sink, the numbers that it has finished, and `[number, failure]` for those that it
    /// failed on.
    var json: JSON {
        let (done, failures) = (done, failures)
        let entries = Set(done.keys).union(failures.keys).sorted().map { sink -> (String, JSON) in
            let numbers = (done[sink] ?? []).sorted().map { JSON.number(Double($0)) }
            let failed = (failures[sink] ?? [:]).sorted { $0.key < $1.key }
                .map { JSON.array([.number(Double($0.key)), $0.value]) }
            return (sink, .array(numbers + failed))
        }
        return .object(JSON.Object(uniqueKeysWithValues: entries))
    }

    init(_ json: JSON) {
        let entries = (json.object?.members ?? []).map { ($0.key, $0.value.array ?? []) }
        self.init(
            done: Dictionary(entries.map { ($0, Set($1.compactMap(Self.number))) }) { $0.union($1) },
            failures: Dictionary(entries.map { ($0, Dictionary($1.compactMap(Self.failure)) { $1 }) }) { $1 })
    }

    private static func number(_ json: JSON) -> Int? { json.number.flatMap { Int(exactly: $0) } }

    private static func failure(_ json: JSON) -> (Int, JSON)? {
        guard let number = json[0].flatMap(number), let failure = json[1] else { return nil }
        return (number, failure)
    }
}

extension StepResults {
    /// A list of `[step, arrival]`, `[step, arrival, output]` or `[step, arrival, output, branch]`.
    fileprivate var json: JSON {
        .array(
            made.map { result in
                let output = result.output.map { [$0] } ?? []
                let branch = result.branch.map { [JSON.number(Double($0.value))] } ?? []
                return .array([.string(result.step), .number(Double(result.arrival))] + output + branch)
            })
    }

    fileprivate init(_ json: JSON) {
        self.init(
            (json.array ?? []).compactMap { entry in
                guard let step = entry[0]?.string, let arrival = entry[1]?.number.flatMap({ Int(exactly: $0) }) else {
                    return nil
                }
                return StepResults.Result(
                    step: step, arrival: arrival, output: entry[2], branch: entry[3].flatMap { EventBranch(saved: $0) })
            })
    }
}
