# Everything a developer runs, and CI with them. `make` alone lists it.

PREFIX ?= /usr/local
DESTDIR ?=
SWIFT_SOURCES = Package.swift Sources Tests

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

bench: ## build for release and run the benchmarks
	@Scripts/setup
	swift build --configuration release --product storefleet
	.build/release/storefleet bench

install: ## build for release, without need of Swift at run time, and install below PREFIX
	@Scripts/setup
	swift build --configuration release --static-swift-stdlib --product storefleet
	install -D -m 755 .build/release/storefleet $(DESTDIR)$(PREFIX)/bin/storefleet

image: ## build the container image, with docker or podman
	@engine=$$(command -v docker || command -v podman) || \
	  { echo "image: Docker or podman is needed: see https://docs.docker.com/engine/install" >&2; exit 1; }; \
	case $$engine in *podman) format='--format docker' ;; esac; \
	$$engine build $$format --tag storefleet .

clean: ## remove all that was built
	rm -rf .build
