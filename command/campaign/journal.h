/* SPDX-License-Identifier: Apache-2.0
 * runner/journal.h: runs.jsonl, one line per finished run; it survives a kill at any byte.
 *
 * A line is appended by one write and an fsync. What a kill leaves of the last line is cut off
 * when the journal is opened again, so that its run is repeated. */
#ifndef PERP_RUNNER_JOURNAL_H
#define PERP_RUNNER_JOURNAL_H

#include <jansson.h>

#include <perp/perp.h>

typedef struct journal {
    int file;
    char *path;
    long long length; /* bytes known to be whole lines */
    json_t *keys;     /* an object: the key of every run that is there, and its hash */
    json_t *plugins;  /* an object: the member "plugins" of runs that have one, by key */
    size_t torn;      /* bytes of a torn last line that were cut off */
} journal;

/** Open for appending, by one process at a time: another one is refused, with the id of the first.
 *  An existing journal is read with `resume` and refused without it. */
perp_status journal_open(journal *j, const char *path, bool resume, perp_error *err);
/** Is the run of this key there? */
bool journal_has(const journal *j, const char *key);
/** The hash of its subject as in the record; "" where it has none, and where it is not there. */
const char *journal_hash(const journal *j, const char *key);
/** The member "plugins" of its record, or NULL. */
const json_t *journal_plugins(const journal *j, const char *key);
/** Append a record, with its member "key"; takes over the reference. After a failure the journal
 *  is as before. */
perp_status journal_append(journal *j, json_t *record, perp_error *err);
void journal_close(journal *j); /* no-op when it is zero */

#endif
