# CropKit. `make help` lists what there is.

PREFIX ?= /usr/local
PROGRAMS = cropkit cropkit-server cropkit-worker
TOOLS = Tools/.build/release
SHELL = /bin/bash
# What the package manager warns of in packages that are not ours.
OTHERS = "prohibited flag\(s\): -pthread|found 1 file\(s\) which are unhandled|/CMakeLists.txt$$"

.DEFAULT_GOAL := help
.PHONY: help deps build page package run test test-all lint docs install deb wheel release bench soak clean

help: ## list these targets
	@sed -n 's/^\([a-z-]*\):.*## /  make \1 \t/p' Makefile | expand -t 16

deps: ## install the Debian packages that building needs
	@Scripts/deps.sh build

page: ## build the web page and its WebAssembly module, ready to be embedded
	@Scripts/page.sh

package: ## pack the element as npm has it, into dist/
	@Scripts/deps.sh build
	@Scripts/package.sh

build: deps page ## build the programs into bin/ (TLS=1 with TLS, which takes minutes more)
	@Scripts/version.sh commit
	swift build --package-path Tools -c release $(if $(TLS),--traits TLS) $(PINNED) --static-swift-stdlib \
	  -Xcc '-ffile-prefix-map=$(CURDIR)=.' -Xswiftc -file-prefix-map -Xswiftc '$(CURDIR)=.' \
	  -Xswiftc -use-ld=lld -Xlinker -s -Xlinker --build-id=none 2> >(grep -vE $(OTHERS) >&2)
	@mkdir -p bin
	@for program in $(PROGRAMS); do install -m 755 $(TOOLS)/$$program bin/$$program.new \
	  && Scripts/blank.sh bin/$$program.new && mv bin/$$program.new bin/$$program || exit 1; done
	@ls -l $(PROGRAMS:%=bin/%)

run: build ## build, serve the page with the sample photos, open the browser (ARGS="--port 9000")
	exec bin/cropkit serve --samples Samples --open $(ARGS)

test: ## run the checks and tests
	@Scripts/test.sh

test-all: ## the same, and what takes long: faults and kills, the documentation, a build with TLS
	@Scripts/test.sh all

lint: ## check the layering of the modules, the format of the sources, the types and words of the page
	@Scripts/layering.sh
	@Scripts/format.sh
	@Scripts/types.sh
	@node Scripts/words.mjs --check

docs: ## build the documentation: the element's site into dist/site, the libraries' (warnings are errors)
	@Scripts/docs.sh

install: ## install what `make build` built: make install PREFIX=/usr/local
	@Scripts/install.sh "$(DESTDIR)$(PREFIX)"

deb: ## pack what `make build` built for Debian 12 and its kin, into dist/
	@Scripts/deps.sh package
	@Scripts/deb.sh

wheel: ## pack what `make build` built for Python, into dist/
	@Scripts/deps.sh package
	@Scripts/wheel.sh

release: ## make what a release consists of, into dist/: packages, a tarball, the wheel, the element, bill of materials, checksums
	@Scripts/release.sh

bench: ## measure speed against the goals
	@Scripts/bench.sh

soak: build deb ## run the long tests, those of the packages too
	@CROPKIT_SOAK=1 Scripts/test.sh all

clean: ## remove everything that was built
	rm -rf bin dist .build Tools/.build Tools/Page Web/.build Benchmarks/.build Fuzz/.build Web/Element/*.wasm \
	  Web/{App,Element}/words-*.js Web/App/languages.js
