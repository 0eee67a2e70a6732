# SPDX-License-Identifier: Apache-2.0
# make install prefix=DIR cannot work: the libraries were linked for another folder. Refuse before
# anything is written; DESTDIR=DIR is for packages.
install-am: check-prefix
.PHONY: check-prefix
check-prefix:
	@test "$(prefix)" = "$(configured_prefix)" || { echo "make install: prefix is $(prefix), \
	configured was $(configured_prefix): run configure --prefix=$(prefix), then make install" >&2; \
	exit 2; }

# Install the studies (experiments/local.mk) in the folder of the suites.
install-data-am: install-studies
uninstall-am: uninstall-studies
