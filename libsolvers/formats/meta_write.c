/* SPDX-License-Identifier: Apache-2.0
 * formats/meta_write.c: write labels and origin of a problem as JSON.
 *
 *     "origin": {"source": "scene:wall", "step": 3, "time": 0.03, "dt": 0.01,
 *                "version": "perp 1.0", "hash": "00d1…", "units": "…", "licence": "MIT"},
 *     "labels": [
 *       {"kind": "contact", "name": "contact box/floor", "bodies": ["floor", "box"],
 *        "index": 0, "point": [0, 0, 1], "normal": [0, 0, 1], "gap": -1e-4, "mu": 0.5,
 *        "key": "8000000000000001"}, …]
 *
 * One label per block of the set. Every member but the kind may be missing. Hash and key are
 * hexadecimal, since a number of JSON holds 53 bits. A document of its own begins with
 * "format": "perp-meta" and "version": 1; a side file also has the hash of the problem that it
 * belongs to, and the law of its cones. */
#include <config.h>

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/json.h"
#include "base/memory.h"
#include "meta.h"

/* An object, member by member. */
typedef struct meta_object {
    FILE *f;
    bool any;
} meta_object;

static void meta_key(meta_object *o, const char *key)
{
    fprintf(o->f, "%s\"%s\": ", o->any ? ", " : "{", key);
    o->any = true;
}

/* NULL is left out. */
static void meta_put_text(meta_object *o, const char *key, const char *text)
{
    if (text) {
        meta_key(o, key);
        perp_json_print_text(o->f, text);
    }
}

static void meta_put_real(meta_object *o, const char *key, double x)
{
    char number[PERP_NUMBER_LENGTH];

    meta_key(o, key);
    perp_number_print(number, x);
    fputs(number, o->f);
}

static void meta_put_size(meta_object *o, const char *key, size_t x)
{
    meta_key(o, key);
    fprintf(o->f, "%zu", x);
}

/* 0 is left out. */
static void meta_put_word(meta_object *o, const char *key, uint64_t x)
{
    if (x) {
        meta_key(o, key);
        fprintf(o->f, "\"%016" PRIx64 "\"", x);
    }
}

static bool meta_same_text(const char *a, const char *b)
{
    return a && b ? strcmp(a, b) == 0 : a == b;
}

/* A text that is shared is left out; an empty one says that there is none. */
static void meta_put_own(meta_object *o, const char *key, const char *text,
                         const char *shared)
{
    if (!meta_same_text(text, shared)) {
        meta_put_text(o, key, text ? text : "");
    }
}

static void meta_print_origin(FILE *f, const perp_origin *origin,
                              const perp_origin *shared)
{
    static const perp_origin none;
    meta_object o = {f, false};

    shared = shared ? shared : &none;
    meta_put_own(&o, "source", origin->source, shared->source);
    meta_put_own(&o, "version", origin->version, shared->version);
    meta_put_own(&o, "units", origin->units, shared->units);
    meta_put_own(&o, "licence", origin->licence, shared->licence);
    if (origin->step > 0) {
        meta_put_size(&o, "step", origin->step);
    }
    if (origin->timed && isfinite(origin->time) && isfinite(origin->dt)) {
        meta_put_real(&o, "time", origin->time);
        meta_put_real(&o, "dt", origin->dt);
    }
    meta_put_word(&o, "hash", origin->hash);
    fputs(o.any ? "}" : "{}", f);
}

static bool meta_is_placed(const perp_label *l)
{
    bool finite = l->placed && isfinite(l->gap);

    for (size_t k = 0; k < 3; k++) {
        finite = finite && isfinite(l->point[k]) && isfinite(l->normal[k]);
    }
    return finite;
}

static void meta_print_label(FILE *f, const perp_label *l)
{
    meta_object o = {f, false};

    meta_put_text(&o, "kind", perp_label_kind_name(l->kind));
    meta_put_text(&o, "name", l->name);
    if (l->body[0] || l->body[1]) {
        meta_key(&o, "bodies");
        for (size_t k = 0; k < 2; k++) {
            fputs(k ? ", " : "[", f);
            if (l->body[k]) {
                perp_json_print_text(f, l->body[k]);
            } else {
                fputs("null", f);
            }
        }
        fputc(']', f);
    }
    meta_put_text(&o, "joint", l->joint);
    if (l->index != PERP_LABEL_NO_INDEX) {
        meta_put_size(&o, "index", l->index);
    }
    if (meta_is_placed(l)) {
        meta_key(&o, "point");
        perp_json_print_reals(f, l->point, 3);
        meta_key(&o, "normal");
        perp_json_print_reals(f, l->normal, 3);
        meta_put_real(&o, "gap", l->gap);
    }
    if (l->mu >= 0.0 && isfinite(l->mu)) {
        meta_put_real(&o, "mu", l->mu);
    }
    meta_put_word(&o, "key", l->key);
    fputc('}', f);
}

static void meta_print_labels(FILE *f, const perp_labels *labels)
{
    for (size_t k = 0; k < labels->count; k++) {
        fputs(k ? ",\n    " : "[\n    ", f);
        meta_print_label(f, &labels->at[k]);
    }
    fputs(labels->count ? "\n  ]" : "[]", f);
}

void perp_meta_print(FILE *f, const perp_problem *p)
{
    if (p->origin) {
        fputs("  \"origin\": ", f);
        meta_print_origin(f, p->origin, NULL);
        fputs(",\n", f);
    }
    if (p->labels) {
        fputs("  \"labels\": ", f);
        meta_print_labels(f, p->labels);
        fputs(",\n", f);
    }
}

static void meta_print_head(FILE *f)
{
    fprintf(f, "{\n  \"format\": \"%s\",\n  \"version\": %d", PERP_META_FORMAT,
            PERP_META_VERSION);
}

/* Origin and labels behind other members. */
static void meta_print_members(FILE *f, const perp_problem *p, const perp_origin *shared)
{
    if (p->origin) {
        fputs(",\n  \"origin\": ", f);
        meta_print_origin(f, p->origin, shared);
    }
    if (p->labels) {
        fputs(",\n  \"labels\": ", f);
        meta_print_labels(f, p->labels);
    }
}

perp_status perp_meta_text(char **text, const perp_problem *p, const perp_origin *shared,
                           perp_error *err)
{
    const bool any = p->origin || p->labels;
    size_t length = 0;
    FILE *f = NULL;

    *text = NULL;
    f = any ? perp_memory_stream(text, &length) : NULL;
    if (f) {
        meta_print_head(f);
        meta_print_members(f, p, shared);
        fputs("\n}\n", f);
    }
    if (any && (!f || fclose(f) != 0)) {
        free(*text);
        *text = NULL;
        return perp_fail(err, PERP_ERR_MEMORY, "no memory for labels and origin");
    }
    return PERP_OK;
}

void perp_meta_print_side(FILE *f, const perp_problem *p)
{
    meta_print_head(f);
    fprintf(f, ",\n  \"hash\": \"%016" PRIx64 "\",\n  \"law\": \"%s\"",
            perp_problem_hash(p),
            p->law == PERP_LAW_ASSOCIATED ? "associated" : "coulomb");
    meta_print_members(f, p, NULL);
    fputs("\n}\n", f);
}
