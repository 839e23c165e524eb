# Every command of the project. `make` alone lists them, from the comments after ##.
# The words in capitals are variables: make fuzz T=framing SECONDS=60

# A release carries the libraries of Swift and C++ in itself: it starts faster, and runs where there
# is no Swift. Of ICU's data it has the part that is used (packaging/icu/trim.py). The addresses that
# the loader corrects are packed, which glibc reads since 2.36. Segments begin at multiples of 64 KiB:
# the kernel maps code in such pieces, so that many adapters of a bar share the same ones. Nothing in
# a program depends on the folder in which it was built.
LINKED = $(CURDIR)/.build/linked
RELEASE = -c release --static-swift-stdlib --disable-local-rpath \
  -Xswiftc -use-ld=lld -Xswiftc -L$(LINKED) -Xswiftc -Xclang-linker -Xswiftc -static-libgcc \
  -Xlinker $(LINKED)/icu.o -Xlinker --wrap=$$(cat $(LINKED)/icu.symbol) \
  -Xlinker -z -Xlinker pack-relative-relocs -Xlinker -z -Xlinker max-page-size=65536 \
  -Xlinker --build-id=none -Xlinker --no-export-dynamic \
  -Xswiftc -file-prefix-map -Xswiftc $(CURDIR)=. -Xcc -ffile-prefix-map=$(CURDIR)=.
# The programs that `make run` shows. The developer's tools and the examples of the SDK are not among them.
# In one build their modules keep both processors busy.
SHOWN = intentd intent-send intent-fetch intentd-example-clock
# An import of a target that is not declared as a dependency is an error: this fences the modules.
FENCED = --explicit-target-dependency-import-check error
PROGRAMS = $(CURDIR)/.build/release

SWIFT_FILES = Package.swift Sources Tests Examples Fuzz Benchmarks

SHELL = /bin/bash
.DEFAULT_GOAL = help

.PHONY: help
help: ## list these commands
	@sed -nE 's/^([a-z-]+):.*## (.*)/  make \1\t\2/p' $(MAKEFILE_LIST) | expand -t 18

.PHONY: setup
setup: ## install what is missing (apt)
	@scripts/setup.sh

.PHONY: hooks
hooks: ## let git check each commit (.githooks/pre-commit)
	git config core.hooksPath .githooks

.PHONY: run
run: ## build, start a daemon with the example widgets, show the main job
	@scripts/setup.sh run
	@$(MAKE) --no-print-directory $(LINKED)/icu.o
	INTENTD_TARGETS="$(SHOWN)" swift build $(RELEASE)
	@scripts/demo.sh $(PROGRAMS)

.PHONY: build
build: setup ## build for development
	swift build $(FENCED)

.PHONY: test
test: setup ## run every test
	@scripts/setup.sh tests
	swift build --build-tests $(FENCED)
	python3 Examples/test_examples.py
	Clients/test.sh
	swift test --skip-build --skip ExitTests
	swift test --skip-build --disable-xctest --filter ExitTests

.PHONY: release
release: setup $(LINKED)/icu.o ## build as it is installed
	swift build $(RELEASE) --product intentd
	swift build $(RELEASE) --product intent-send
	swift build $(RELEASE) --product intent-web
	swift build $(RELEASE) --product intent-fetch

# Swift's builder does not know that programs depend on it: without them, it links them anew.
$(LINKED)/icu.o: packaging/icu/trim.py
	packaging/icu/trim.py --out $@
	rm -f $(addprefix $(PROGRAMS)/,$(SHOWN) intent-web simulate conformance engine-speed)
	ln -sf "$$(clang -print-file-name=libstdc++.a)" $(LINKED)/libstdc++.a

.PHONY: install
PREFIX ?= $(HOME)/.local
install: release ## install below PREFIX=~/.local; again for an upgrade
	packaging/install.sh $(PROGRAMS) $(PREFIX)

.PHONY: deb
DIST = $(CURDIR)/dist
deb: release ## make the Debian packages in dist/
	@scripts/setup.sh deb
	swift build $(RELEASE) --product intentd-example-clock
	packaging/icu/compare.sh $(LINKED)/icu.o
	packaging/build-deb.sh $(PROGRAMS) $(DIST)

.PHONY: check-deb
check-deb: deb ## install the packages on Debian 12 and 13 in folders, and check them (root)
	@scripts/setup.sh check-deb
	packaging/check-deb.sh $(DIST) $(SUITES)

.PHONY: check-desktop
check-desktop: deb ## check with GNOME Shell, KRunner and dunst, in a Debian in ROOT= (root)
	@scripts/setup.sh check-deb
	packaging/check-desktop.sh $(DIST) $(ROOT)

.PHONY: check
check: lint test ## what is asked of every commit

.PHONY: lint
lint: ## check the form of the Swift files
	swift format lint --strict --recursive --parallel $(SWIFT_FILES)

.PHONY: format
format: ## bring the Swift files into form
	swift format format --in-place --recursive --parallel $(SWIFT_FILES)

.PHONY: bench
bench: release ## measure against a C server, Redis and hassil (INTENTD_CORPUS)
	swift build $(RELEASE) --product conformance
	swift build $(RELEASE) --product engine-speed
	swift build $(RELEASE) --product simulate
	$(MAKE) -C Benchmarks
	Benchmarks/bench.py --intentd $(PROGRAMS)/intentd --intent-send $(PROGRAMS)/intent-send \
	  --intent-web $(PROGRAMS)/intent-web --intent-fetch $(PROGRAMS)/intent-fetch \
	  --conformance $(PROGRAMS)/conformance --engine-speed $(PROGRAMS)/engine-speed \
	  --simulate $(PROGRAMS)/simulate $(BENCH)

.PHONY: docs
docs: setup ## write the manual pages into .build/manual, and check the links of the others
	swift build --product intentd
	swift build --product intent-send
	swift build --product intent-web
	swift build --product intent-fetch
	packaging/manual.py --programs .build/debug --out .build/manual
	swift test --filter TidyTests

.PHONY: sim
WORLDS ?= 1000
sim: setup $(LINKED)/icu.o ## run a thousand simulated worlds (WORLDS=, DAYS=); SEED= replays one
	swift build $(RELEASE) --product simulate
	$(PROGRAMS)/simulate $(if $(SEED),--seed $(SEED),--worlds $(WORLDS) --jobs $$(nproc)) \
	  $(if $(DAYS),--days $(DAYS)) $(if $(EVENTS),--events $(EVENTS)) $(SIM)
	$(if $(SEED),,$(PROGRAMS)/simulate --habits 500)

# Each sanitizer has a folder of its own, since it instruments every object file. docs/TESTING.md says
# which suites fit.
.PHONY: sanitize
sanitize: setup ## run the suites over C and threads under AddressSanitizer and ThreadSanitizer
	scripts/sanitize.sh address
	scripts/sanitize.sh thread

.PHONY: soak
KILLS ?= 500
soak: release ## kill -9 and failing stores under load, KILLS=500 times each; nothing may be lost
	swift build --build-tests
	INTENTD_BIN_DIR=$(PROGRAMS) INTENTD_DURABILITY_ROUNDS=$(KILLS) INTENTD_FAULT_ROUNDS=$(KILLS) \
	  swift test --skip-build --no-parallel --filter 'DurabilityTests|StoreFaultTests'

.PHONY: fuzz
T ?= json
SECONDS ?= 60
fuzz: ## fuzz the reader T=json for SECONDS=60; Fuzz/Makefile has the others
	$(MAKE) -C Fuzz T=$(T) SECONDS=$(SECONDS)

.PHONY: clean
clean: ## remove what was built
	rm -rf .build .build-* dist
	$(MAKE) -C Benchmarks clean
	$(MAKE) -C Fuzz clean
