/* SPDX-License-Identifier: Apache-2.0
 * formats/meta_read.c: read labels and origin of a problem, in the form of meta_write.c; each
 * message has its place. */
#include <config.h>

#include <string.h>

#include "base/base.h"
#include "base/json.h"
#include "meta.h"

/* A text member on the heap. */
static perp_status meta_get_text(char **out, const json_t *o, const char *file,
                                 const char *at, const char *key, perp_error *err)
{
    const char *text = NULL;
    perp_status status = perp_json_text(&text, o, file, at, key, err);

    if (status == PERP_OK && text) {
        *out = perp_text_new(text);
        if (!*out) {
            status = perp_fail(err, PERP_ERR_MEMORY, "%s: no memory for a text", file);
        }
    }
    return status;
}

/* A member of 1 to 16 hexadecimal digits; 0 when it is missing. */
static perp_status meta_get_word(uint64_t *word, const json_t *o, const char *file,
                                 const char *at, const char *key, perp_error *err)
{
    const char *text = NULL;
    perp_status status = perp_json_text(&text, o, file, at, key, err);

    *word = 0;
    if (status != PERP_OK || !text) {
        return status;
    }
    if (!text[0] || strlen(text) > 16 ||
        strspn(text, "0123456789abcdefABCDEF") != strlen(text)) {
        return perp_fail(err, PERP_ERR_FORMAT,
                         "%s: %s%s is \"%.40s\", expected 1 to 16 hexadecimal digits",
                         file, at, key, text);
    }
    *word = strtoull(text, NULL, 16);
    return PERP_OK;
}

/* A missing text has the shared value; an empty text means that there is none. */
static perp_status meta_get_shared(char **out, const json_t *o, const char *file,
                                   const char *key, const char *shared, perp_error *err)
{
    perp_status status = meta_get_text(out, o, file, "origin.", key, err);

    if (status == PERP_OK && *out && !(*out)[0]) {
        free(*out);
        *out = NULL;
    } else if (status == PERP_OK && !*out && shared) {
        *out = perp_text_new(shared);
        if (!*out) {
            status = perp_fail(err, PERP_ERR_MEMORY, "%s: no memory for a text", file);
        }
    }
    return status;
}

static perp_status meta_get_texts(perp_origin *origin, const json_t *o, const char *file,
                                  const perp_origin *shared, perp_error *err)
{
    static const perp_origin none;

    shared = shared ? shared : &none;
    TRY(meta_get_shared(&origin->source, o, file, "source", shared->source, err));
    TRY(meta_get_shared(&origin->version, o, file, "version", shared->version, err));
    TRY(meta_get_shared(&origin->units, o, file, "units", shared->units, err));
    return meta_get_shared(&origin->licence, o, file, "licence", shared->licence, err);
}

/* The member "origin", into *origin. */
static perp_status meta_get_origin(perp_origin **origin, const json_t *root,
                                   const char *file, const perp_origin *shared,
                                   perp_error *err)
{
    static const char at[] = "origin.";
    const json_t *o = json_object_get(root, "origin");
    perp_status status = PERP_OK;

    if (!o) {
        return PERP_OK;
    }
    if (!json_is_object(o)) {
        return perp_fail(err, PERP_ERR_FORMAT, "%s: origin is %s, expected an object",
                         file, perp_json_kind(o));
    }
    status = perp_origin_new(origin, err);
    if (status == PERP_OK) {
        status = meta_get_texts(*origin, o, file, shared, err);
    }
    if (status == PERP_OK) {
        status = perp_json_size(&(*origin)->step, o, file, at, "step", 0, err);
    }
    if (status == PERP_OK && json_object_get(o, "time")) {
        (*origin)->timed = true;
        status = perp_json_real(&(*origin)->time, o, file, at, "time", err);
        if (status == PERP_OK) {
            status = perp_json_real(&(*origin)->dt, o, file, at, "dt", err);
        }
    }
    return status == PERP_OK ? meta_get_word(&(*origin)->hash, o, file, at, "hash", err)
                             : status;
}

static perp_status meta_get_kind(perp_label *l, const json_t *o, const char *file,
                                 const char *at, perp_error *err)
{
    const char *text = NULL;
    perp_status status = perp_json_text(&text, o, file, at, "kind", err);

    for (int k = PERP_LABEL_OTHER; text && k <= PERP_LABEL_AUXILIARY; k++) {
        if (strcmp(text, perp_label_kind_name((perp_label_kind)k)) == 0) {
            l->kind = (perp_label_kind)k;
            return PERP_OK;
        }
    }
    return status != PERP_OK || !text
               ? status
               : perp_fail(err, PERP_ERR_FORMAT,
                           "%s: %skind is \"%.40s\", expected other, contact, joint, "
                           "limit, motor, spring or auxiliary",
                           file, at, text);
}

static perp_status meta_get_bodies(perp_label *l, const json_t *o, const char *file,
                                   const char *at, perp_error *err)
{
    const json_t *bodies = json_object_get(o, "bodies");

    if (bodies && (!json_is_array(bodies) || json_array_size(bodies) != 2)) {
        return perp_fail(err, PERP_ERR_FORMAT,
                         "%s: %sbodies is %s, expected an array of two", file, at,
                         perp_json_kind(bodies));
    }
    for (size_t k = 0; bodies && k < 2; k++) {
        const json_t *name = json_array_get(bodies, k);

        if (json_is_null(name)) {
            continue;
        }
        if (!json_is_string(name)) {
            return perp_fail(err, PERP_ERR_FORMAT,
                             "%s: %sbodies[%zu] is %s, expected a text", file, at, k,
                             perp_json_kind(name));
        }
        l->body[k] = perp_text_new(json_string_value(name));
        if (!l->body[k]) {
            return perp_fail(err, PERP_ERR_MEMORY, "%s: no memory for a text", file);
        }
    }
    return PERP_OK;
}

/* Point, normal and gap, which come together. */
static perp_status meta_get_place(perp_label *l, const json_t *o, const char *file,
                                  const char *at, perp_error *err)
{
    char place[PERP_PLACE_LENGTH];
    const json_t *point = json_object_get(o, "point");
    perp_status status = PERP_OK;

    if (!point) {
        return PERP_OK;
    }
    l->placed = true;
    snprintf(place, sizeof place, "%spoint", at);
    status = perp_json_reals(l->point, 3, point, file, place, err);
    snprintf(place, sizeof place, "%snormal", at);
    if (status == PERP_OK) {
        status =
            perp_json_reals(l->normal, 3, json_object_get(o, "normal"), file, place, err);
    }
    return status == PERP_OK ? perp_json_real(&l->gap, o, file, at, "gap", err) : status;
}

static perp_status meta_get_label(perp_label *l, const json_t *o, const char *file,
                                  const char *at, perp_error *err)
{
    TRY(meta_get_kind(l, o, file, at, err));
    TRY(meta_get_text(&l->name, o, file, at, "name", err));
    TRY(meta_get_bodies(l, o, file, at, err));
    TRY(meta_get_text(&l->joint, o, file, at, "joint", err));
    TRY(perp_json_size(&l->index, o, file, at, "index", PERP_LABEL_NO_INDEX, err));
    TRY(meta_get_place(l, o, file, at, err));
    if (json_object_get(o, "mu")) {
        TRY(perp_json_real(&l->mu, o, file, at, "mu", err));
    }
    return meta_get_word(&l->key, o, file, at, "key", err);
}

/* The member "labels". */
static perp_status meta_get_labels(perp_problem *p, const json_t *root, const char *file,
                                   perp_error *err)
{
    const json_t *labels = json_object_get(root, "labels");
    size_t count = json_array_size(labels);
    size_t blocks = p->set ? p->set->count : 0;

    if (!labels) {
        return PERP_OK;
    }
    if (!json_is_array(labels)) {
        return perp_fail(err, PERP_ERR_FORMAT, "%s: labels is %s, expected an array",
                         file, perp_json_kind(labels));
    }
    if (count != blocks) {
        return perp_fail(
            err, PERP_ERR_FORMAT,
            "%s: labels has %zu entries, expected one for each of %zu blocks", file,
            count, blocks);
    }
    TRY(perp_labels_new(&p->labels, count, err));
    for (size_t k = 0; k < count; k++) {
        const json_t *o = json_array_get(labels, k);
        char at[PERP_PLACE_LENGTH / 2];

        snprintf(at, sizeof at, "labels[%zu].", k);
        TRY(json_is_object(o) ? meta_get_label(&p->labels->at[k], o, file, at, err)
                              : perp_fail(err, PERP_ERR_FORMAT,
                                          "%s: labels[%zu] is %s, expected an object",
                                          file, k, perp_json_kind(o)));
    }
    return PERP_OK;
}

perp_status perp_meta_read(perp_problem *p, const json_t *root, const char *file,
                           perp_error *err)
{
    TRY(meta_get_origin(&p->origin, root, file, NULL, err));
    return meta_get_labels(p, root, file, err);
}

/* What every document of its own begins with. */
static perp_status meta_check_head(const json_t *root, const char *file, perp_error *err)
{
    const char *format = NULL;
    size_t version = 0;

    TRY(perp_json_text(&format, root, file, "", "format", err));
    if ((!format || strcmp(format, PERP_META_FORMAT) != 0)) {
        TRY(perp_fail(err, PERP_ERR_FORMAT, "%s: format is \"%.40s\", expected \"%s\"",
                      file, format ? format : "", PERP_META_FORMAT));
    }
    TRY(perp_json_size(&version, root, file, "", "version", 1, err));
    if (version != PERP_META_VERSION) {
        TRY(perp_fail(err, PERP_ERR_FORMAT, "%s: version is %zu, expected %d", file,
                      version, PERP_META_VERSION));
    }
    return PERP_OK;
}

perp_status perp_meta_parse(perp_problem *p, perp_source *from, const perp_origin *shared,
                            uint64_t *hash, perp_error *err)
{
    json_t *root = NULL;
    perp_status status = perp_json_load(&root, from, err);

    if (status == PERP_OK) {
        status = meta_check_head(root, from->name, err);
    }
    if (status == PERP_OK && hash) {
        status = meta_get_word(hash, root, from->name, "", "hash", err);
    }
    if (status == PERP_OK) {
        status = meta_get_origin(&p->origin, root, from->name, shared, err);
    }
    if (status == PERP_OK) {
        status = meta_get_labels(p, root, from->name, err);
    }
    json_decref(root);
    return status;
}
