#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# web.sh: the pages of perp in a headless Chromium: make web-check. WEB_CHECKS picks checks by words
# of their names. Speaks TAP; everything is written below web-check in the build folder.
set -u
source=$(cd "${PERP_SOURCE:-.}" && pwd)
build=$(cd "${PERP_BUILD:-.}" && pwd)
WEB_CHECK=$build/web-check
PERP=$build/perp
PERP_SOURCE=$source
export WEB_CHECK PERP PERP_SOURCE
for program in node npm "${PERP_CHROMIUM:-chromium}"; do
    if ! command -v "$program" >/dev/null 2>&1; then
        echo "1..0 # SKIP $program is not installed (./quickstart web installs it)"
        exit 0
    fi
done
PERP_CHROMIUM=$(command -v "${PERP_CHROMIUM:-chromium}")
export PERP_CHROMIUM

# The checks and their packages, beside the pages: the source tree may be read-only.
checks=$WEB_CHECK/checks
mkdir -p "$checks" && rm -f "$checks"/*.mjs && cp "$source"/tests/web/*.mjs "$source"/tests/web/package.json \
    "$source"/tests/web/.npmrc "$checks" && chmod -R u+w "$checks" || exit 99
if ! cmp -s "$source/tests/web/package-lock.json" "$checks/package-lock.json" || [ ! -d "$checks/node_modules" ]; then
    cp "$source/tests/web/package-lock.json" "$checks" && chmod u+w "$checks/package-lock.json" || exit 99
    # engine-strict is off: puppeteer-core asks for a newer node than Debian has, and works with 18.
    if ! (cd "$checks" && npm ci --no-audit --no-fund --ignore-scripts >"$WEB_CHECK/npm.log" 2>&1); then
        rm -rf "$checks/node_modules"
        echo "Bail out! npm ci failed: $(tail -n 1 "$WEB_CHECK/npm.log")"
        exit 99
    fi
fi
# shellcheck disable=SC2086 # words are meant to split
exec node "$checks/run.mjs" ${WEB_CHECKS-}
