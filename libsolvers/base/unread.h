/* SPDX-License-Identifier: Apache-2.0
 * base/unread.h: a file whose kind could not be found out.
 *
 * A function that asks whether a file is of some kind answers no where it cannot read the file. The
 * program then goes on with another kind, and fails for a reason that misleads. Here the first
 * reason is kept, to be told with that failure. One note per thread. */
#ifndef PERP_BASE_UNREAD_H
#define PERP_BASE_UNREAD_H

/** Note that this file could not be opened or read, by errno. A file that is not there, and a
 *  folder, are no reason. */
void perp_unread_note(const char *path);
/** Note a sentence that names the file. */
void perp_unread_say(const char *sentence);
/** "a.json: cannot open: Too many open files", as noted first; NULL: nothing is noted. */
const char *perp_unread(void);
/** Forget it. */
void perp_unread_forget(void);

#endif
