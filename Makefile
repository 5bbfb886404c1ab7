# CropKit. `make help` lists what there is.

PREFIX ?= /usr/local
PROGRAMS = cropkit cropkit-server cropkit-worker
TOOLS = Tools/.build/release

.DEFAULT_GOAL := help
.PHONY: help deps build page run test lint docs install bench soak clean

help: ## list these targets
	@sed -n 's/^\([a-z]*\):.*## /  make \1 \t/p' Makefile | expand -t 16

deps: ## install the Debian packages that building needs
	@Scripts/deps.sh build

page: ## build the web page and its WebAssembly module, ready to be embedded
	@Scripts/page.sh

build: deps page ## build the programs into bin/
	swift build --package-path Tools -c release --static-swift-stdlib -Xlinker -S
	@mkdir -p bin
	@for program in $(PROGRAMS); do install -m 755 $(TOOLS)/$$program bin/$$program.new \
	  && mv bin/$$program.new bin/$$program || exit 1; done
	@ls -l $(PROGRAMS:%=bin/%)

run: build ## build, serve the page with the sample photos, open the browser (ARGS="--port 9000")
	exec bin/cropkit serve --samples Samples --open $(ARGS)

test: ## run every check and test
	@Scripts/test.sh

lint: ## check the layering of the modules and the format of the sources
	@Scripts/layering.sh
	@Scripts/format.sh

docs: ## build the documentation of the libraries; warnings are errors
	@Scripts/docs.sh

install: ## install what `make build` built: make install PREFIX=/usr/local
	@Scripts/install.sh "$(DESTDIR)$(PREFIX)"

bench: ## measure speed against the goals
	@Scripts/bench.sh

soak: ## run the long tests
	@CROPKIT_SOAK=1 Scripts/test.sh

clean: ## remove everything that was built
	rm -rf bin .build Tools/.build Tools/Page Web/.build Benchmarks/.build Fuzz/.build Web/Page/cropcore.wasm
