/* SPDX-License-Identifier: Apache-2.0
 * formats/meta_side.c: the side file NAME.meta.json of a file NAME.EXTENSION, for formats without
 * room for labels and origin. Its hash says which problem it belongs to. */
#include <config.h>

#include <string.h>
#include <unistd.h>

#include "meta.h"

static const char meta_end[] = ".meta.json";

/* "dir/wall.dat" -> "dir/wall.meta.json", on the heap. */
static perp_status meta_side_path(char **side, const char *path, perp_error *err)
{
    const char *slash = strrchr(path, '/');
    char *stem = perp_path_stem(path);
    size_t folder = slash ? (size_t)(slash - path) + 1 : 0;

    *side = stem ? malloc(folder + strlen(stem) + sizeof meta_end) : NULL;
    if (*side) {
        memcpy(*side, path, folder);
        strcpy(*side + folder, stem);
        strcat(*side, meta_end);
    }
    free(stem);
    return *side ? PERP_OK
                 : perp_fail(err, PERP_ERR_MEMORY, "%s: no memory for a name", path);
}

perp_status perp_meta_side_create(perp_file_out *side, const char *path,
                                  const perp_problem *p, perp_error *err)
{
    char *name = NULL;
    perp_status status = PERP_OK;

    *side = (perp_file_out){0};
    if (!p->labels && !p->origin) {
        return PERP_OK;
    }
    status = meta_side_path(&name, path, err);
    if (status == PERP_OK) {
        status = perp_file_create(side, name, err);
    }
    if (status == PERP_OK) {
        perp_meta_print_side(side->f, p);
    }
    free(name);
    return status;
}

/* Labels and origin of the side file, unless it belongs to another problem. */
static perp_status meta_side_use(perp_problem *p, const char *name, perp_notes *notes,
                                 perp_error *err)
{
    perp_source from = {.name = name};
    uint64_t hash = 0;
    perp_status status = perp_meta_parse(p, &from, NULL, &hash, err);
    bool other = status == PERP_OK && hash != perp_problem_hash(p);

    perp_source_release(&from);
    if (other) {
        perp_note(notes,
                  "%s belongs to another problem: its hash differs; it is not used",
                  name);
    }
    if (other || status != PERP_OK) {
        perp_labels_free(p->labels);
        perp_origin_free(p->origin);
        p->labels = NULL;
        p->origin = NULL;
    }
    return status;
}

perp_status perp_meta_side_read(perp_problem *p, const char *path, perp_notes *notes,
                                perp_error *err)
{
    char *name = NULL;
    perp_error inner = {0};
    perp_status status = meta_side_path(&name, path, err);

    if (status == PERP_OK && access(name, R_OK) == 0) {
        status = meta_side_use(p, name, notes, &inner);
        if (status == PERP_ERR_MEMORY) {
            perp_fail(err, status, "%s", inner.text);
        } else if (status != PERP_OK) {
            perp_note(notes, "%s; it is not used", inner.text);
            status = PERP_OK;
        }
    }
    free(name);
    return status;
}
