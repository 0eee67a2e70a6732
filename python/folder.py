#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""folder.py PREFIX: prints the folder below PREFIX in which this Python looks for packages, for
configure, beginning with "${prefix}".

Debian's Python looks into /usr/local/lib/python3.x/dist-packages and /usr/lib/python3/dist-packages,
which sysconfig does not say. Exit status 1 where this Python does not look below PREFIX; the folder
is then for PYTHONPATH.
"""

import os
import site
import sys

prefix = sys.argv[1]
folders = site.getsitepackages()
known = [folder for folder in folders if folder.startswith(prefix + "/lib")]
version = "python%d.%d" % sys.version_info[:2]
usual = os.path.join(prefix, "lib", version, os.path.basename(folders[0]))
print("${prefix}" + (known[0] if known else usual)[len(prefix) :])
sys.exit(0 if known else 1)
