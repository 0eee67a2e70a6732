# SPDX-License-Identifier: Apache-2.0
# page.py PAGE.html <SCRIPT: run the script with the blocks of data of a page as variables, and the
# text of the page as `page`.
import base64
import json
import re
import sys
import zlib

page = open(sys.argv[1], encoding="utf-8").read()
blocks = {"page": page}
for found in re.finditer(
        r'<script type="application/octet-stream" id="(\w+)" data-size="(\d+)">([^<]*)</script>', page):
    data = zlib.decompress(base64.b64decode(found[3]), -15)
    assert len(data) == int(found[2]), found[1]
    blocks[found[1]] = json.loads(data)
exec(sys.stdin.read(), blocks)
