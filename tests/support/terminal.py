# SPDX-License-Identifier: Apache-2.0
# terminal.py COLUMNS COMMAND…: run a command on a terminal of that width, and print what it
# prints, with the ends of lines of a file. Exit status: that of the command. Choose the locale
# by LC_ALL: Python sets LC_CTYPE itself where the locale is C.
import fcntl
import os
import pty
import struct
import sys
import termios

columns = int(sys.argv[1])
pid, fd = pty.fork()
if pid == 0:
    fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    os.execvp(sys.argv[2], sys.argv[2:])
out = b""
while True:
    try:
        data = os.read(fd, 65536)
    except OSError:
        break
    if not data:
        break
    out += data
sys.stdout.buffer.write(out.replace(b"\r\n", b"\n"))
sys.exit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
