# Every command of the project. `make` alone lists them, from the comments after ##.
# The words in capitals are variables: make fuzz T=framing SECONDS=60

# A release carries Swift's libraries in itself: it starts faster, and runs where there is no Swift.
RELEASE = -c release --static-swift-stdlib
# The programs that `make run` shows. The developer's tools and the examples of the SDK are not among them.
SHOWN = intentd intent-send intentd-example-clock
# An import of a target that is not declared as a dependency is an error: this fences the modules.
FENCED = --explicit-target-dependency-import-check error
PROGRAMS = $(CURDIR)/.build/release

SWIFT_FILES = Package.swift Sources Tests Examples Fuzz Benchmarks

SHELL = /bin/bash
.DEFAULT_GOAL = help

.PHONY: help
help: ## list these commands
	@sed -nE 's/^([a-z]+):.*## (.*)/  make \1\t\2/p' $(MAKEFILE_LIST) | expand -t 16

.PHONY: setup
setup: ## install what is missing (apt)
	@scripts/setup.sh

.PHONY: hooks
hooks: ## let git check each commit (.githooks/pre-commit)
	git config core.hooksPath .githooks

.PHONY: run
run: setup ## build, start a daemon with the example widgets, show the main job
	$(foreach program,$(SHOWN),swift build $(RELEASE) --product $(program) &&) true
	@scripts/demo.sh $(PROGRAMS)

.PHONY: build
build: setup ## build for development
	swift build $(FENCED)

.PHONY: test
test: setup ## run every test
	swift build --build-tests $(FENCED)
	python3 Examples/test_examples.py
	python3 Clients/python/test_intentd_widget.py
	swift test --skip-build --skip ExitTests
	swift test --skip-build --disable-xctest --filter ExitTests

.PHONY: release
release: setup ## build as it is installed
	swift build $(RELEASE) --product intentd
	swift build $(RELEASE) --product intent-send

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
	  --conformance $(PROGRAMS)/conformance --engine-speed $(PROGRAMS)/engine-speed \
	  --simulate $(PROGRAMS)/simulate $(BENCH)

.PHONY: docs
# The plugin gets a folder of its own: it builds without the flags of a release, and would undo one.
docs: setup ## write the manual pages, and check the links of the others
	swift package --scratch-path .build-docs generate-manual --multi-page
	swift test --filter TidyTests

.PHONY: sim
WORLDS ?= 1000
sim: setup ## run a thousand simulated worlds (WORLDS=, DAYS=); SEED= replays one
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
soak: setup ## kill -9 under load KILLS=500 times; nothing acknowledged may be lost
	swift build --build-tests
	INTENTD_DURABILITY_ROUNDS=$(KILLS) swift test --skip-build --filter 'DurabilityTests'

.PHONY: fuzz
T ?= json
SECONDS ?= 60
fuzz: ## fuzz the reader T=json for SECONDS=60; Fuzz/Makefile has the others
	$(MAKE) -C Fuzz T=$(T) SECONDS=$(SECONDS)

.PHONY: clean
clean: ## remove what was built
	rm -rf .build .build-*
	$(MAKE) -C Benchmarks clean
	$(MAKE) -C Fuzz clean
