# shellcheck shell=bash
# The functions of the tests. A test runs on the host, with a freshly booted box of its own: $BOX is the pid of its systemd,
# $DEB the package, and $SCRATCH a directory for temporary files. The first command that fails ends the test.
# shellcheck disable=SC2034 # the variables are for the tests
set -Eeuo pipefail
trap 'echo "at ${BASH_SOURCE[0]##*/}:$LINENO: $BASH_COMMAND" >&2' ERR

E2E=$(dirname "${BASH_SOURCE[0]}")
SHIPPED=/etc/rxwatchd/rxwatchd.yaml

# box COMMAND...: runs a command in the box, as root, with the same standard streams and exit status.
box() {
    nsenter -t "$BOX" --mount --uts --ipc --net --pid --cgroup --root --wd -- \
        env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LANG=C.UTF-8 SYSTEMD_PAGER= "$@"
}

# put PATH: writes standard input to a file in the box.
# shellcheck disable=SC2016 # the box's shell expands these
put() { box sh -c 'mkdir -p "${1%/*}" && cat >"$1"' sh "$1"; }

fail() {
    echo "$*"
    exit 1
}

# eventually SECONDS COMMAND...: repeats the command until it succeeds; fails after this time.
eventually() {
    local deadline=$((${EPOCHREALTIME/./} + $1 * 1000000))
    shift
    until "$@" >/dev/null 2>&1; do
        ((${EPOCHREALTIME/./} < deadline)) || fail "never came true: $*"
        sleep 0.02
    done
}

equal() { [[ $1 == "$2" ]] || fail "expected '$2', got '$1'${3:+: $3}"; }

# refuses STATUS COMMAND...: the command must exit with this status. Its output goes to $SCRATCH/output.
refuses() {
    local expected=$1 status=0
    shift
    "$@" >"$SCRATCH/output" 2>&1 || status=$?
    equal "$status" "$expected" "exit status of $*: $(<"$SCRATCH/output")"
}

# ---- the service

install_package() {
    box sh -c 'cat >/tmp/rxwatchd.deb && dpkg -i /tmp/rxwatchd.deb' <"${1:-$DEB}" >"$SCRATCH/dpkg.log" 2>&1 ||
        fail "$(<"$SCRATCH/dpkg.log")"
}

show() { box systemctl show -P "$1" rxwatchd; }
is() { [[ $(show "$1") == "$2" ]]; }

# stop_within SECONDS: the daemon must stop within this time, and succeed. $TOOK is the time in microseconds.
stop_within() {
    local began=${EPOCHREALTIME/./}
    box systemctl stop rxwatchd
    TOOK=$((${EPOCHREALTIME/./} - began))
    ((TOOK < $1 * 1000000)) || fail "the stop took $TOOK us"
    equal "$(show Result) $(show ExecMainStatus)" 'success 0'
}

# limit_memory, limit_tasks: limit the running daemon, and what it starts, to its MemoryMax= or TasksMax= where that controller
# is one of cgroup v1, which the box's systemd cannot use. The kernel then acts in the same way, but the service manager does
# not learn of it: OOMPolicy= has no effect. The groups are $MEMORY_GROUP and $TASKS_GROUP, and are removed when the test ends.
MEMORY_GROUP=/sys/fs/cgroup/memory/rxwatchd-e2e-${LANE:-}
TASKS_GROUP=/sys/fs/cgroup/pids/rxwatchd-e2e-${LANE:-}
limit_memory() { limit "$MEMORY_GROUP" memory.limit_in_bytes MemoryMax; }
limit_tasks() { limit "$TASKS_GROUP" pids.max TasksMax; }
# show_memory_limit: lets the daemon, when it starts, read its MemoryMax= there, too.
show_memory_limit() {
    [[ -e ${MEMORY_GROUP%/*}/cgroup.procs ]] || return 0
    show MemoryMax | put /srv/cgroup/system.slice/rxwatchd.service/memory.max
    # systemd 257 needs this file, too.
    box touch /srv/cgroup/system.slice/rxwatchd.service/memory.pressure
    drop_in memory <<<$'[Service]\nBindReadOnlyPaths=/srv/cgroup:/sys/fs/cgroup'
}
limit() {
    local group=$1 cgroup process processes
    [[ -e ${group%/*}/cgroup.procs ]] || return 0
    trap 'rmdir "$MEMORY_GROUP" "$TASKS_GROUP" 2>/dev/null || true' EXIT
    mkdir -p "$group"
    show "$3" >"$group/$2"
    # PID 1 of the box is in init.scope, below the cgroup of the box. Outside of it, processes have other numbers.
    cgroup=$(awk '$3 == "cgroup2" {print $2; exit}' /proc/mounts)$(sed -n 's,^0::\(.*\)/init.scope$,\1,p' "/proc/$BOX/cgroup")
    # Read at once, since the list changes while commands start and end. One that has ended need not move.
    mapfile -t processes <"$cgroup/system.slice/rxwatchd.service/cgroup.procs"
    for process in "${processes[@]}"; do
        echo "$process" 2>/dev/null >"$group/cgroup.procs" || [[ ! -e /proc/$process ]] || fail "cannot limit process $process"
    done
}

# drop_in NAME: makes standard input a drop-in of the service.
drop_in() { put "/etc/systemd/system/rxwatchd.service.d/$1.conf" && box systemctl daemon-reload; }

BEAT='{beat: .tick}'
# config [EXPRESSION]: prints a config that writes a fast tick, mapped by the expression, to the journal.
config() {
    cat <<YAML
daemon: { resources: 1s, drain: 2s }
sources:
  tick: { interval: { every: 100ms } }
pipelines:
  heartbeat:
    from: tick
    steps:
      - map: '${1:-$BEAT}'
    to:
      - journal: { priority: info, message: "beat {{.beat}}" }
YAML
}

# ---- the journal

# from_now: makes the functions below ignore earlier records. (On systemd 252, --after-cursor would lose the first match.)
FROM=
from_now() { FROM=--since=@$EPOCHREALTIME; }

# records MATCH...: prints the records of the service as JSON, one a line.
records() { box journalctl -q --no-pager -u rxwatchd -o json ${FROM:+"$FROM"} "$@"; }

# some CONDITION MATCH...: succeeds if the jq condition holds for at least one of these records.
# every CONDITION MATCH...: fails unless there are such records and the condition holds for each.
some() { records "${@:2}" | jq -es "any(.[]; $1)" >/dev/null; }
every() { records "${@:2}" | jq -es "length > 0 and all(.[]; $1)" >/dev/null || fail "not every record: $*"; }

# longest: prints the longest time between two events of the pipeline `beats`, in milliseconds.
longest() {
    records RX_KIND=event RX_PIPELINE=beats | jq -es '[.[].__REALTIME_TIMESTAMP | tonumber / 1000 | floor] | sort
        | [.[1:], .[:-1]] | transpose | map(.[0] - .[1]) | max'
}

# continues PID: the pipeline `beats` of the daemon with this process goes on and was never delayed for long, although the boxes
# of other tests share the processors; stops the daemon.
continues() {
    local pid=$1 delay
    from_now
    eventually 5 some '.MESSAGE | test("^beat ")' RX_KIND=event RX_PIPELINE=beats
    FROM=
    delay=$(longest)
    ((delay < 5000)) || fail "the beats were $delay ms apart"
    equal "$(show MainPID) $(show ActiveState) $(show NRestarts)" "$pid active 0"
    echo "figure: the daemon took up to $(($(box sed -n 's/VmHWM:[^0-9]*\([0-9]*\).*/\1/p' "/proc/$pid/status") >> 10)) MiB"
    [[ ! -e $MEMORY_GROUP/memory.max_usage_in_bytes ]] ||
        echo "figure: with what it started, $(($(<"$MEMORY_GROUP/memory.max_usage_in_bytes") >> 20)) MiB"
    box systemctl stop rxwatchd
    equal "$(show Result) $(show ExecMainStatus)" 'success 0'
}
