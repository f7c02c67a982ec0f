# Every target sets up what it needs. Start with `make run` or `make test`.
SHELL = /bin/bash
.DELETE_ON_ERROR:
.PHONY: help run test unit untraced clients sanitize fuzz fuzz-engine fuzz-threads fuzz-delivery check-barrier coverage snippets e2e bench bench-daemon lint format docs deb install uninstall clean FORCE

help:
	@sed -n 's/^#: //p' Makefile

#: make run         build, and run the daemon here on its demo config (Ctrl-C ends it)
#: make test        everything: unit tests, snippets, package, and the package under a booted systemd
#: make unit        the unit tests alone
#: make untraced    the engine's without the trait TRACE_RESOURCES
#: make clients     programs that use the engine, compiled in Swift 5 and Swift 6 mode
#: make sanitize    the libraries' tests under the thread and the address sanitizer
#: make fuzz        what takes bytes from elsewhere, fed with any (FUZZ=seconds each)
#: make fuzz-engine  random programs on the engine and on its model (SECONDS=60)
#: make fuzz-threads  random programs on real threads under the thread sanitizer (SECONDS=60)
#: make fuzz-delivery  the daemon on random configs, stopped and killed at random moments (SECONDS=60)
#: make check-barrier  unsubscribe while another thread emits, in a release build
#: make coverage    how much of the engine the tests run through
#: make e2e         the package under a booted systemd alone
#: make bench       measure the engine and what watches the host
#: make bench-daemon  measure the daemon on a booted systemd (SOAK=seconds, 600 by default)
#: make lint        format, house rules, manual, unit and package
#: make format      format the Swift files
#: make docs        the engine's documentation, into .build/docs
#: make deb         the Debian package, into .build/deb
#: make install     install here (PREFIX=/usr/local), or into DESTDIR
#: make uninstall   take that away again
#: make clean       remove all that was built

# ---- what has to be there

BUILD_PACKAGES = pkg-config libsystemd-dev libcurl4-openssl-dev libyaml-dev libjq-dev libsqlite3-dev
# Real journal files, a bus of the tests' own, and a real web server.
UNIT_PACKAGES = systemd-journal-remote dbus-daemon nginx-light openssl
DEB_PACKAGES = build-essential debhelper fakeroot
LINT_PACKAGES = systemd procps mandoc man-db shellcheck lintian
E2E_PACKAGES = mmdebstrap zstd jq procps util-linux
BENCH_PACKAGES = valgrind gcc libc6-dev nginx-light inotify-tools

SUDO = $(if $(filter-out 0,$(shell id -u)),sudo)

# $(call need,PACKAGES): installs those that are missing.
define need
@missing=$$(comm -23 <(printf '%s\n' $(1) | sort) \
	<(dpkg-query -W -f '$${db:Status-Status} $${Package}\n' $(1) 2>/dev/null | sed -n 's/^installed //p' | sort)); \
	[ -z "$$missing" ] || { echo "Installing" $$missing; \
	$(SUDO) apt-get update -q -o Acquire::Retries=5 && \
	$(SUDO) env DEBIAN_FRONTEND=noninteractive apt-get install -y -q -o Acquire::Retries=5 --no-install-recommends $$missing; }
endef

.PHONY: toolchain
toolchain:
	@command -v swift >/dev/null || { echo 'No Swift toolchain in PATH: 6.3 or later is needed, see swift.org/install' >&2; exit 1; }
	$(call need,$(BUILD_PACKAGES))

# ---- building

# Finished programs. Whoever names them elsewhere (the packaging does) has built them.
BINARIES = .build/release
PROGRAMS = $(BINARIES)/rxwatchd $(BINARIES)/rxwatchctl

ifeq ($(origin BINARIES),file)
# Part of Swift's static runtime asks for an executable stack, which the sandbox refuses every thread: no thread needs it.
HARDENING = -Xlinker -z -Xlinker now -Xlinker -z -Xlinker noexecstack
RELEASE = swift build -c release --static-swift-stdlib $(HARDENING)
# The compiler knows whether there is anything to do; it leaves an up-to-date program as it is.
$(PROGRAMS) &: toolchain FORCE
	$(RELEASE) --product rxwatchd
	$(RELEASE) --product rxwatchctl
endif

run: $(PROGRAMS)
	exec $(BINARIES)/rxwatchd --config Config/examples/demo.yaml

# ---- testing

test: unit untraced clients sanitize fuzz fuzz-threads check-barrier snippets e2e

unit: toolchain
	$(call need,$(UNIT_PACKAGES))
	Tests/run

# The engine with nothing counted, as a program that switches the trait TRACE_RESOURCES off has it. The daemon has it on.
untraced: toolchain
	$(call need,$(UNIT_PACKAGES))
	Tests/run --disable-default-traits --scratch-path .build/untraced --filter RxEngine --skip RxEngineModel

clients: toolchain
	swift build --target RxEngineXCTest
	swift build --target RxEngineBlocking
	Tests/clients/check .build/debug/Modules

# Under one sanitizer after the other, except what takes long and has neither threads nor memory of its own, and what is
# about the memory of a process that has no sanitizer.
SANITIZED = --filter 'RxEngine|RxLinux|RxJSON|RxDiagnostics|RxYAML|RxJQ|RxControl|RxPipelines' --skip 'RxEngineModel|TakesNoStack|LittleStack|ConfigWork|referencesEnd|repetitionsEnd|templatesEnd|aLongChain'
sanitize: toolchain
	$(call need,$(UNIT_PACKAGES))
	TSAN_OPTIONS=atexit_sleep_ms=0 \
	    Tests/run --sanitize=thread --scratch-path .build/thread $(SANITIZED)
	SWIFT_BACKTRACE=enable=no LSAN_OPTIONS=suppressions=$(CURDIR)/Tests/leaks:print_suppressions=0 \
	    Tests/run --sanitize=address --scratch-path .build/address $(SANITIZED) \
	    --skip 'ResidentMemory|doesNotGrow'

# Seconds for each.
FUZZ = 10
fuzz: toolchain
	for target in Tests/fuzz/*/run; do $$target $(FUZZ) || exit 1; done

# Random programs for so long. A failure prints what repeats it.
SECONDS = 60
SEED = 1
fuzz-engine: toolchain
	swift build -c release --product engine-fuzz
	.build/release/engine-fuzz --seconds $(SECONDS) --seed $(SEED)

fuzz-threads: toolchain
	swift build --product thread-fuzz --sanitize=thread --scratch-path .build/thread
	TSAN_OPTIONS=atexit_sleep_ms=0 .build/thread/debug/thread-fuzz --seconds $(SECONDS) --seed $(SEED)

fuzz-delivery: toolchain
	swift build --product rxwatchd
	swift build --product delivery-fuzz
	.build/debug/delivery-fuzz --seconds $(SECONDS) --seed $(SEED)

# The memory order of a release build, which neither a debug build nor a sanitizer can get wrong.
check-barrier: toolchain
	swift build -c release --product barrier-check
	.build/release/barrier-check

coverage: toolchain
	$(call need,jq)
	Tests/run --enable-code-coverage --scratch-path .build/coverage --filter 'RxEngine'
	Tests/coverage .build/coverage/debug/codecov/rxwatchd.json Sources/RxEngine/

snippets: toolchain
	Tests/snippets

e2e: .build/deb/rxwatchd.changes
	$(call need,$(E2E_PACKAGES))
	Tests/e2e/run

bench: toolchain
	$(call need,$(BENCH_PACKAGES))
	Benchmarks/run
	for subject in intervals journal files http renames pipelines; do Benchmarks/linux/$$subject || exit 1; done

bench-daemon: .build/deb/rxwatchd.changes
	$(call need,$(E2E_PACKAGES))
	TIMEOUT=3600 Tests/e2e/run $(patsubst %,Benchmarks/linux/daemon/%.sh,idle expressions latency steps throughput endpoints reloads soak)

lint: .build/deb/rxwatchd.changes
	$(call need,$(LINT_PACKAGES))
	swift format lint --strict --recursive --parallel Package.swift Sources Tests Snippets Benchmarks/Package.swift Benchmarks/Sources
	Tests/house
	Tests/e2e/lint

format:
	swift format --in-place --recursive --parallel Package.swift Sources Tests Snippets Benchmarks/Package.swift Benchmarks/Sources

docs: toolchain
	docs/build

# ---- packaging

deb: .build/deb/rxwatchd.changes

# Packaged in a copy, so that the checkout stays clean.
.build/deb/rxwatchd.changes: $(PROGRAMS) Makefile $(shell find Config deploy -type f)
	$(call need,$(DEB_PACKAGES))
	rm -rf .build/deb
	install -D -t .build/deb/rxwatchd/bin $(PROGRAMS)
	cp -r Makefile Config deploy deploy/debian .build/deb/rxwatchd
	cd .build/deb/rxwatchd && dpkg-buildpackage -b -us -uc
	cp .build/deb/rxwatchd_*.changes $@

# DESTDIR stages an installation, PREFIX moves it (all but /etc, which is where the daemon looks).
PREFIX = /usr/local
UNITDIR = $(PREFIX)/lib/systemd/system
SHARE = $(PREFIX)/share
COMPLETIONS = $(SHARE)/bash-completion/completions
DROPINS = $(SHARE)/rxwatchd/drop-ins
MANUAL = $(addprefix $(SHARE)/man/,man1/rxwatchctl.1 man5/rxwatchd.yaml.5 man8/rxwatchd.8)

install: $(PROGRAMS)
	install -D -m 755 -t $(DESTDIR)$(PREFIX)/bin $(PROGRAMS)
	install -D -m 644 -t $(DESTDIR)$(UNITDIR) deploy/systemd/rxwatchd.service
	install -D -m 644 -t $(DESTDIR)$(DROPINS) deploy/drop-ins/*
	install -D -m 644 -t $(DESTDIR)$(PREFIX)/lib/systemd/catalog deploy/catalog/rxwatchd.catalog
	install -D -m 644 -t $(DESTDIR)$(SHARE)/man/man1 deploy/man/*.1
	install -D -m 644 -t $(DESTDIR)$(SHARE)/man/man5 deploy/man/*.5
	install -D -m 644 -t $(DESTDIR)$(SHARE)/man/man8 deploy/man/*.8
	@# These name programs and files, by where the package has them.
	sed -i 's,/usr/\(bin\|share\)/,$(PREFIX)/\1/,g' $(addprefix $(DESTDIR),$(UNITDIR)/rxwatchd.service $(DROPINS)/README $(MANUAL))
	install -D -m 644 -t $(DESTDIR)$(COMPLETIONS) deploy/completions/*
	install -D -m 644 -t $(DESTDIR)$(SHARE)/rxwatchd/examples Config/examples/*.yaml
	install -D -m 644 -t $(DESTDIR)$(SHARE)/rxwatchd Config/schema.json
	install -d $(DESTDIR)/etc/rxwatchd
	@# An edited configuration is never overwritten.
	test -e $(DESTDIR)/etc/rxwatchd/rxwatchd.yaml || \
	    install -m 644 Config/rxwatchd.yaml $(DESTDIR)/etc/rxwatchd/rxwatchd.yaml
	@test -n "$(DESTDIR)" || echo 'Now: systemctl daemon-reload && journalctl --update-catalog && systemctl enable --now rxwatchd'

# The configuration and the state stay.
uninstall:
	rm -rf $(DESTDIR)$(SHARE)/rxwatchd
	rm -f $(DESTDIR)$(PREFIX)/bin/rxwatchd $(DESTDIR)$(PREFIX)/bin/rxwatchctl \
	    $(DESTDIR)$(UNITDIR)/rxwatchd.service $(DESTDIR)$(PREFIX)/lib/systemd/catalog/rxwatchd.catalog \
	    $(addprefix $(DESTDIR),$(MANUAL)) $(DESTDIR)$(COMPLETIONS)/rxwatchd $(DESTDIR)$(COMPLETIONS)/rxwatchctl

clean:
	rm -rf .build Benchmarks/.build
