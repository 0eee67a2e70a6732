/* SPDX-License-Identifier: Apache-2.0
 * tests/fuzz/fuzz_scene.c: any bytes as a scene. What was read has finite states and
 * numbers that find each other; what was not has a message of one line. */
#include <config.h>

#include <string.h>

#include <perp/dynamics/dynamics.h>

#include "fuzz_files.h"
#include "reference.h"

static int has(const uint8_t *data, size_t size, const char *word)
{
    size_t length = strlen(word);

    for (size_t k = 0; k + length <= size; k++) {
        if (memcmp(data + k, word, length) == 0) {
            return 1;
        }
    }
    return 0;
}

/* Counts beyond a few hundred cost time and teach nothing: where something is repeated,
 * four digits in a row, or products and powers behind one another. */
static int is_large(const uint8_t *data, size_t size)
{
    size_t digits = 0;
    size_t products = 0;

    if (!has(data, size, "repeat")) {
        return 0;
    }
    for (size_t k = 0; k < size; k++) {
        digits = data[k] >= '0' && data[k] <= '9' ? digits + 1 : 0;
        products += data[k] == '*' || data[k] == '^';
        if (digits > 3 || products > 3) {
            return 1;
        }
    }
    return 0;
}

static void check(const perp_scene *s)
{
    const perp_world *w = s->world;

    if (!w || !s->name || !s->title || test_nonfinite_body(w, w->start) >= 0 ||
        perp_scheme_check(&s->scheme, NULL) != PERP_OK) {
        abort();
    }
    for (size_t k = 0; k < w->shape_count; k++) {
        if (w->shapes[k].body < 0 || (size_t)w->shapes[k].body >= w->body_count) {
            abort();
        }
    }
    for (size_t k = 0; k < w->joint_count; k++) {
        if (w->joints[k].i == w->joints[k].j || w->joints[k].i < 0 ||
            (size_t)w->joints[k].i >= w->body_count) {
            abort();
        }
    }
}

FUZZ(scene)
{
    perp_scene *s = NULL;
    perp_error err = {0};
    perp_status status = PERP_OK;

    if (is_large(data, size)) {
        return 0;
    }
    status = perp_scene_parse(&s, (const char *)data, size, "scene.json", &err);
    if ((status == PERP_OK) != (s != NULL) ||
        (!s && (!err.text[0] || strchr(err.text, '\n')))) {
        abort();
    }
    if (s) {
        check(s);
    }
    perp_scene_free(s);
    return 0;
}
