# While hundreds of servers accept connections and never answer, commands, files and the webhooks of another server go on, with few
# threads and a descriptor for each connection; also if these servers take all descriptors that they can get. A stop does not wait.
. "${0%/*}/../lib.sh"

install_package
put /etc/nginx/conf.d/hook.conf <<'NGINX'
log_format short '$status';
server {
    listen 127.0.0.1:8080;
    location /hook { access_log /var/log/nginx/hook.log short; return 204; }
    location /load { access_log off; return 200 loaded; }
}
NGINX
box systemctl restart nginx
# A server at all addresses of this host, with as many descriptors as it wants.
# shellcheck disable=SC2016 # perl expands these
box prlimit --nofile=4096 perl -MSocket -e 'socket(my $server, AF_INET, SOCK_STREAM, 0) or die "socket: $!";
    bind($server, sockaddr_in(8081, INADDR_ANY)) or die "bind: $!"; listen($server, 1024) or die "listen: $!";
    print "listening\n"; close STDOUT; my @open; while (accept(my $client, $server)) { push @open, $client }' \
    </dev/null >"$SCRATCH/server" &
eventually 10 test -s "$SCRATCH/server"

# configuration SOURCES SINKS: prints a configuration with so many of each at servers that hang, each with an address of its own.
configuration() {
    local number
    echo 'daemon: { drain: 1s, resources: 1h }'
    echo 'sources:'
    echo '  tick: { interval: 100ms }'
    echo '  once: { interval: { every: 1h, delay: 0s } }'
    echo '  load: { http: { url: "http://127.0.0.1:8080/load", every: 200ms, timeout: 190ms } }'
    for ((number = 1; number <= $1; number++)); do
        echo "  hung-$number: { http: { url: 'http://127.1.$((number / 250)).$((number % 250 + 1)):8081/', every: 1h, timeout: 59min } }"
    done
    echo 'pipelines:'
    echo '  beats: { from: tick, steps: [map: .tick], to: [journal: "beat {{.}}", file: /var/lib/rxwatchd/lines] }'
    echo '  loads: { from: load, steps: [filter: .ok], to: [file: /var/lib/rxwatchd/loads] }'
    echo '  hooks: { from: tick, steps: [throttle: 300ms], to: [http: { url: "http://127.0.0.1:8080/hook", timeout: 2s }] }'
    echo '  runs: { from: tick, steps: [throttle: 300ms], to: [command: { run: [sh, -c, "echo run >>/var/lib/rxwatchd/runs"] }] }'
    printf '  polled: { merge: [hung-1'
    for ((number = 2; number <= $1; number++)); do printf ', hung-%d' "$number"; done
    echo '], to: [journal: "answered"] }'
    printf '  sent: { from: once, to: [stdout'
    for ((number = 1; number <= $2; number++)); do printf ', http: { url: "http://127.2.0.%d:8081/", timeout: 1h }' "$number"; done
    echo '] }'
}

count() { box cat "$1" 2>/dev/null | wc -l; }
# continue_all: all of these get five more lines soon.
FILES=(/var/lib/rxwatchd/{lines,loads,runs} /var/log/nginx/hook.log)
more() { (($(count "$1") >= $2)); }
continue_all() {
    local file
    local -A goal
    for file in "${FILES[@]}"; do goal[$file]=$(($(count "$file") + 5)); done
    for file in "${FILES[@]}"; do eventually 10 more "$file" "${goal[$file]}"; done
}
threads() { box ls "/proc/$pid/task" | wc -l; }
descriptors() { box ls "/proc/$pid/fd" | wc -l; }
# connections: prints how many there are with the server that hangs. 1F91 is its port.
connections() { box awk '$3 ~ /:1F91$/ && $4 == "01"' /proc/net/tcp | wc -l; }
connected() { (($(connections) >= $1)); }

configuration 300 100 | put "$SHIPPED"
box systemctl restart rxwatchd
pid=$(show MainPID)
equal "$(show LimitNOFILE)" 65536
eventually 20 connected 400
continue_all
echo "figure: $(threads) threads, $(descriptors) descriptors for 400 connections"
# One thread for all connections of sources, and one for those of sinks. Dispatch keeps the others, in which everything was started.
equal "$(box sh -c "cat /proc/$pid/task/*/comm" | grep -cx rx-http)" 2
(($(threads) < 200)) || fail "$(threads) threads"
(($(descriptors) < 500)) || fail "$(descriptors) descriptors"
equal "$(records RX_KIND=event RX_PIPELINE=polled | wc -l)" 0 'answers'
(($(longest) < 5000)) || fail "beats were $(longest) ms apart"
equal "$(show MainPID) $(show ActiveState) $(show NRestarts)" "$pid active 0"
stop_within 5

# With fewer descriptors than servers: these get twice a quarter of them, after which polls of other servers wait, but no sink.
drop_in descriptors <<<$'[Service]\nLimitNOFILE=256'
configuration 300 0 | put "$SHIPPED"
from_now
box systemctl restart rxwatchd
pid=$(show MainPID)
eventually 20 connected 128
FILES=(/var/lib/rxwatchd/{lines,runs} /var/log/nginx/hook.log)
continue_all
echo "figure: $(descriptors) descriptors of 256, $(connections) connections"
(($(descriptors) < 256 * 3 / 4)) || fail "$(descriptors) descriptors"
(($(longest) < 5000)) || fail "beats were $(longest) ms apart"
equal "$(show MainPID) $(show NRestarts)" "$pid 0"
box systemctl stop rxwatchd
equal "$(show Result) $(show ExecMainStatus)" 'success 0'
eventually 10 some '.MESSAGE | test("^stopped on SIGTERM: 0 live objects")' RX_PHASE=stopped
