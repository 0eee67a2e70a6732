# SPDX-License-Identifier: Apache-2.0
# The share of MUTANTS mutants, drawn from SEED in the sources of ROOMS, that the tests notice:
# about an hour. The results are in the folder MUTATION; the same command continues a run that was
# stopped. Do not change the sources until it ends.
MUTANTS = 400
MUTATION = mutation
MUTATION_JOBS = 1
ROOMS =
.PHONY: mutation
mutation:
	CC='$(CC)' $(srcdir)/%D%/mutation.py $(MUTATION) $(ROOMS) --source $(abs_srcdir) \
	  --mutants $(MUTANTS) --seed $(SEED) --jobs $(MUTATION_JOBS)

full_scripts += %D%/selftest.sh
EXTRA_DIST += %D%/mutation.py %D%/mutants.py
