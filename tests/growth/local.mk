# SPDX-License-Identifier: Apache-2.0
# Processor time of the command on files of size n and 10 n, in the folder growth/; GROWTH picks
# cases.
GROWTH =
growth: perp$(EXEEXT)
	/usr/bin/env python3 $(srcdir)/%D%/growth.py perp$(EXEEXT) $(GROWTH)
dist_noinst_DATA += %D%/growth.py
