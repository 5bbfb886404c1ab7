# `make help` lists the targets.

PREFIX ?= /usr/local
PROGRAMS = cropkit cropkit-server cropkit-worker
TOOLS = Tools/.build/release
SHELL = /bin/bash
# Strict warnings, and optimized modules in debug builds: see Package.swift.
export CROPKIT_DEVELOPMENT = 1
# Warnings of the package manager about third-party packages.
OTHERS = "prohibited flag\(s\): -pthread|found 1 file\(s\) which are unhandled|/CMakeLists.txt$$"

.DEFAULT_GOAL := help
.PHONY: help deps cli build page package site run test test-all test-systems test-arm64 lint docs install deb wheel wheel-any release bench soak clean

help: ## list the targets
	@sed -n 's/^\([a-z-]*\):.*## /  make \1 \t/p' Makefile | expand -t 16

deps: ## install the Debian packages that are needed to build
	@Scripts/deps.sh build

page: ## build the web app and its WebAssembly modules, for embedding into the server
	@Scripts/page.sh

package: ## make the npm packages in dist/: of the element, and of crops for programs in JavaScript
	@Scripts/deps.sh build
	@Scripts/package.sh

site: ## build the web app for any web host, with the documentation, in dist/site
	@Scripts/deps.sh build
	@Scripts/site.sh

cli: deps ## build only the command line: Tools/.build/debug/cropkit
	@echo "cli: cropkit and its worker"
	@Scripts/version.sh commit
	@CROPKIT_CLI=1 Scripts/swift.sh build
	@echo "cli: try Tools/.build/debug/cropkit crop Samples/still-life.jpg --aspect 1:1 -o square.jpg"

build: deps page ## build the optimized programs into bin/, for installing and packaging (TLS=1: with TLS)
	@Scripts/version.sh commit
	swift build --package-path Tools -c release $(if $(TLS),--traits TLS) $(PINNED) --static-swift-stdlib \
	  -Xcc '-ffile-prefix-map=$(CURDIR)=.' -Xswiftc -file-prefix-map -Xswiftc '$(CURDIR)=.' \
	  -Xswiftc -use-ld=lld -Xlinker -s -Xlinker --build-id=none 2> >(grep -vE $(OTHERS) >&2)
	@mkdir -p bin
	@for program in $(PROGRAMS); do install -m 755 $(TOOLS)/$$program bin/$$program.new \
	  && Scripts/blank.sh bin/$$program.new && mv bin/$$program.new bin/$$program || exit 1; done
	@ls -l $(PROGRAMS:%=bin/%)

run: deps ## build, start the server with the sample photos, open the browser (ARGS="--port 9000")
	@Scripts/version.sh commit
	@Scripts/build.sh
	exec Tools/.build/debug/cropkit serve --samples Samples --open $(ARGS)

test: ## run the checks and tests
	@Scripts/test.sh

test-all: ## run all tests, including slow ones: faults and kills, the documentation, a build with TLS
	@Scripts/test.sh all

test-systems: build ## test the packages on Debian 12, 13 and sid (as root)
	@Scripts/deps.sh package
	@Scripts/systems.sh

test-arm64: ## build the programs for arm64 and test them in an emulator (as root, 30 minutes and 9 GB)
	@Scripts/arm64.sh

lint: ## check imports, format, types, words, links and generated parts of the documentation
	@Scripts/layering.sh
	@Scripts/format.sh
	@Scripts/types.sh
	@node Scripts/words.mjs --check
	@node Scripts/prose.mjs
	@node Scripts/doc-links.mjs
	@node Scripts/reference.mjs --check
	@node Scripts/security-status.mjs --check

docs: ## build the documentation (in dist/site/docs) and that of the Swift libraries (warnings are errors)
	@Scripts/docs.sh

install: ## install the output of `make build`: make install PREFIX=/usr/local
	@Scripts/install.sh "$(DESTDIR)$(PREFIX)"

deb: ## make the Debian packages in dist/ from the output of `make build`
	@Scripts/deps.sh package
	@Scripts/deb.sh

wheel: ## make the Python wheel in dist/ from the output of `make build`
	@Scripts/deps.sh package
	@Scripts/build-wasm.sh program
	@Scripts/wheel.sh

wheel-any: ## make the Python wheel for any system in dist/: it crops JPEGs by WebAssembly
	@Scripts/deps.sh build
	@Scripts/build-wasm.sh program
	@Scripts/wheel-any.sh

release: ## make a release in dist/: packages, a tarball, the wheel, the element, bill of materials, checksums
	@Scripts/release.sh

bench: ## measure speed against the goals
	@Scripts/bench.sh

soak: build deb ## run the soak tests, including those of the packages
	@CROPKIT_SOAK=1 Scripts/test.sh all

clean: ## remove all build products
	rm -rf bin dist .build Tools/.build Tools/Page Web/.build Benchmarks/.build Fuzz/.build Web/Element/*.wasm \
	  Web/Element/{words-*,exporter-table,guide-table,interface,recipe-error-texts}.js Web/App/ui/{file-formats,guide-list,guide-sources,presets}.js \
	  Web/Program/{cropfile.wasm,cropextra.wasm,interface.js,words.js} Web/Sources/*/Messages.swift \
	  Tools/Sources/CropArguments/OptionForm+Table.swift Tools/Sources/cropkit/{ConflictText,CropOptions,OutputOptions}.swift \
	  Python/src/cropkit/{_options.py,_engine/cropfile.wasm} Web/App/words
