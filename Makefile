# `make run` opens the window, `make test` runs the tests; both set up a fresh machine by themselves.
VENV ?= .venv
BIN := $(VENV)/bin
TEXT ?= The naïve family 👨‍👩‍👧‍👦 wrote 12345 in 北京: สวัสดี, नमस्ते, مرحبا!

.PHONY: run test lint types conformance pictures bundle bench clean
.DELETE_ON_ERROR:

$(VENV)/.%.stamp: pyproject.toml packaging/setup.sh
	sh packaging/setup.sh $(VENV) $(subst run,,$*)
	@touch $@

# Without a display: the first-look picture as a file, and the segmentation in the terminal.
run: $(VENV)/.run.stamp
	@if [ -n "$$DISPLAY$$WAYLAND_DISPLAY" ] || [ "$$(uname -s)" != Linux ]; then \
	    $(BIN)/python -m tokenloupe; \
	else \
	    mkdir -p build && QT_QPA_PLATFORM=offscreen $(BIN)/python -m tokenloupe.app.pictures --first-look build/first-look.png \
	    && echo "No display: the first-look picture is build/first-look.png" && echo \
	    && $(BIN)/python -m tokenloupe encode '$(TEXT)'; \
	fi

test: $(VENV)/.test.stamp
	$(BIN)/python -m pytest --ignore=tests/conformance -n auto --maxprocesses=4 $(PYTEST)

lint: $(VENV)/.lint.stamp
	$(BIN)/ruff check .
	$(BIN)/lint-imports --no-cache

types: $(VENV)/.lint.stamp
	$(BIN)/mypy

# Needs reference data that is not shipped (see tests/conformance/conftest.py); without it every test is skipped.
conformance: $(VENV)/.test.stamp
	$(BIN)/python -m pytest tests/conformance -n auto --maxprocesses=4 $(PYTEST)

pictures: $(VENV)/.run.stamp
	QT_QPA_PLATFORM=offscreen $(BIN)/python -m tokenloupe.app.pictures build/pictures

bundle: $(VENV)/.bundle.stamp
	$(BIN)/python packaging/bundle.py
	$(BIN)/python packaging/smoke.py dist/tokenloupe

bench: $(VENV)/.test.stamp
	for script in benchmarks/bench_*.py; do echo "== $$script"; QT_QPA_PLATFORM=offscreen $(BIN)/python $$script || exit 1; done

clean:
	rm -rf build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis
