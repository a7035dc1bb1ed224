# The project's commands; `make help` lists them.

# Prints and installs the missing dependencies of Swift's toolchain; fails without a toolchain.
ready = board/packages/require-swift && board/packages/install
run = build/host/fieldcorder --board sim --config build/beside/fieldcorder.conf --data build/data --console stdio --preview

.PHONY: help run test check tried soak fuzz reliability readers build firmware rig rig-test power-cuts kills bench pictures page-picture module-picture kit-screens console-screens manual install install-pi image image-test format lint clean

help: ## list the targets
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/make \1\t\2/p' Makefile | expand --tabs=18

run: build ## build, and start the recorder on the simulated machine, its console on this terminal
	@board/beside $(run)

FILTER =

test: ## [FILTER=name]: each property with a few cases, or one target, suite or test; needs no hardware
	@$(ready) host test servers
	@$(if $(FILTER),board/tests/chosen '$(FILTER)',$(MAKE) --no-print-directory tried)

PART =

check: ## [PART=n]: the same properties with all of their cases, or the n-th part of them
	@$(ready) host test servers readers
	@FIELDCORDER_CHECK=yes $(MAKE) --no-print-directory tried

# The tests follow the build, which keeps both processors busy.
tried:
	@start=$$(date +%s); $(MAKE) --no-print-directory --jobs 2 --output-sync=line built-host built-tests && \
	built=$$(date +%s); result=0; board/tests/run $(PART) || result=$$?; \
	echo "built in $$((built - start)) s, tried in $$(($$(date +%s) - built)) s"; exit $$result

SEED = 1
HOURS = 1

WEEKS =

soak: ## SEED=n HOURS=h: simulated hours under random faults; WEEKS=6: weeks alone in the field
	@$(ready) host test
ifdef WEEKS
	@$(MAKE) --no-print-directory built-host
	python3 board/soak/weeks.py --weeks $(WEEKS) --seed $(SEED)
else
	@$(MAKE) --no-print-directory built-tests
	FIELDCORDER_SOAK_SEED=$(SEED) FIELDCORDER_SOAK_HOURS=$(HOURS) board/tests/run --filter SoakTests
endif

SECONDS = 60

fuzz: ## SECONDS=s or MINUTES=n, [TARGET=t]: every parser of the recorder against inputs that a fuzzer finds
	@$(ready) host test
	@board/fuzz/run $(if $(MINUTES),-minutes=$(MINUTES) -seed=$(SEED),-max_total_time=$(SECONDS)) $(TARGET)

reliability: ## docs/reliability.md: what is promised, and how often it was tried
	@$(ready) host test servers
	@$(MAKE) --no-print-directory --jobs 2 --output-sync=line built-host built-tests
	board/reliability/run

# A single build does not keep two processors busy.
built-%:
	@board/build $*

build: ## build/host/fieldcorder, the firmware for this machine
	@$(ready) host
	@board/build host

firmware: ## build/pi/fieldcorder, the firmware for the Raspberry Pi (aarch64), tried under an emulator
	@$(ready) pi test
	@board/build pi
	@board/checks/pi-records

rig: build ## the virtual rig: real kernel drivers, simulated hardware, the console on this terminal
	@board/rig/interactive

rig-test: build ## the virtual rig's scenarios
	@board/packages/install test
	@board/rig/run

STATES = 5000

power-cuts: build ## STATES=n: what power cuts leave of a card, rebuilt from a log of writes, in each format; an hour
	@board/packages/install test
	@board/rig/power-cuts $(STATES)

KILLS = 25

kills: build ## KILLS=n: the virtual rig killed while it records, and booted again
	@board/packages/install test
	@board/rig/kills $(KILLS) $(SEED)

readers: build ## docs/reliability.md: which programs read takes of each format, also of more than 4 GiB; some hours
	@board/packages/install test readers
	@board/reliability/readers

bench: build ## the table of what recording and playing cost, beside other programs in the same run
	@board/packages/install test
	@board/bench/run

pictures: build ## docs/display/: what the display shows, in each of its sizes
	@board/packages/install test
	@board/pictures

page-picture: build ## docs/page.png: the page of fieldcorder-monitor in headless Chromium
	@board/packages/install test browser
	@board/page-picture

module-picture: ## docs/modules.svg: which module uses which
	@$(ready) graphviz
	@board/module-picture

LANGUAGE = en

kit-screens: build ## LANGUAGE=en|ko: docs/kit-screens.md, what the small applications show on a terminal
	@board/packages/install test screens
	@board/screens kit $(LANGUAGE)

console-screens: build ## LANGUAGE=en|ko: docs/console-screens.md, what the console shows on a terminal
	@board/packages/install test screens
	@board/screens console $(LANGUAGE)

manual: build ## docs/fieldcorder.1 and docs/json.md, of what the program says
	@board/packages/install test
	@board/manual

DESTDIR =

install: build ## DESTDIR=folder: programs, units and configuration, for this machine or below a folder
	@board/install host "$(DESTDIR)"

install-pi: firmware ## DESTDIR=folder: the same for the Raspberry Pi, to be copied there
	@test -n "$(DESTDIR)" || { echo "make install-pi wants DESTDIR=folder: this machine is no Raspberry Pi" >&2; exit 2; }
	@board/install pi "$(DESTDIR)"

UPDATE =

image: firmware ## [UPDATE=1]: build/image/, a card that records, and an update of it; 1: of the newest packages
	@board/image/build $(if $(UPDATE),lock)

image-test: image ## start the card's image in QEMU: which slot is chosen of what a card can hold, a take by the button
	@board/packages/install image-test
	@board/image/check/run

format: ## lay out the Swift sources
	@$(ready)
	swift format --in-place --recursive --parallel Sources Tests Package.swift

lint: ## the layout of the sources, the shell scripts, what the card's image is made from
	@$(ready) lint
	swift format lint --strict --recursive --parallel Sources Tests Package.swift
	board/checks/scripts
	board/checks/image

clean: ## remove what was built; the caches outside the checkout stay
	rm -rf build .build
