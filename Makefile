# Every target sets up what it needs. Start with `make run` or `make test`.
SHELL = /bin/bash
.DELETE_ON_ERROR:
.PHONY: help run test debug unit clients sanitize probes musl fuzz fuzz-engine fuzz-threads thread-fuzz fuzz-delivery fuzz-state check-barrier coverage snippets page rootfs e2e bench bench-daemon lint format docs deb tarball release install uninstall clean

help:
	@sed -n 's/^#: //p' Makefile

#: make run            build, and run the daemon here on its demo configuration (Ctrl-C stops it)
#: make test           every test: unit tests, fuzzing, snippets, the status page, and the package under a booted systemd
#: make unit           the unit tests alone
#: make clients        programs that use the engine, compiled in Swift 5 and Swift 6 mode
#: make sanitize       the tests of the libraries under the thread and the address sanitizer
#: make probes         the static probes of the trait USDT in a program
#: make musl           the libraries of the engine, compiled with the declarations of musl
#: make fuzz           everything that parses bytes from outside, with random bytes (FUZZ=seconds each, default: 10)
#: make fuzz-engine    random programs on the engine and on its model (SECONDS=60, SEED=1)
#: make fuzz-threads   random programs on real threads under the thread sanitizer (SECONDS=60, SEED=1)
#: make fuzz-delivery  the daemon on random configurations, stopped and killed at random moments (SECONDS=60, SEED=1)
#: make fuzz-state     random graphs, killed at random moments (CONFIGS=1000, SEED=1)
#: make check-barrier  the memory order of unsubscribing while another thread emits, in a release build
#: make coverage       the lines of the engine that the tests run
#: make page           the status page in a headless Chromium
#: make rootfs         the root file systems of e2e, which are built once
#: make e2e            the package under a booted systemd alone (as root)
#: make bench          measure the engine, the sources and the pipelines
#: make bench-daemon   measure the daemon under a booted systemd (SOAK=seconds, default: 600)
#: make release        check a release: CI, and everything that CI does not run
#: make lint           check format, house rules, documentation, manual, unit and package
#: make format         format the Swift files
#: make docs           build the documentation of the engine into .build/docs
#: make deb            build the Debian package into .build/deb
#: make tarball        build a tarball for other distributions, with the libraries that they may lack, into .build/tarball
#: make install        install here (PREFIX=/usr/local), or into DESTDIR
#: make uninstall      remove what `make install` has installed, except for the configuration and the state
#: make clean          remove everything that was built

# ---- what must be installed

BUILD_PACKAGES = pkg-config libsystemd-dev libcurl4-openssl-dev libyaml-dev libjq-dev libsqlite3-dev libmicrohttpd-dev
# For real journal files, a D-Bus daemon of the tests' own, and a real web server.
UNIT_PACKAGES = systemd-journal-remote dbus-daemon nginx-light openssl
MUSL_PACKAGES = musl-dev linux-libc-dev
DEB_PACKAGES = build-essential debhelper fakeroot
TARBALL_PACKAGES = patchelf binutils
LINT_PACKAGES = systemd procps mandoc man-db shellcheck lintian bash-completion zsh fish apparmor
# The program of the tests is that of Debian, which finds this module.
PAGE_PACKAGES = chromium python3 python3-prometheus-client
E2E_PACKAGES = mmdebstrap zstd jq procps util-linux binutils
BENCH_PACKAGES = valgrind gcc libc6-dev nginx-light inotify-tools

SUDO = $(if $(filter-out 0,$(shell id -u)),sudo)

# $(call need,PACKAGES) installs the packages that are missing, after any other make here that does.
define need
@missing=$$(comm -23 <(printf '%s\n' $(1) | sort) \
	<(dpkg-query -W -f '$${db:Status-Status} $${Package}\n' $(1) 2>/dev/null | sed -n 's/^installed //p' | sort)); \
	[ -z "$$missing" ] || { mkdir -p .build && exec 9>.build/install.lock && flock 9; echo "Installing" $$missing; \
	$(SUDO) apt-get update -q -o Acquire::Retries=5 && \
	$(SUDO) env DEBIAN_FRONTEND=noninteractive apt-get install -y -q -o Acquire::Retries=5 --no-install-recommends $$missing; }
endef

.PHONY: toolchain
toolchain:
	@command -v swift >/dev/null || { echo 'No Swift toolchain in PATH: 6.3 or later is needed, see swift.org/install' >&2; exit 1; }
	$(call need,$(BUILD_PACKAGES))

# ---- building

# Where the built programs are: in a build folder of their own, so that the tests can be built at the same time. With
# BINARIES= on the command line, as in the packaging, they exist already.
BUILT = .build/programs
BINARIES = $(BUILT)/release
PROGRAMS = $(BINARIES)/rxwatchd $(BINARIES)/rxwatchctl

ifeq ($(origin BINARIES),file)
# Part of Swift's static runtime asks for an executable stack, which the sandbox refuses; no thread needs one.
HARDENING = -Xlinker -z -Xlinker now -Xlinker -z -Xlinker noexecstack
RELEASE = swift build -c release --scratch-path $(BUILT) --static-swift-stdlib $(HARDENING)
# The folders, too, which change when a file is deleted. The compiler does not touch a program that stays the same.
$(PROGRAMS) &: Makefile Package.swift $(shell find Sources -not -name '*.md') | toolchain
	$(RELEASE) --product rxwatchd
	$(RELEASE) --product rxwatchctl
	touch $(PROGRAMS)
endif

run: $(PROGRAMS)
	exec $(BINARIES)/rxwatchd --resources --config Config/examples/demo.yaml

# ---- testing

# The modules of the programs are compiled whole, on one core, so the tests are built beside them. Tests that wait for
# something run beside work that can wait, on what they leave of the cores (nice(1) does not do, since SwiftPM resets it).
# ALSO=lint adds targets of this file.
IDLE = $(shell chrt --idle 0 true 2>/dev/null && echo chrt --idle 0)
test: toolchain
	Tests/beside '$(MAKE) deb rootfs tarball' '$(IDLE) $(MAKE) debug thread-fuzz'
	Tests/beside '$(MAKE) unit' '$(IDLE) $(MAKE) probes $(ALSO)'
	Tests/beside '$(MAKE) page snippets e2e' '$(IDLE) $(MAKE) clients fuzz fuzz-threads'

debug: toolchain
	Tests/build --build-tests

unit: toolchain
	$(call need,$(UNIT_PACKAGES))
	Tests/unit

clients: toolchain
	for module in RxEngineXCTest RxEngineBlocking RxEngineLegacy RxEngineSections; do \
		Tests/build --target $$module || exit 1; done
	Tests/clients/check .build/debug/Modules

sanitize: toolchain
	$(call need,$(UNIT_PACKAGES))
	Tests/sanitize

probes: check-barrier
	$(call need,binutils gdb)
	Tests/probes $(BUILT)/release/barrier-check

musl: toolchain
	$(call need,$(MUSL_PACKAGES))
	Tests/musl

# Seconds for each target.
FUZZ = 10
fuzz: toolchain
	Tests/fuzz/all $(FUZZ)

# Random programs for this many seconds. A failure prints the command that repeats it.
SECONDS = 60
SEED = 1
fuzz-engine: toolchain
	swift build -c release --product engine-fuzz
	.build/release/engine-fuzz --seconds $(SECONDS) --seed $(SEED)

thread-fuzz: toolchain
	Tests/build --product thread-fuzz --sanitize=thread --scratch-path .build/thread

fuzz-threads: thread-fuzz
	TSAN_OPTIONS=atexit_sleep_ms=0 .build/thread/debug/thread-fuzz --seconds $(SECONDS) --seed $(SEED)

fuzz-delivery: toolchain
	swift build --product rxwatchd
	swift build --product delivery-fuzz
	.build/debug/delivery-fuzz --seconds $(SECONDS) --seed $(SEED)

# So many random graphs with random events, killed at random moments.
CONFIGS = 1000
fuzz-state: toolchain
	$(call need,$(UNIT_PACKAGES))
	RX_STATE_PROGRAMS=$(CONFIGS) RX_SEED=$(SEED) Tests/run --filter 'killsDoNotChangeOutput|crashesDoNotChangeOutput'

# Only a release build can get this memory order wrong; neither a debug build nor a sanitizer shows it.
check-barrier: toolchain
	$(RELEASE) --product barrier-check
	$(BUILT)/release/barrier-check

coverage: toolchain
	$(call need,jq)
	Tests/run --enable-code-coverage --scratch-path .build/coverage --filter 'RxEngine'
	Tests/coverage .build/coverage/debug/codecov/rxwatchd.json Sources/RxEngine/

snippets: toolchain
	Tests/snippets

# The package of promtool would start a server where it is installed, so only the program is taken.
.build/promtool/usr/bin/promtool:
	rm -rf .build/promtool && mkdir -p .build/promtool
	$(SUDO) apt-get update -q -o Acquire::Retries=5
	cd .build/promtool && apt-get download -q -o Acquire::Retries=5 prometheus && dpkg -x prometheus_*.deb .

# The status page in a browser, with the release build that other targets need, too.
page: $(PROGRAMS) .build/promtool/usr/bin/promtool
	$(call need,$(PAGE_PACKAGES))
	PATH=.build/promtool/usr/bin:$$PATH Tests/page/run $(BINARIES)/rxwatchd

rootfs: .build/deb/rxwatchd.changes
	$(call need,$(E2E_PACKAGES))
	Tests/e2e/run prepare

e2e: .build/deb/rxwatchd.changes tarball
	$(call need,$(E2E_PACKAGES))
	Tests/e2e/run

bench: toolchain
	$(call need,$(BENCH_PACKAGES))
	Benchmarks/run
	for subject in intervals journal files http renames pipelines; do Benchmarks/linux/$$subject || exit 1; done

bench-daemon: .build/deb/rxwatchd.changes
	$(call need,$(E2E_PACKAGES))
	SUITE=$$(. /etc/os-release && echo $$VERSION_CODENAME) TIMEOUT=3600 Tests/e2e/run $(patsubst %,Benchmarks/linux/daemon/%.sh,idle expressions bombs latency steps throughput tap endpoints reloads soak)

lint: .build/deb/rxwatchd.changes docs musl
	$(call need,$(LINT_PACKAGES))
	swift format lint --strict --recursive --parallel Package.swift Sources Tests Snippets Scripts Benchmarks/Package.swift Benchmarks/Sources
	Tests/house
	Tests/e2e/lint

format:
	swift format --in-place --recursive --parallel Package.swift Sources Tests Snippets Scripts Benchmarks/Package.swift Benchmarks/Sources

release:
	Tests/release

docs: toolchain
	$(call need,jq)
	docs/build

# ---- packaging

deb: .build/deb/rxwatchd.changes

# Built in a copy, so that the checkout stays clean.
.build/deb/rxwatchd.changes: $(PROGRAMS) Makefile $(shell find Config deploy -type f)
	$(call need,$(DEB_PACKAGES))
	rm -rf .build/deb
	install -D -t .build/deb/rxwatchd/bin $(PROGRAMS)
	cp -r Makefile Config deploy deploy/debian .build/deb/rxwatchd
	cd .build/deb/rxwatchd && dpkg-buildpackage -b -us -uc
	cp .build/deb/rxwatchd_*.changes $@

tarball: $(PROGRAMS)
	$(call need,$(TARBALL_PACKAGES))
	deploy/tarball/build $(BINARIES)

# DESTDIR stages an installation. PREFIX moves everything but /etc/rxwatchd, which the daemon reads.
PREFIX = /usr/local
UNITDIR = $(PREFIX)/lib/systemd/system
SHARE = $(PREFIX)/share
COMPLETIONS = $(SHARE)/bash-completion/completions
ZSH_COMPLETIONS = $(SHARE)/zsh/site-functions
FISH_COMPLETIONS = $(SHARE)/fish/vendor_completions.d
DROPINS = $(SHARE)/rxwatchd/drop-ins
MANUAL = $(addprefix $(SHARE)/man/,man1/rxwatchctl.1 man5/rxwatchd.yaml.5 man7/rxwatchd.journal-fields.7 man8/rxwatchd.8)

install: $(PROGRAMS)
	install -D -m 755 -t $(DESTDIR)$(PREFIX)/bin $(PROGRAMS)
	install -D -m 644 -t $(DESTDIR)$(UNITDIR) deploy/systemd/rxwatchd.service
	install -D -m 644 -t $(DESTDIR)$(DROPINS) deploy/drop-ins/*
	install -D -m 644 -t $(DESTDIR)$(PREFIX)/lib/systemd/catalog deploy/catalog/rxwatchd.catalog
	install -D -m 644 -t $(DESTDIR)$(SHARE)/man/man1 deploy/man/*.1
	install -D -m 644 -t $(DESTDIR)$(SHARE)/man/man5 deploy/man/*.5
	install -D -m 644 -t $(DESTDIR)$(SHARE)/man/man7 deploy/man/*.7
	install -D -m 644 -t $(DESTDIR)$(SHARE)/man/man8 deploy/man/*.8
	install -D -m 644 -t $(DESTDIR)$(SHARE)/rxwatchd/apparmor deploy/apparmor/rxwatchd
	@# These name programs and files by their paths in the package.
	sed -i 's,/usr/\(bin\|share\)/,$(PREFIX)/\1/,g' $(addprefix $(DESTDIR),$(UNITDIR)/rxwatchd.service $(DROPINS)/README $(DROPINS)/apparmor.conf $(SHARE)/rxwatchd/apparmor/rxwatchd $(MANUAL))
	install -D -m 644 -t $(DESTDIR)$(COMPLETIONS) deploy/completions/bash/*
	install -D -m 644 -t $(DESTDIR)$(ZSH_COMPLETIONS) deploy/completions/zsh/*
	install -D -m 644 -t $(DESTDIR)$(FISH_COMPLETIONS) deploy/completions/fish/*
	install -D -m 644 -t $(DESTDIR)$(SHARE)/rxwatchd/examples Config/examples/*.yaml
	install -D -m 644 -t $(DESTDIR)$(SHARE)/rxwatchd Config/schema.json
	install -d $(DESTDIR)/etc/rxwatchd
	@# A configuration that exists is never overwritten.
	test -e $(DESTDIR)/etc/rxwatchd/rxwatchd.yaml || \
	    install -m 644 Config/rxwatchd.yaml $(DESTDIR)/etc/rxwatchd/rxwatchd.yaml
	@test -n "$(DESTDIR)" || echo 'Now: systemctl daemon-reload && journalctl --update-catalog && systemctl enable --now rxwatchd'

# Keeps the configuration and the state.
uninstall:
	rm -rf $(DESTDIR)$(SHARE)/rxwatchd
	rm -f $(DESTDIR)$(PREFIX)/bin/rxwatchd $(DESTDIR)$(PREFIX)/bin/rxwatchctl \
	    $(DESTDIR)$(UNITDIR)/rxwatchd.service $(DESTDIR)$(PREFIX)/lib/systemd/catalog/rxwatchd.catalog \
	    $(addprefix $(DESTDIR),$(MANUAL)) $(DESTDIR)$(COMPLETIONS)/rxwatchd $(DESTDIR)$(COMPLETIONS)/rxwatchctl \
	    $(DESTDIR)$(ZSH_COMPLETIONS)/_rxwatchd $(DESTDIR)$(ZSH_COMPLETIONS)/_rxwatchctl \
	    $(DESTDIR)$(FISH_COMPLETIONS)/rxwatchd.fish $(DESTDIR)$(FISH_COMPLETIONS)/rxwatchctl.fish

clean:
	rm -rf .build Benchmarks/.build
