/* SPDX-License-Identifier: Apache-2.0
 * read/schema.c: the tables of members as a JSON schema, draft 2020-12.
 *
 * Every table but that of the document is a definition. Texts are allowed wherever a
 * number is, since it may carry a unit; what a unit may be stands in the description. */
#include <config.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "read/reader.h"

/* A schema at work; false without memory, and then all further parts are dropped. */
typedef struct schema {
    bool ok;
} schema;

static const scene_table *const tables[] = {
    &scene_table_scheme,    &scene_table_material, &scene_table_combine,
    &scene_table_body,      &scene_table_shape,    &scene_table_load,
    &scene_table_ground,    &scene_table_joint,    &scene_table_axis,
    &scene_table_limits,    &scene_table_motor,    &scene_table_spring,
    &scene_table_force,     &scene_table_copies,   &scene_table_turn,
    &scene_table_parameter, &scene_table_robot,    &scene_table_drive,
    &scene_table_rest,
};

/* object[key] := value, which is taken. */
static void put(schema *s, json_t *object, const char *key, json_t *value)
{
    s->ok = json_object_set_new(object, key, value) == 0 && s->ok;
}

static void put_text(schema *s, json_t *object, const char *key, const char *text)
{
    put(s, object, key, json_string(text));
}

static void append(schema *s, json_t *array, json_t *value)
{
    s->ok = json_array_append_new(array, value) == 0 && s->ok;
}

/* Whole numbers are written without a point. */
static json_t *number(double x)
{
    return floor(x) == x && fabs(x) < 1e9 ? json_integer((json_int_t)x) : json_real(x);
}

/* {"type": [a, b, ...]} of `count` names. */
static json_t *types(schema *s, size_t count, const char *const *names)
{
    json_t *value = json_object();
    json_t *list = json_array();

    for (size_t k = 0; k < count; k++) {
        append(s, list, json_string(names[k]));
    }
    put(s, value, "type", list);
    return value;
}

static json_t *quantity(schema *s)
{
    static const char *const names[] = {"number", "string"};

    return types(s, 2, names);
}

static json_t *reference(schema *s, const scene_table *table)
{
    char text[64];
    json_t *value = json_object();

    snprintf(text, sizeof text, "#/$defs/%s", table->name);
    put_text(s, value, "$ref", text);
    return value;
}

static json_t *array_of(schema *s, json_t *items, size_t least, size_t most)
{
    json_t *value = json_object();

    put_text(s, value, "type", "array");
    put(s, value, "items", items);
    if (least > 0) {
        put(s, value, "minItems", json_integer((json_int_t)least));
    }
    if (most > 0) {
        put(s, value, "maxItems", json_integer((json_int_t)most));
    }
    return value;
}

/* One of two schemas. */
static json_t *either(schema *s, json_t *one, json_t *two)
{
    json_t *value = json_object();
    json_t *list = json_array();

    append(s, list, one);
    append(s, list, two);
    put(s, value, "anyOf", list);
    return value;
}

static json_t *choices(schema *s, const scene_member *m)
{
    json_t *value = json_object();
    json_t *list = json_array();

    for (size_t k = 0; scene_choice(m, k); k++) {
        append(s, list, json_string(scene_choice(m, k)));
    }
    put(s, value, "enum", list);
    return value;
}

static json_t *model(schema *s, const scene_member *m)
{
    json_t *pyramid = json_object();

    put_text(s, pyramid, "type", "string");
    put_text(s, pyramid, "pattern", "^pyramid:[0-9]+$");
    return either(s, choices(s, m), pyramid);
}

static json_t *rotation(schema *s)
{
    json_t *euler = json_object();
    json_t *properties = json_object();
    json_t *required = json_array();
    json_t *object = NULL;

    put_text(s, euler, "type", "object");
    put(s, properties, "euler", array_of(s, reference(s, &scene_table_turn), 0, 0));
    put(s, euler, "properties", properties);
    put(s, euler, "additionalProperties", json_false());
    append(s, required, json_string("euler"));
    put(s, euler, "required", required);
    object = either(s, reference(s, &scene_table_turn), euler);
    return either(s, array_of(s, quantity(s), 4, 4), either(s, object, quantity(s)));
}

static json_t *text(schema *s, const scene_member *m)
{
    json_t *value = json_object();

    put_text(s, value, "type", "string");
    if (m->count > 0) {
        put(s, value, "maxLength", json_integer((json_int_t)m->count));
    }
    return value;
}

static json_t *whole(schema *s)
{
    static const char *const names[] = {"integer", "string"};

    return types(s, 2, names);
}

static json_t *boolean(schema *s)
{
    static const char *const names[] = {"boolean"};

    return types(s, 1, names);
}

/* An object of any names; each a quantity, or an object of the table. */
static json_t *named(schema *s, const scene_table *table)
{
    json_t *value = json_object();

    put_text(s, value, "type", "object");
    put(s, value, "additionalProperties", either(s, quantity(s), reference(s, table)));
    return value;
}

/* What a member may be. */
static json_t *value_schema(schema *s, const scene_member *m)
{
    switch (m->kind) {
    case SCENE_VECTOR:
        return array_of(s, quantity(s), 2, 3);
    case SCENE_SPIN:
        return either(s, quantity(s), array_of(s, quantity(s), 2, 3));
    case SCENE_INERTIA:
        return either(s, quantity(s), array_of(s, quantity(s), 3, 9));
    case SCENE_ROTATION:
        return rotation(s);
    case SCENE_BOOL:
        return boolean(s);
    case SCENE_TEXT:
        return text(s, m);
    case SCENE_CHOICE:
    case SCENE_BIT:
        return choices(s, m);
    case SCENE_MODEL:
        return model(s, m);
    case SCENE_OBJECT:
        return reference(s, m->table);
    case SCENE_LIST:
        return array_of(s, reference(s, m->table), 0, 0);
    case SCENE_EITHER:
        return either(s, reference(s, m->table),
                      array_of(s, reference(s, m->table), 0, 0));
    case SCENE_NAMES:
        return array_of(s, text(s, &(scene_member){.count = 0}), 1, 2);
    case SCENE_POINTS:
        return array_of(s, array_of(s, quantity(s), 2, 3), 1, 0);
    case SCENE_TRIPLES:
        return array_of(s, array_of(s, whole(s), 3, 3), 1, 0);
    case SCENE_NUMBERS:
        return array_of(s, whole(s), 0, 32);
    case SCENE_SIZES:
        return either(s, quantity(s), array_of(s, quantity(s), 1, 3));
    case SCENE_INTEGER:
        return whole(s);
    case SCENE_NAMED:
        return named(s, m->table);
    case SCENE_QUANTITY:
    case SCENE_REAL:
        break;
    }
    return quantity(s);
}

static void put_range(schema *s, json_t *value, const scene_member *m)
{
    if (m->kind != SCENE_REAL) {
        return;
    }
    if (m->range == SCENE_POSITIVE || m->range == SCENE_SPEED) {
        put(s, value, "exclusiveMinimum", json_integer(0));
    } else if (m->range != SCENE_ANY) {
        put(s, value, "minimum", json_integer(0));
    }
    if (m->range == SCENE_SHARE) {
        put(s, value, "maximum", json_integer(1));
    }
}

/* What stands in `filled`, which nothing was read into. */
static void put_default(schema *s, json_t *value, const scene_member *m,
                        const void *filled)
{
    const void *at = (const char *)filled + m->offset;
    const double *x = at;
    json_t *list = NULL;
    int chosen = 0;

    if (m->kind == SCENE_REAL && !isnan(*x)) {
        put(s, value, "default", isinf(*x) ? json_string("infinite") : number(*x));
    } else if ((m->kind == SCENE_VECTOR || m->kind == SCENE_SPIN) && !isnan(*x)) {
        list = json_array();
        for (size_t k = 0; k < 3; k++) {
            append(s, list, number(x[k]));
        }
        put(s, value, "default", list);
    } else if (m->kind == SCENE_INTEGER && m->fallback != 0.0) {
        put(s, value, "default", number(m->fallback));
    } else if (m->kind == SCENE_BOOL) {
        put(s, value, "default", json_boolean(*(const bool *)at));
    } else if (m->kind == SCENE_CHOICE || m->kind == SCENE_BIT ||
               m->kind == SCENE_MODEL) {
        size_t k = 0;

        memcpy(&chosen, m->kind == SCENE_MODEL ? &((const perp_scheme *)at)->model : at,
               sizeof chosen);
        for (; m->kind == SCENE_BIT && chosen > 1; chosen >>= 1) {
            k++;
        }
        k = m->kind == SCENE_BIT ? k : (size_t)chosen;
        put_text(s, value, "default", scene_choice(m, k));
    }
}

/* "mass of all [kg]". */
static void put_help(schema *s, json_t *value, const scene_member *m)
{
    char help[256];

    snprintf(help, sizeof help, m->unit ? "%s [%s]" : "%s", m->help, m->unit);
    put_text(s, value, "description", help);
}

/* The members that types bring; one that several have says so. */
static void put_more(schema *s, json_t *properties, const scene_table *table)
{
    scene_extra extra;

    for (size_t t = 0; table->more; t++) {
        bool more = table->more(t, 0, &extra);

        if (!extra.type) {
            return;
        }
        for (size_t k = 0; more; more = table->more(t, ++k, &extra)) {
            json_t *value = json_object_get(properties, extra.name);
            const char *old = json_string_value(json_object_get(value, "description"));
            char help[256];

            if (value && old) {
                snprintf(help, sizeof help, "%s; %s [%s]", old, extra.help,
                         extra.member.unit ? extra.member.unit : "1");
                put_text(s, value, "description", help);
            } else {
                value = value_schema(s, &extra.member);
                put_range(s, value, &extra.member);
                put_help(s, value, &extra.member);
                put(s, properties, extra.name, value);
            }
        }
    }
}

static void put_table(schema *s, json_t *object, const scene_table *table)
{
    union {
        scene_document document;
        scene_scheme scheme;
        scene_body body;
        scene_joint joint;
        scene_shape shape;
        scene_force force;
    } filled; /* the largest that a table fills */
    json_t *properties = json_object();
    json_t *required = json_array();

    scene_defaults(table, &filled);
    for (size_t k = 0; k < table->count; k++) {
        const scene_member *m = &table->members[k];
        json_t *value = value_schema(s, m);

        put_range(s, value, m);
        if (m->required) {
            append(s, required, json_string(m->name));
        } else {
            put_default(s, value, m, &filled);
        }
        put_help(s, value, m);
        put(s, properties, m->name, value);
    }
    put_more(s, properties, table);
    put_text(s, object, "description", table->help);
    put_text(s, object, "type", "object");
    put(s, object, "properties", properties);
    put(s, object, "required", required);
    put(s, object, "additionalProperties", json_false());
}

char *perp_scene_schema(void)
{
    schema s = {true};
    json_t *root = json_object();
    json_t *definitions = json_object();
    char *out = NULL;

    put_text(&s, root, "$schema", "https://json-schema.org/draft/2020-12/schema");
    put_text(&s, root, "title", "perp scene");
    put_table(&s, root, &scene_table_document);
    for (size_t k = 0; k < sizeof tables / sizeof *tables; k++) {
        json_t *one = json_object();

        put_table(&s, one, tables[k]);
        put(&s, definitions, tables[k]->name, one);
    }
    put(&s, root, "$defs", definitions);
    out = s.ok ? json_dumps(root, JSON_INDENT(2)) : NULL;
    json_decref(root);
    return out;
}
