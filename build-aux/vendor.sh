#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# vendor.sh FOLDER: fetch the JavaScript libraries of the pages again, at the versions that
# web/vendor/README.md names, into the folder. Needs npm and a registry.
set -eu

three=0.187.0
d3=7.9.2
esbuild=0.28.2

to=$(CDPATH='' cd -- "$1" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp "$to/three.entry.js" "$work/"
cd "$work"
echo '{"private": true}' >package.json
npm install --no-audit --no-fund --silent "three@$three" "d3@$d3" "esbuild@$esbuild"
cp node_modules/d3/dist/d3.min.js "$to/d3.min.js"
cp node_modules/d3/LICENSE "$to/d3.LICENSE"
cp node_modules/three/LICENSE "$to/three.LICENSE"
# Only the parts of three.js that three.entry.js names.
node_modules/.bin/esbuild three.entry.js --bundle --minify --format=iife --global-name=THREE \
    --legal-comments=none --log-level=warning \
    "--banner:js=/* three.js $three, MIT licence, see three.LICENSE */" "--outfile=$to/three.min.js"
