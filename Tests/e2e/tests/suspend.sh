# A host that was suspended: its boot clock has advanced, and its monotonic clock has not. No time limit has passed by that: not
# that of an evaluation, not the one after which a file is settled, and not that of a stop. A library advances the boot clock of
# the daemon by the seconds that a file contains.
. "${0%/*}/../lib.sh"

# The compiler is that of the Swift toolchain.
clang -shared -fPIC -O1 -x c -o "$SCRATCH/suspended.so" - <<'C'
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

int clock_gettime(clockid_t clock, struct timespec *time) {
    static int (*real)(clockid_t, struct timespec *);
    if (!real) real = (int (*)(clockid_t, struct timespec *))dlsym(RTLD_NEXT, "clock_gettime");
    int status = real(clock, time);
    if (status != 0 || clock != CLOCK_BOOTTIME) return status;
    int file = open("/var/lib/suspended", O_RDONLY | O_CLOEXEC);
    if (file < 0) return status;
    char text[32];
    ssize_t count = read(file, text, sizeof text - 1);
    close(file);
    if (count > 0) time->tv_sec += (text[count] = 0, atol(text));
    return status;
}
C

install_package
box systemctl stop rxwatchd
box sh -c 'cat >/usr/lib/suspended.so' <"$SCRATCH/suspended.so"
drop_in suspended <<<$'[Service]\nEnvironment=LD_PRELOAD=/usr/lib/suspended.so'
box mkdir -p /srv/files
put "$SHIPPED" <<'YAML'
daemon: { drain: 10s, resources: 1h }
sources:
  files: { files: { paths: /srv/files, events: created, settle: 3s } }
  tick: { interval: 1s }
  late: { interval: { every: 1h, delay: 10s } }
pipelines:
  settled: { from: files, to: [journal: "{{.path}}"] }
  long: { from: tick, steps: [map: 'reduce range(1500000) as $i (0; . + 1)'], to: [journal: "{{.}}"] }
  slow:
    from: late
    to: [command: { run: [sh, -c, 'echo begun >>/var/lib/rxwatchd/slow; sleep 2; echo done >>/var/lib/rxwatchd/slow'] }]
YAML
slept=0
suspend() {
    slept=$((slept + 3600))
    put /var/lib/suspended <<<"$slept"
}
suspend
box systemctl start rxwatchd
equal "$(box sh -c "grep -c suspended.so /proc/$(show MainPID)/maps >/dev/null && echo loaded")" loaded

# An expression that has run for long before is evaluated in a process of its own, which has seven seconds.
eventually 30 some '.MESSAGE == "1500000"' RX_PIPELINE=long
for _ in {1..20}; do
    suspend
    sleep 0.2
done
# The daemon's clock has advanced: the time since its start counts all of that.
up=$(box rxwatchctl status --json | jq .details.up)
((up >= 20 * 3600)) || fail "up $up seconds"
# That it runs for long is recorded, too.
if some '.RX_ERROR_TYPE != "JQSlowRun"' RX_KIND=error RX_PIPELINE=long; then fail "$(records RX_KIND=error RX_PIPELINE=long)"; fi

# A file settles three seconds after its last change, also if another one changes after the host was suspended.
began=${EPOCHREALTIME/./}
put /srv/files/first <<<1
suspend
put /srv/files/second <<<2
eventually 10 some '.MESSAGE == "/srv/files/first"' RX_KIND=event RX_PIPELINE=settled
settled=$(records RX_KIND=event RX_PIPELINE=settled | jq -r '.__REALTIME_TIMESTAMP' | head -n 1)
((settled - began > 2900000)) || fail "it settled after $((settled - began)) us"

# A command that is running may finish within the drain time.
eventually 20 box grep -qx begun /var/lib/rxwatchd/slow
box systemctl stop --no-block rxwatchd
eventually 5 some true RX_PHASE=stopping
suspend
eventually 10 is ActiveState inactive
equal "$(box cat /var/lib/rxwatchd/slow)" $'begun\ndone'
equal "$(show Result) $(show ExecMainStatus)" 'success 0'
