/* SPDX-License-Identifier: Apache-2.0
 * runner/certificates.c: certificates written to JSON, read and checked.
 *
 *     {"kind": "infeasible", "y": […], "radius": R, "margin": m}
 *     {"kind": "ray", "z": […], "z0": x, "dz": […], "dz0": x, "cover": […], SEEN}
 *     {"kind": "singular", "x": […], SEEN}
 *     {"kind": "cycle", "rule": "minmap", "states": ["LFU…", …], SEEN}
 *     radius, margin: of perp_certificate_measure; a radius of null is infinite. They are computed
 *     again when a certificate is checked, and one that claims more is refused.
 *     SEEN: "seen_by": "lemke", "view": {"scale": "on", …} */
#include <config.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "command/campaign/certificates.h"
#include "command/cli/answer.h"
#include "command/cli/plugin.h"
#include "command/cli/take.h"

static const char state_letters[] = "LFU"; /* by PERP_STATE_… */

/* Options that decide which problem the solver is given. */
static const char *const shaping[] = {"friction", "scale", "global"};

static json_t *certificates_write_states(const perp_certificate *c)
{
    json_t *array = json_array();
    char *text = take(c->n + 1, 1);

    for (size_t t = 0; t < c->steps; t++) {
        for (size_t i = 0; i < c->n; i++) {
            text[i] = state_letters[c->states[t * c->n + i]];
        }
        json_array_append_new(array, json_string(text));
    }
    free(text);
    return array;
}

static json_t *certificates_write_body(const perp_certificate *c)
{
    const char *kind = perp_certificate_name(c->kind);

    switch (c->kind) {
    case PERP_CERTIFICATE_RAY:
        return json_pack("{s:s, s:o, s:f, s:o, s:f, s:o}", "kind", kind, "z",
                         answer_vector(c->y, c->n), "z0", c->z0, "dz",
                         answer_vector(c->dz, c->n), "dz0", c->dz0, "cover",
                         answer_vector(c->cover, c->n));
    case PERP_CERTIFICATE_SINGULAR:
        return json_pack("{s:s, s:o}", "kind", kind, "x", answer_vector(c->y, c->n));
    case PERP_CERTIFICATE_CYCLE:
        return json_pack("{s:s, s:s, s:o}", "kind", kind, "rule", perp_rule_name(c->rule),
                         "states", certificates_write_states(c));
    default:
        return json_pack("{s:s, s:o}", "kind", kind, "y", answer_vector(c->y, c->n));
    }
}

static json_t *certificates_write_view(const perp_options *opt)
{
    json_t *view = json_object();
    char text[PERP_OPTION_TEXT_LENGTH];

    for (size_t i = 0; i < sizeof shaping / sizeof *shaping; i++) {
        if (perp_options_find(opt, shaping[i])) {
            perp_options_print(opt, shaping[i], text, sizeof text);
            json_object_set_new(view, shaping[i], json_string(text));
        }
    }
    return view;
}

json_t *certificates_json(const perp_problem *p, const perp_options *opt,
                          const perp_result *r)
{
    stored_certificate e = {0};
    json_t *object = NULL;

    if (r->certificate.kind == PERP_CERTIFICATE_INFEASIBLE) {
        e.c = (perp_certificate){
            .kind = PERP_CERTIFICATE_INFEASIBLE, .n = p->n, .y = r->certificate.y};
    } else if (r->certificate.kind != PERP_CERTIFICATE_NONE) {
        e.c = r->certificate;
        snprintf(e.seen_by, sizeof e.seen_by, "%s", r->certificate_solver);
        e.view = certificates_write_view(opt);
    } else {
        return json_null();
    }
    object = certificates_write_body(&e.c);
    if (object) {
        certificates_update(object, &e, p);
        if (e.seen_by[0]) {
            json_object_set_new(object, "seen_by", json_string(e.seen_by));
            json_object_set(object, "view", e.view);
        }
    }
    json_decref(e.view);
    return object;
}

static perp_status certificates_read_numbers(const char *path, const json_t *object,
                                             const char *name, double *x, size_t n,
                                             perp_error *err)
{
    const json_t *array = json_object_get(object, name);

    if (json_array_size(array) != n) {
        return perp_fail(
            err, PERP_ERR_FORMAT, "%s: certificate.%s holds %zu number%s, expected %zu",
            path, name, json_array_size(array), perp_plural(json_array_size(array)), n);
    }
    for (size_t i = 0; i < n; i++) {
        const json_t *item = json_array_get(array, i);

        if (!json_is_number(item)) {
            return perp_fail(err, PERP_ERR_FORMAT,
                             "%s: certificate.%s[%zu] is not a number", path, name, i);
        }
        x[i] = json_number_value(item);
    }
    return PERP_OK;
}

static perp_status certificates_read_vector(stored_certificate *e,
                                            perp_certificate_kind kind, const char *path,
                                            const json_t *object, const char *name,
                                            perp_error *err)
{
    size_t n = json_array_size(json_object_get(object, name));
    perp_status status = PERP_OK;

    if (!json_is_array(json_object_get(object, name))) {
        return perp_fail(err, PERP_ERR_FORMAT,
                         "%s: certificate.%s is not an array of numbers", path, name);
    }
    status = perp_certificate_init(&e->c, kind, n, 0, err);
    return status == PERP_OK
               ? certificates_read_numbers(path, object, name, e->c.y, n, err)
               : status;
}

/* A radius or a margin, which may be missing; null is infinite. */
static perp_status certificates_read_bound(const char *path, const json_t *object,
                                           const char *name, double *x, perp_error *err)
{
    const json_t *value = json_object_get(object, name);

    *x = json_is_null(value) ? INFINITY : json_number_value(value); /* 0: missing */
    if (value && !json_is_null(value) && !(json_is_number(value) && *x >= 0.0)) {
        return perp_fail(err, PERP_ERR_FORMAT,
                         "%s: certificate.%s is not a number >= 0 or null", path, name);
    }
    return PERP_OK;
}

static perp_status certificates_read_infeasible(stored_certificate *e, const char *path,
                                                const json_t *object, perp_error *err)
{
    TRY(certificates_read_vector(e, PERP_CERTIFICATE_INFEASIBLE, path, object, "y", err));
    TRY(certificates_read_bound(path, object, "radius", &e->radius, err));
    return certificates_read_bound(path, object, "margin", &e->margin, err);
}

static perp_status certificates_read_ray(stored_certificate *e, const char *path,
                                         const json_t *object, perp_error *err)
{
    const json_t *z0 = json_object_get(object, "z0");
    const json_t *dz0 = json_object_get(object, "dz0");
    perp_status status =
        certificates_read_vector(e, PERP_CERTIFICATE_RAY, path, object, "z", err);

    if (status == PERP_OK && (!json_is_number(z0) || !json_is_number(dz0))) {
        status = perp_fail(err, PERP_ERR_FORMAT,
                           "%s: certificate.z0 and dz0 are not numbers", path);
    }
    if (status == PERP_OK) {
        e->c.z0 = json_number_value(z0);
        e->c.dz0 = json_number_value(dz0);
        status = certificates_read_numbers(path, object, "dz", e->c.dz, e->c.n, err);
    }
    return status == PERP_OK
               ? certificates_read_numbers(path, object, "cover", e->c.cover, e->c.n, err)
               : status;
}

static bool certificates_read_rule(const char *name, perp_rule *rule)
{
    for (int k = 0; name && perp_rule_name((perp_rule)k); k++) {
        if (strcmp(name, perp_rule_name((perp_rule)k)) == 0) {
            *rule = (perp_rule)k;
            return true;
        }
    }
    return false;
}

static perp_status certificates_read_cycle(stored_certificate *e, const char *path,
                                           const json_t *object, perp_error *err)
{
    const json_t *states = json_object_get(object, "states");
    const char *rule = json_string_value(json_object_get(object, "rule"));
    const char *first = json_string_value(json_array_get(states, 0));
    size_t n = first ? strlen(first) : 0;
    perp_rule which = PERP_RULE_MINMAP;
    perp_status status = PERP_OK;

    if (!first || !certificates_read_rule(rule, &which)) {
        return perp_fail(err, PERP_ERR_FORMAT,
                         "%s: certificate of a cycle without a known rule and states",
                         path);
    }
    status = perp_certificate_init(&e->c, PERP_CERTIFICATE_CYCLE, n,
                                   json_array_size(states), err);
    e->c.rule = which;
    for (size_t t = 0; status == PERP_OK && t < e->c.steps; t++) {
        const char *text = json_string_value(json_array_get(states, t));

        if (!text || strlen(text) != n || strspn(text, state_letters) != n) {
            return perp_fail(err, PERP_ERR_FORMAT,
                             "%s: certificate.states[%zu] is not %zu letters of %s", path,
                             t, n, state_letters);
        }
        for (size_t i = 0; i < n; i++) {
            e->c.states[t * n + i] =
                (unsigned char)(strchr(state_letters, text[i]) - state_letters);
        }
    }
    return status;
}

perp_status certificates_read(stored_certificate *e, const char *path,
                              const json_t *object, perp_error *err)
{
    const char *kind = json_string_value(json_object_get(object, "kind"));
    const char *seen_by = json_string_value(json_object_get(object, "seen_by"));
    json_t *view = json_object_get(object, "view");

    *e = (stored_certificate){0};
    snprintf(e->seen_by, sizeof e->seen_by, "%s", seen_by ? seen_by : "");
    e->view = json_is_object(view) ? json_incref(view) : NULL;
    if (!kind || strcmp(kind, "infeasible") == 0) {
        return certificates_read_infeasible(e, path, object, err);
    }
    if (strcmp(kind, "singular") == 0) {
        return certificates_read_vector(e, PERP_CERTIFICATE_SINGULAR, path, object, "x",
                                        err);
    }
    if (strcmp(kind, "ray") == 0) {
        return certificates_read_ray(e, path, object, err);
    }
    if (strcmp(kind, "cycle") == 0) {
        return certificates_read_cycle(e, path, object, err);
    }
    return perp_fail(err, PERP_ERR_FORMAT,
                     "%s: certificate.kind is \"%s\", expected infeasible, ray, singular "
                     "or cycle",
                     path, kind);
}

void certificates_clear(stored_certificate *e)
{
    perp_certificate_clear(&e->c);
    json_decref(e->view);
    *e = (stored_certificate){0};
}

/* The problem as the solver was given it. */
static perp_status certificates_view(const stored_certificate *e, const perp_problem *p,
                                     perp_problem **seen, perp_error *err)
{
    const perp_solver_type *type = NULL;
    perp_options opt;
    const char *name = NULL;
    json_t *value = NULL;
    perp_status status = plugin_parse(e->seen_by, &type, &opt, err);

    json_object_foreach(e->view, name, value)
    {
        const char *text = json_string_value(value);

        if (status == PERP_OK) {
            status = perp_options_set(&opt, name, text ? text : "", err);
        }
    }
    return status == PERP_OK ? perp_solver_view(type, p, &opt, seen, err) : status;
}

/* Whether a stated bound is at most the one computed, but for the last digits, in which machines
 * may differ. */
static bool certificates_claim(const char *name, double stated, double computed,
                               char *why, size_t length)
{
    bool holds = isinf(computed) || stated <= computed * (1.0 + 1e-12);

    if (!holds) {
        snprintf(why, length,
                 "the %s of %.3g that it states is larger than %.3g, that of y", name,
                 stated, computed);
    }
    return holds;
}

bool certificates_check(const stored_certificate *e, const perp_problem *p, char *why,
                        size_t length)
{
    perp_problem *seen = NULL;
    perp_error err = {0};
    bool holds = false;

    if (!e->seen_by[0]) {
        double radius = 0.0, margin = 0.0;

        holds = perp_certificate_check(&e->c, p, why, length);
        if (!holds || e->c.kind != PERP_CERTIFICATE_INFEASIBLE) {
            return holds;
        }
        perp_certificate_measure(p, e->c.y, &radius, &margin);
        return certificates_claim("radius", e->radius, radius, why, length) &&
               certificates_claim("margin", e->margin, margin, why, length);
    }
    if (certificates_view(e, p, &seen, &err) != PERP_OK) {
        snprintf(why, length, "%.120s", err.text);
        return false;
    }
    holds = perp_certificate_check(&e->c, seen, why, length);
    perp_problem_free(seen);
    return holds;
}

void certificates_update(json_t *object, const stored_certificate *e,
                         const perp_problem *p)
{
    char why[160] = "";
    bool holds = certificates_check(e, p, why, sizeof why);

    json_object_set_new(object, "verified", json_boolean(holds));
    json_object_set_new(object, "says", json_string(why));

    if (e->c.kind == PERP_CERTIFICATE_INFEASIBLE && !e->seen_by[0] && e->c.n == p->n &&
        p->A) {
        double radius = 0.0, margin = 0.0;

        perp_certificate_measure(p, e->c.y, &radius, &margin);
        json_object_set_new(object, "radius", answer_real(radius));
        json_object_set_new(object, "margin", answer_real(margin));
    }
}
