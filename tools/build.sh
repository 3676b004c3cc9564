#!/bin/sh
# Compiles one project's src/ to dist/. Nx runs it in each project's folder.
set -eu
rm -rf dist
exec swc src --out-dir dist --strip-leading-paths --config-file ../../.swcrc --quiet
