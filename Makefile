.PHONY: help demo test long system lint docs pictures lock bench ci

help:  ## list these commands
	@grep -hE '^[a-z]+:.*##' Makefile | sed -E 's/:[^#]*##/\t/' | expand -t 10

demo:  ## one whole cycle without network
	digest demo

test:  ## the test suite, on all cores
	pytest

long:  ## tests of kills, many processes and months
	pytest -m long

system:  ## tests with Postfix, Chromium and other real programs
	pytest -m system

lint:  ## style, types and import contracts
	ruff check
	ruff format --check
	mypy
	lint-imports

docs:  ## the documentation as a web site, in build/docs
	mkdocs build --strict

pictures:  ## the pictures of the README, from a mail of the demo
	python docs/pictures/make.py

lock:  ## the versions of all that development needs
	uv pip compile --quiet --universal --all-extras --python-version 3.11 --generate-hashes --no-emit-index-url --no-header --no-annotate --upgrade --output-file requirements-dev.lock pyproject.toml

bench:  ## every benchmark at its smallest size
	python -m benchmarks --small

ci:  ## everything that must hold before a change lands
	bash .ci/run
