# The memory and the processor time of an idle daemon with ten pipelines, and the time until it is ready.
. "${0%/*}/lib.sh"
install_package
begin <<'YAML'
sources:
  tick: { interval: 10s }
  passwd: { files: /etc/passwd }
  certs: { files: { paths: [/etc/ssl], recursive: true } }
pipelines:
  p0: { from: tick, steps: [map: .tick, filter: . > 1000000], to: [journal] }
  p1: { from: tick, steps: [scan: { seed: 0, next: $state + 1 }, filter: . > 1000000], to: [journal] }
  p2: { from: passwd, to: [journal: "{{.kind}} {{.path}}"] }
  p3: { from: certs, steps: [debounce: 1s], to: [journal: "{{.path}}"] }
  p4: { from: certs, steps: [throttle: 30s], to: [stdout] }
  p5: { from: p1, steps: [map: "{n: .}"], to: [journal] }
  p6: { combineLatest: [p2, p3], to: [journal] }
  p7: { merge: [p2, p3], steps: [distinctUntilChanged], to: [stdout] }
  p8: { from: tick, steps: [map: .time | todate, filter: "false"], to: [journal] }
  p9: { from: tick, steps: [withLatestFrom: certs], to: [journal] }
YAML
eventually 10 some '.RX_PIPELINE == "p9"' RX_KIND=resources
resident=$(memory VmRSS) anonymous=$(memory RssAnon) ready=$(ready)
figure "idle with ten pipelines: $resident KiB resident, $anonymous KiB of it anonymous, ready after $ready ms"
before=$(cpu)
from_now
eventually 40 some true RX_KIND=resources
figure "$(jq -rn "(($(cpu) - $before) * 1000 | round)") ms of processor time in half a minute"
at_most 20480 "$resident" 'KiB resident'
at_most 8192 "$anonymous" 'KiB anonymous'
at_most 50 "$ready" 'ms until ready'
