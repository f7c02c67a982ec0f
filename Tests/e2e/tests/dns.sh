# While no name server answers, lookups use few threads and descriptors, other requests continue, and a stop does not wait.
. "${0%/*}/../lib.sh"

install_package
put /etc/nginx/conf.d/hook.conf <<'NGINX'
server {
    listen 127.0.0.1:8080;
    default_type text/plain;
    location /hook { return 204; }
    location /load { return 200 loaded; }
}
NGINX
box systemctl restart nginx
# The name of the hook is in a file, and takes a lookup all the same; libcurl resolves localhost itself.
box sh -c 'echo "127.0.0.1 hook.test" >>/etc/hosts; echo "nameserver 127.0.0.1" >/etc/resolv.conf'
# A name server that receives the questions and answers none.
box perl -MSocket -e 'socket(my $server, AF_INET, SOCK_DGRAM, 0) or die "socket: $!";
    bind($server, sockaddr_in(53, INADDR_LOOPBACK)) or die "bind: $!"; print "bound\n"; close STDOUT; sleep' \
    </dev/null >"$SCRATCH/server" &
eventually 10 test -s "$SCRATCH/server"
{
    echo 'daemon: { drain: 1s, resources: 200ms }'
    echo 'sources:'
    echo '  tick: { interval: 100ms }'
    echo '  load: { http: { url: "http://127.0.0.1:8080/load", every: 200ms } }'
    echo '  named: { http: { url: "http://hook.test:8080/load", every: 5s, timeout: 5s } }'
    for number in {1..300}; do
        echo "  name-$number: { http: { url: 'http://name-$number.test/', every: 1s, timeout: 1s } }"
    done
    echo 'pipelines:'
    echo '  beats: { from: tick, steps: [map: .tick], to: [journal: "beat {{.}}"] }'
    echo '  loads: { from: load, to: [journal: "{{.ok}} {{.body}}"] }'
    echo '  found: { from: named, to: [journal: "{{.ok}} {{.body}}"] }'
    echo '  hooks: { from: tick, steps: [throttle: 300ms], to: [http: { url: "http://hook.test:8080/hook", timeout: 1s }] }'
    printf '  names: { merge: [name-1'
    printf ', name-%d' {2..300}
    echo '], to: [journal: "{{$event.source}} {{.ok}} {{.error.message}}"] }'
} | put "$SHIPPED"
from_now
box systemctl restart rxwatchd
pid=$(show MainPID)
took=$(($(show ActiveEnterTimestampMonotonic) - $(show ExecMainStartTimestampMonotonic)))
((took < 2000000)) || fail "ready only after $took us"

# 24 lookups at once, and as many again for those that hang, each with a thread and a socket. Most requests end while they
# wait for one.
most_threads=0 most_descriptors=0
rounds() {
    local threads descriptors
    threads=$(box ls "/proc/$pid/task" | wc -l) descriptors=$(box ls "/proc/$pid/fd" | wc -l)
    ((threads <= most_threads)) || most_threads=$threads
    ((descriptors <= most_descriptors)) || most_descriptors=$descriptors
    (($(records RX_KIND=event RX_PIPELINE=names | wc -l) > 300 * $1))
}
eventually 10 rounds 1
from_now
eventually 10 rounds 2
echo "figure: $most_threads threads, $most_descriptors descriptors"
((most_threads > 24 && most_threads < 100)) || fail "$most_threads threads"
((most_descriptors < 150)) || fail "$most_descriptors descriptors"
every '.MESSAGE | test("^name-[0-9]+ false ")' RX_KIND=event RX_PIPELINE=names

# Meanwhile, all other requests were answered, also to a server whose name is looked up among them.
eventually 10 some '.MESSAGE == "true loaded"' RX_KIND=event RX_PIPELINE=found
every '.MESSAGE == "true loaded"' RX_KIND=event RX_PIPELINE=loads
every '.MESSAGE | test("http done: POST http://hook.test:8080")' RX_KIND=sink RX_PIPELINE=hooks
(($(records RX_KIND=event RX_PIPELINE=beats | wc -l) > 10)) || fail 'too few beats'
equal "$(show MainPID) $(show NRestarts)" "$pid 0"

# A stop cannot end the lookups, and does not wait for them.
lookups() { box sh -c "cat /proc/$pid/task/*/comm 2>/dev/null" | grep -cx rx-names; }
(($(lookups) > 0)) || fail 'no lookup is running'
stop_within 2
eventually 10 some '.MESSAGE | test("^stopped on SIGTERM: 0 live objects")' RX_PHASE=stopped
