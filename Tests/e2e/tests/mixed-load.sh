# Every source, most sinks, reloads and a client under load, for a short time: memory, descriptors, watches and subscriptions do not grow.
SOAK=${SOAK:-25}
. "${BASH_SOURCE[0]%/*}/../../../Benchmarks/linux/daemon/soak.sh"
