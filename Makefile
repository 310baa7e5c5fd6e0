# Everything a developer runs, and CI with them. `make` alone lists it.

PREFIX ?= /usr/local
DESTDIR ?=
SWIFT_SOURCES = Package.swift Sources Tests Examples/Package.swift Examples/Sources Examples/Tests

.DEFAULT_GOAL := help
.PHONY: help setup build run test test-unit test-processes lint format bench install image clean

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-15s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

setup: ## check for Swift and the C libraries, install what is missing
	@Scripts/setup

build: ## build everything for debugging, tests too
	@Scripts/setup
	swift build --build-tests

run: ## play the demo
	@Scripts/setup
	@swift build --product storefleet
	@.build/debug/storefleet run Scenarios/demo.json5

test: ## build and run all tests
	@Scripts/setup --tests
	@Scripts/test all

test-unit: ## run the tests that start no storefleet processes
	@Scripts/setup --tests
	@Scripts/test unit

test-processes: ## run the tests of real processes
	@Scripts/setup --tests
	@Scripts/test processes

lint: ## check the style
	swift format lint --strict --recursive $(SWIFT_SOURCES)

format: ## apply the style
	swift format --in-place --recursive $(SWIFT_SOURCES)

bench: ## build for release and run the benchmarks: each figure beside the limit that it is measured against
	@Scripts/setup
	swift build --configuration release --product storefleet
	swift build --configuration release --product journal-bench
	swift build --configuration release --product jump-bench
	swift build --configuration release --product http-bench
	swift build --configuration release --product api-bench
	swift build --configuration release --product listener-app
	swift build --configuration release --product empty-program
	.build/release/journal-bench
	.build/release/jump-bench
	.build/release/http-bench
	.build/release/api-bench
	.build/release/storefleet load --devices 100 --rate 200 --duration 10s --fail-if 'lost>0'
	.build/release/storefleet load --devices 1000 --rate 200 --duration 10s --fail-if 'lost>0'
	Benchmarks/app-processes

install: ## build for release, without need of Swift at run time, and install below PREFIX
	@Scripts/setup
	swift build --configuration release --static-swift-stdlib --product storefleet
	install -D -m 755 .build/release/storefleet $(DESTDIR)$(PREFIX)/bin/storefleet

image: ## build the container image, with docker or podman
	@if docker info >/dev/null 2>&1; then docker build --tag storefleet .; \
	elif command -v podman >/dev/null; then podman build --format docker --tag storefleet .; \
	else echo "image: a running Docker, or podman, is needed: see https://docs.docker.com/engine/install" >&2; exit 1; fi

clean: ## remove all that was built
	rm -rf .build Examples/.build
