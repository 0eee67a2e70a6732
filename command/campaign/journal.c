/* SPDX-License-Identifier: Apache-2.0
 * runner/journal.c: runs.jsonl, one line per finished run; it survives a kill at any byte. */
#include <config.h>

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/base.h"
#include "base/file.h"
#include "base/json.h"
#include "command/campaign/journal.h"
#include "command/cli/holder.h"
#include "command/cli/take.h"

/* Keep the key of a record, with the hash of its subject. */
static void journal_keep(journal *j, const json_t *record)
{
    const char *key = json_string_value(json_object_get(record, "key"));
    json_t *hash = json_object_get(record, "hash");
    json_t *plugins = json_object_get(record, "plugins");

    if (key && plugins) {
        json_object_set(j->plugins, key, plugins);
    }
    if (key) {
        json_object_set_new(j->keys, key,
                            json_is_string(hash) ? json_incref(hash) : json_true());
    }
}

/* Read all lines. The last line is torn when it has no end or is no record. */
static perp_status journal_load(journal *j, perp_error *err)
{
    perp_json_lines in;
    perp_status status = PERP_OK;

    TRY(perp_json_lines_open(&in, j->path, "", err));
    while (status == PERP_OK && perp_json_lines_next(&in)) {
        const char *schema = json_string_value(json_object_get(in.json, "schema"));

        if (j->torn) {
            status = perp_fail(err, PERP_ERR_FORMAT,
                               "%s:%zu: found no run record, expected one per line",
                               j->path, in.number - 1);
        } else if (in.whole && schema && strcmp(schema, "perp-run/1") == 0 &&
                   json_is_string(json_object_get(in.json, "key"))) {
            journal_keep(j, in.json);
            j->length += (off_t)in.length;
        } else {
            j->torn = in.length;
        }
    }
    return perp_json_lines_close(&in, status, err);
}

/* The file, locked; a new one unless it is to be continued. */
static perp_status journal_create(journal *j, bool resume, perp_error *err)
{
    const int flags = O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC;
    bool there = false;
    perp_status status = PERP_OK;

    j->file = open(j->path, flags | (resume ? 0 : O_EXCL), 0666);
    if (j->file < 0 && errno == EEXIST) {
        there = true;
        j->file = open(j->path, flags, 0666);
    }
    if (j->file < 0) {
        return perp_fail(err, PERP_ERR_WRITE, "%s: %s", j->path, strerror(errno));
    }
    status = holder_lock(j->file, j->path, err);
    if (status == PERP_OK && there) {
        return perp_fail(
            err, PERP_ERR_WRITE,
            "%s: exists; continue it with --resume, replace it with --force, "
            "or name another folder",
            j->path);
    }
    return status;
}

perp_status journal_open(journal *j, const char *path, bool resume, perp_error *err)
{
    *j = (journal){.file = -1,
                   .path = take_text(path),
                   .keys = json_object(),
                   .plugins = json_object()};
    TRY(journal_create(j, resume, err));
    TRY(journal_load(j, err));
    if (j->torn && ftruncate(j->file, j->length) != 0) {
        return perp_fail(err, PERP_ERR_WRITE, "%s: cannot cut off a torn line: %s", path,
                         strerror(errno));
    }
    return PERP_OK;
}

bool journal_has(const journal *j, const char *key)
{
    return json_object_get(j->keys, key) != NULL;
}

const char *journal_hash(const journal *j, const char *key)
{
    const char *hash = json_string_value(json_object_get(j->keys, key));

    return hash ? hash : "";
}

const json_t *journal_plugins(const journal *j, const char *key)
{
    return json_object_get(j->plugins, key);
}

/* All bytes and an fsync; one write unless a signal or a full disk cuts it. */
static bool journal_write(const journal *j, const char *text, size_t length)
{
    while (length > 0) {
        ssize_t wrote = write(j->file, text, length);

        if (wrote < 0 && errno != EINTR) {
            return false;
        }
        text += wrote > 0 ? wrote : 0;
        length -= wrote > 0 ? (size_t)wrote : 0;
    }
    /* A special file (/dev/full, a pipe) has nothing to sync. */
    return fsync(j->file) == 0 || errno == EINVAL || errno == EROFS;
}

/* A line, whole or not at all; what cannot be cut off now is cut off on the next resume. */
static perp_status journal_write_line(journal *j, const char *text, size_t length,
                                      perp_error *err)
{
    if (journal_write(j, text, length)) {
        j->length += (long long)length;
        return PERP_OK;
    }
    perp_fail(err, PERP_ERR_WRITE, "%s: %s", j->path, strerror(errno));
    bool cut = ftruncate(j->file, j->length) == 0;

    (void)cut; /* if not, the torn line is cut off on the next resume */
    return PERP_ERR_WRITE;
}

perp_status journal_append(journal *j, json_t *record, perp_error *err)
{
    char *text = json_dumps(record, JSON_COMPACT | JSON_REAL_PRECISION(17));
    const char *key = json_string_value(json_object_get(record, "key"));
    perp_status status = PERP_OK;
    size_t length = strlen(text);

    journal_keep(j, record);
    text[length] = '\n'; /* replaces the end: written by its length */
    status = journal_write_line(j, text, length + 1, err);
    if (status != PERP_OK) {
        json_object_del(j->keys, key);
    }
    free(text);
    json_decref(record);
    return status;
}

void journal_close(journal *j)
{
    if (j->path && j->file >= 0) {
        close(j->file);
    }
    json_decref(j->keys);
    json_decref(j->plugins);
    free(j->path);
    *j = (journal){.file = -1};
}
