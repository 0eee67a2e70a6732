# SPDX-License-Identifier: Apache-2.0
# The pages in a headless Chromium. Not part of make check, because they need packages of the
# npm registry and take minutes. WEB_CHECKS="report" picks them by words of their names.
dist_noinst_DATA += %D%/browser.mjs %D%/pages.mjs %D%/places.mjs %D%/report_check.mjs %D%/run.mjs \
    %D%/tap.mjs %D%/view_check.mjs %D%/package.json %D%/package-lock.json %D%/.npmrc \
    %D%/figures_check.mjs %D%/model_check.mjs %D%/suite.json %D%/web.sh %D%/README.md

web-check: perp$(EXEEXT)
	$(MAKE) check-TESTS TESTS=tests/web/web.sh
