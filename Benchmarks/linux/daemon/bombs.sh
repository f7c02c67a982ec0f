# The memory that each bomb of the end-to-end test `bombs` takes at most, alone in a daemon for BOMB seconds (default: 15),
# and the longest time between two beats of a pipeline beside it.
. "${0%/*}/lib.sh"
install_package
box sh -c 'mkdir -p /srv/bombs/storm && cd /srv/bombs
    objects() { awk -v n="$1" "BEGIN { printf \"[{}\"; for (i = 1; i < n; i++) printf \",{}\"; printf \"]\" }"; }
    objects 600000 | gzip -9 >objects.gz
    objects 340000 | gzip -9 >within.gz
    head -c 33554432 /dev/zero | tr "\0" x | gzip -9 >long.gz
    head -c 900000 /dev/zero | tr "\0" x >text
    head -c 1000000 /dev/zero | tr "\0" "[" >nested
    awk "BEGIN { for (i = 0; i < 1500; i++) printf \"add_header F%d x;\n\", i }" >fields
    awk "BEGIN { for (i = 0; i < 900; i++) printf \"add_header Field-%d %0100d;\n\", i, 0 }" >header
    awk "BEGIN { for (i = 0; i < 80000; i++) printf \"abcd \" }" >words'
put /etc/nginx/conf.d/bombs.conf <<'NGINX'
server {
    listen 127.0.0.1:8080;
    root /srv/bombs;
    default_type text/plain;
    location ~ ^/(objects|within) { default_type application/json; add_header Content-Encoding gzip; try_files $uri.gz =404; }
    location /fields { include /srv/bombs/fields; try_files /text =404; }
    location /header { include /srv/bombs/header; return 204; }
    location /nested { default_type application/json; }
    location /long { add_header Content-Encoding gzip; try_files $uri.gz =404; }
}
NGINX
box systemctl restart nginx

# bomb WHAT [SOURCE [STEPS [TO]]]: the parts of the bomb's pipeline, as flow values.
bomb() {
    local what=$1 source=${2:-'{ interval: { every: 2s, delay: 0s } }'} steps=${3:-} to=${4:-'[stdout]'} pid peak group=
    begin <<YAML
daemon: { drain: 1s, resources: 1h }
sources:
  tick: { interval: 100ms }
  bomb: $source
pipelines:
  beats: { from: tick, steps: [map: .tick], to: [journal: "beat {{.}}"] }
  bombs: { from: bomb, steps: [$steps], to: $to }
YAML
    pid=$(show MainPID)
    limit_memory
    limit_tasks
    # The group counts what the bombs before took, too.
    [[ ! -e $MEMORY_GROUP/memory.max_usage_in_bytes ]] || echo 0 >"$MEMORY_GROUP/memory.max_usage_in_bytes"
    from_now
    [[ $what != 'five hundred'* ]] || box sh -c 'cd /srv/bombs/storm && for number in $(seq 500); do : >"$number"; done'
    local until=$((SECONDS + ${BOMB:-15}))
    until ((SECONDS >= until)); do sleep 0.5; done
    peak=$(($(memory VmHWM) >> 10))
    [[ ! -e $MEMORY_GROUP/memory.max_usage_in_bytes ]] ||
        group=", with its processes $(($(<"$MEMORY_GROUP/memory.max_usage_in_bytes") >> 20)) MiB"
    figure "$what: $peak MiB$group; $(longest) ms between beats"
    equal "$(show MainPID) $(show ActiveState) $(show NRestarts)" "$pid active 0" "$what"
    at_most 2000 "$(longest)" "ms between beats, $what"
    box systemctl stop rxwatchd
    equal "$(show Result) $(show ExecMainStatus)" 'success 0' "$what"
}
http() { echo "{ http: { url: 'http://127.0.0.1:8080/$1', every: ${2:-500ms}${3:+, $3} } }"; }
sleeping='[command: { run: [sleep, "1000"] }]'

bomb nothing
bomb '600,000 objects in 1,787 bytes of gzip' "$(http objects)"
bomb '340,000 objects, within maxBody' "$(http within)"
bomb '32 MiB of text in gzip' "$(http long)"
bomb '32 MiB of text, maxBody: 64MiB' "$(http long 500ms 'maxBody: 64MiB')"
bomb '1 MB of [ as JSON' "$(http nested)"
bomb '0.9 MB each 100 ms, and a sink that hangs' "$(http text 100ms)" '' "$sleeping"
bomb '1 MB from an expression each 100 ms, and a sink that hangs' '{ interval: 100ms }' 'map: "\"x\" * 1000000"' "$sleeping"
bomb 'five hundred files, 0.9 MB of output for each' '{ files: { paths: /srv/bombs/storm, events: created } }' \
    'flatMap: { command: { run: [sh, -c, "cat /srv/bombs/text; sleep 2"], timeout: 10s } }, map: .exit'
bomb 'a header of 1,500 fields' "$(http fields 20ms)"
bomb 'a header of 900 fields of 100 bytes each 20 ms, and a sink that hangs' "$(http header 20ms)" '' "$sleeping"
bomb 'a journal record with 1,000 fields of 1 kB each 100 ms' '{ interval: 100ms }' \
    "map: '(\"x\" * 1000) as \$x | [range(1000)] | map({key: \"F\\(.)\", value: \$x}) | from_entries'" \
    '[journal: { message: "x", fields: { BOMB: "{{tojson}}" } }]'
bomb 'a command that starts processes without end' '{ interval: { every: 10s, delay: 0s } }' \
    'flatMap: { command: { run: [sh, -c, "f() { f & f & wait; }; f 2>/dev/null & exec sleep 100"], timeout: 2s } }'
bomb 'scan over 400 kB' "$(http words 1s)" "map: '[.body | scan(\"[a-z_]+\")] | length'"
bomb 'a command that prints 1 MB of [' \
    "{ command: { run: [sh, -c, 'head -c 1000000 /dev/zero | tr \"\\\\0\" \"[\"'], every: 1s } }" 'map: .stdout | fromjson'
bomb '[range(1e9)]' '' "map: '[range(1e9)]'"
bomb '[repeat("x" * 1000000)]' '' "map: '[repeat(\"x\" * 1000000)]'"
bomb 'a list nested 10,000,000 times' '' "map: 'reduce range(1e7) as \$i (0; [.])'"
bomb '.[nan:]' '' "map: '[1] | .[nan:]'"
bomb 'last(repeat(.))' '' "map: 'last(repeat(.))'"
bomb 'a value that shares its parts, 2^30 times' '' "map: '$(printf '[., .] | %.0s' {1..30}) tojson'"
bomb 'a state that doubles with each event' '{ interval: 100ms }' "scan: { seed: [1], next: '[\$state, \$state]' }"
