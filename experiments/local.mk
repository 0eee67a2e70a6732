# SPDX-License-Identifier: Apache-2.0
# Suites and studies, installed in the same folders, so that ../../datasets in a suite stays valid.
# Scenes and benchmarks have a local.mk of their own.
suitesdir = $(pkgdatadir)/experiments/suites
dist_suites_DATA = %D%/suites/full.json %D%/suites/large.json %D%/suites/large-brief.json \
    %D%/suites/machines.json %D%/suites/peers.json %D%/suites/quick.json %D%/suites/warm.json
dist_noinst_DATA += %D%/suites/race.sh

# A study is a folder with a suite.json; one more needs no line here.
studies_in = cd $(srcdir) && for study in experiments/*/suite.json; do
install-studies:
	$(studies_in) $(MKDIR_P) "$(DESTDIR)$(pkgdatadir)/$${study%/*}" && \
	    cp $$study "$(DESTDIR)$(pkgdatadir)/$$study" || exit 1; done
uninstall-studies:
	$(studies_in) rm -f "$(DESTDIR)$(pkgdatadir)/$$study"; done
dist-hook:
	to=`cd $(distdir) && pwd` && $(studies_in) cp -R $${study%/*} "$$to/experiments" || exit 1; done
EXTRA_DIST += %D%/README.md

# Auto against every solver, on the seeds that its table was learnt from and on others. It takes hours
# with these values, and continues a run that was stopped. RACE is the folder of the results, whose
# summary.txt ends with the table of docs/race.md.
RACE = race
RACE_SECONDS = 10
RACE_SIZES = 100 200 400 800
RACE_SEEDS = 3
RACE_SOLVERS = all
RACE_CAPTURED =
race: perp$(EXEEXT)
	$(MKDIR_P) $(RACE)
	for half in learn test; do \
	  $(SHELL) $(srcdir)/experiments/suites/race.sh $$half $(RACE_SECONDS) '$(RACE_SIZES)' \
	    $(RACE_SEEDS) '$(RACE_SOLVERS)' $(abs_top_srcdir) $(RACE_CAPTURED) \
	    >$(RACE)/$$half.json && \
	  ./perp$(EXEEXT) compare $(RACE)/$$half.json -o $(RACE)/$$half --resume || exit 1; \
	done

include experiments/bench/local.mk
