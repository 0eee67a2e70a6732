/* SPDX-License-Identifier: Apache-2.0
 * read/scene/schema.c: the tables of members as a JSON schema, draft 2020-12.
 *
 * Every table except that of the document is a definition. A number may be a text as
 * well, since it may have a unit; the description names the units. */
#include <config.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/json.h"
#include "read/scene/members.h"
#include "read/scene/tables.h"

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
    &scene_table_rest,      &scene_table_gear,
};

/* object[key] := value, which is taken. */
static void schema_put(schema *s, json_t *object, const char *key, json_t *value)
{
    s->ok = json_object_set_new(object, key, value) == 0 && s->ok;
}

static void schema_put_text(schema *s, json_t *object, const char *key, const char *text)
{
    schema_put(s, object, key, json_string(text));
}

static void schema_append(schema *s, json_t *array, json_t *value)
{
    s->ok = json_array_append_new(array, value) == 0 && s->ok;
}

/* Whole numbers are written without a point. */
static json_t *schema_number(double x)
{
    return floor(x) == x && fabs(x) < 1e9 ? json_integer((json_int_t)x) : json_real(x);
}

/* {"type": [a, b, ...]} of `count` names. */
static json_t *schema_types(schema *s, size_t count, const char *const *names)
{
    json_t *value = json_object();
    json_t *list = json_array();

    for (size_t k = 0; k < count; k++) {
        schema_append(s, list, json_string(names[k]));
    }
    schema_put(s, value, "type", list);
    return value;
}

static json_t *schema_quantity(schema *s)
{
    static const char *const names[] = {"number", "string"};

    return schema_types(s, 2, names);
}

static json_t *schema_reference(schema *s, const scene_table *table)
{
    char text[64];
    json_t *value = json_object();

    snprintf(text, sizeof text, "#/$defs/%s", table->name);
    schema_put_text(s, value, "$ref", text);
    return value;
}

static json_t *schema_array_of(schema *s, json_t *items, size_t least, size_t most)
{
    json_t *value = json_object();

    schema_put_text(s, value, "type", "array");
    schema_put(s, value, "items", items);
    if (least > 0) {
        schema_put(s, value, "minItems", json_integer((json_int_t)least));
    }
    if (most > 0) {
        schema_put(s, value, "maxItems", json_integer((json_int_t)most));
    }
    return value;
}

/* One of two schemas. */
static json_t *schema_either(schema *s, json_t *one, json_t *two)
{
    json_t *value = json_object();
    json_t *list = json_array();

    schema_append(s, list, one);
    schema_append(s, list, two);
    schema_put(s, value, "anyOf", list);
    return value;
}

static json_t *schema_choices(schema *s, const scene_member *m)
{
    json_t *value = json_object();
    json_t *list = json_array();

    for (size_t k = 0; scene_choice(m, k); k++) {
        schema_append(s, list, json_string(scene_choice(m, k)));
    }
    schema_put(s, value, "enum", list);
    return value;
}

static json_t *schema_model(schema *s, const scene_member *m)
{
    json_t *pyramid = json_object();

    schema_put_text(s, pyramid, "type", "string");
    schema_put_text(s, pyramid, "pattern", "^pyramid:[0-9]+$");
    return schema_either(s, schema_choices(s, m), pyramid);
}

static json_t *schema_rotation(schema *s)
{
    json_t *euler = json_object();
    json_t *properties = json_object();
    json_t *required = json_array();
    json_t *object = NULL;

    schema_put_text(s, euler, "type", "object");
    schema_put(s, properties, "euler",
               schema_array_of(s, schema_reference(s, &scene_table_turn), 0, 0));
    schema_put(s, euler, "properties", properties);
    schema_put(s, euler, "additionalProperties", json_false());
    schema_append(s, required, json_string("euler"));
    schema_put(s, euler, "required", required);
    object = schema_either(s, schema_reference(s, &scene_table_turn), euler);
    return schema_either(s, schema_array_of(s, schema_quantity(s), 4, 4),
                         schema_either(s, object, schema_quantity(s)));
}

static json_t *schema_text(schema *s, const scene_member *m)
{
    json_t *value = json_object();

    schema_put_text(s, value, "type", "string");
    if (m->count > 0) {
        schema_put(s, value, "maxLength", json_integer((json_int_t)m->count));
    }
    return value;
}

static json_t *schema_colour(schema *s)
{
    json_t *value = json_object();

    schema_put_text(s, value, "type", "string");
    schema_put_text(s, value, "pattern", "^#[0-9a-fA-F]{6}$");
    return value;
}

static json_t *schema_whole(schema *s)
{
    static const char *const names[] = {"integer", "string"};

    return schema_types(s, 2, names);
}

static json_t *schema_boolean(schema *s)
{
    static const char *const names[] = {"boolean"};

    return schema_types(s, 1, names);
}

/* An object of any names; each a quantity, or an object of the table. */
static json_t *schema_named(schema *s, const scene_table *table)
{
    json_t *value = json_object();

    schema_put_text(s, value, "type", "object");
    schema_put(s, value, "additionalProperties",
               schema_either(s, schema_quantity(s), schema_reference(s, table)));
    return value;
}

/* What a member may be. */
static json_t *schema_value(schema *s, const scene_member *m)
{
    switch (m->kind) {
    case SCENE_VECTOR:
        return schema_array_of(s, schema_quantity(s), 2, 3);
    case SCENE_SPIN:
        return schema_either(s, schema_quantity(s),
                             schema_array_of(s, schema_quantity(s), 2, 3));
    case SCENE_INERTIA:
        return schema_either(
            s, schema_quantity(s),
            schema_either(
                s, schema_array_of(s, schema_quantity(s), 3, 9),
                schema_array_of(s, schema_array_of(s, schema_quantity(s), 3, 3), 3, 3)));
    case SCENE_ROTATION:
        return schema_rotation(s);
    case SCENE_BOOL:
        return schema_boolean(s);
    case SCENE_TEXT:
        return schema_text(s, m);
    case SCENE_COLOUR:
        return schema_colour(s);
    case SCENE_CHOICE:
    case SCENE_BIT:
        return schema_choices(s, m);
    case SCENE_MODEL:
        return schema_model(s, m);
    case SCENE_OBJECT:
        return schema_reference(s, m->table);
    case SCENE_LIST:
        return schema_array_of(s, schema_reference(s, m->table), 0, 0);
    case SCENE_EITHER:
        return schema_either(s, schema_reference(s, m->table),
                             schema_array_of(s, schema_reference(s, m->table), 0, 0));
    case SCENE_NAMES:
        return schema_array_of(s, schema_text(s, &(scene_member){.count = 0}), 1, 2);
    case SCENE_POINTS:
        return schema_array_of(s, schema_array_of(s, schema_quantity(s), 2, 3), 1, 0);
    case SCENE_TRIPLES:
        return schema_array_of(s, schema_array_of(s, schema_whole(s), 3, 3), 1, 0);
    case SCENE_NUMBERS:
        return schema_array_of(s, schema_whole(s), 0, 32);
    case SCENE_SIZES:
        return schema_either(s, schema_quantity(s),
                             schema_array_of(s, schema_quantity(s), 1, 3));
    case SCENE_INTEGER:
        return schema_whole(s);
    case SCENE_NAMED:
        return schema_named(s, m->table);
    case SCENE_QUANTITY:
    case SCENE_REAL:
        break;
    }
    return schema_quantity(s);
}

static void schema_put_range(schema *s, json_t *value, const scene_member *m)
{
    if (m->kind != SCENE_REAL) {
        return;
    }
    if (m->range == SCENE_POSITIVE || m->range == SCENE_SPEED) {
        schema_put(s, value, "exclusiveMinimum", json_integer(0));
    } else if (m->range != SCENE_ANY) {
        schema_put(s, value, "minimum", json_integer(0));
    }
    if (m->range == SCENE_SHARE) {
        schema_put(s, value, "maximum", json_integer(1));
    }
}

/* What stands in `filled`, which nothing was read into. */
static void schema_put_default(schema *s, json_t *value, const scene_member *m,
                               const void *filled)
{
    const void *at = (const char *)filled + m->offset;
    const double *x = at;
    json_t *list = NULL;
    int chosen = 0;

    if (m->kind == SCENE_REAL && !isnan(*x)) {
        schema_put(s, value, "default",
                   isinf(*x) ? json_string("infinite") : schema_number(*x));
    } else if ((m->kind == SCENE_VECTOR || m->kind == SCENE_SPIN) && !isnan(*x)) {
        list = json_array();
        for (size_t k = 0; k < 3; k++) {
            schema_append(s, list, schema_number(x[k]));
        }
        schema_put(s, value, "default", list);
    } else if (m->kind == SCENE_INTEGER && m->fallback != 0.0) {
        schema_put(s, value, "default", schema_number(m->fallback));
    } else if (m->kind == SCENE_BOOL) {
        schema_put(s, value, "default", json_boolean(*(const bool *)at));
    } else if (m->kind == SCENE_CHOICE || m->kind == SCENE_BIT ||
               m->kind == SCENE_MODEL) {
        size_t k = 0;

        memcpy(&chosen, m->kind == SCENE_MODEL ? &((const perp_scheme *)at)->model : at,
               sizeof chosen);
        for (; m->kind == SCENE_BIT && chosen > 1; chosen >>= 1) {
            k++;
        }
        k = m->kind == SCENE_BIT ? k : (size_t)chosen;
        schema_put_text(s, value, "default", scene_choice(m, k));
    }
}

/* "mass of all [kg]". */
static void schema_put_help(schema *s, json_t *value, const scene_member *m)
{
    char help[256];

    snprintf(help, sizeof help, m->unit ? "%s [%s]" : "%s", m->help, m->unit);
    schema_put_text(s, value, "description", help);
}

/* The members that types bring; one that several have says so. */
static void schema_put_more(schema *s, json_t *properties, const scene_table *table)
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
                schema_put_text(s, value, "description", help);
            } else {
                value = schema_value(s, &extra.member);
                schema_put_range(s, value, &extra.member);
                schema_put_help(s, value, &extra.member);
                schema_put(s, properties, extra.name, value);
            }
        }
    }
}

static void schema_put_table(schema *s, json_t *object, const scene_table *table)
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
        json_t *value = schema_value(s, m);

        schema_put_range(s, value, m);
        if (m->required) {
            schema_append(s, required, json_string(m->name));
        } else {
            schema_put_default(s, value, m, &filled);
        }
        schema_put_help(s, value, m);
        schema_put(s, properties, m->name, value);
    }
    schema_put_more(s, properties, table);
    schema_put_text(s, object, "description", table->help);
    schema_put_text(s, object, "type", "object");
    schema_put(s, object, "properties", properties);
    schema_put(s, object, "required", required);
    schema_put(s, object, "additionalProperties", json_false());
}

char *perp_scene_schema(void)
{
    schema s = {true};
    json_t *root = json_object();
    json_t *definitions = json_object();
    char *out = NULL;

    schema_put_text(&s, root, "$schema", "https://json-schema.org/draft/2020-12/schema");
    schema_put_text(&s, root, "title", "perp scene");
    schema_put_table(&s, root, &scene_table_document);
    for (size_t k = 0; k < sizeof tables / sizeof *tables; k++) {
        json_t *one = json_object();

        schema_put_table(&s, one, tables[k]);
        schema_put(&s, definitions, tables[k]->name, one);
    }
    schema_put(&s, root, "$defs", definitions);
    out = s.ok ? json_dumps(root, JSON_INDENT(2)) : NULL;
    json_decref(root);
    return out;
}
