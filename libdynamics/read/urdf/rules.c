/* SPDX-License-Identifier: Apache-2.0
 * read/urdf/rules.c: the known elements and attributes, by their parents, in one table.
 *
 * Elements for displays, controllers and other simulators are ignored with their content;
 * unknown elements that could change the mechanics are refused or reported. */
#include <config.h>

#include <string.h>

#include "base/base.h"
#include "read/scene/tables.h"
#include "read/urdf/urdf.h"

typedef enum rule_kind {
    RULE_END, /* behind the last */
    RULE_ONE,
    RULE_MANY,
    RULE_PASS,      /* of no meaning here: not looked into */
    RULE_MECHANICS, /* known, of a meaning, and not supported */
} rule_kind;

enum { RULE_NAMES = 12 };

/* An element: what may be in it. */
typedef struct rule {
    const char *name;
    const char *attributes[RULE_NAMES];
    struct rule_child {
        const char *name;
        rule_kind kind;
    } children[RULE_NAMES];
} rule;

static const rule rules[] = {
    {"robot",
     {"name", "version"},
     {{"link", RULE_MANY},
      {"joint", RULE_MANY},
      {"material", RULE_PASS},
      {"transmission", RULE_PASS},
      {"gazebo", RULE_PASS},
      {"sensor", RULE_PASS},
      {"ros2_control", RULE_PASS}}},
    {"link",
     {"name", "type"},
     {{"inertial", RULE_ONE},
      {"collision", RULE_MANY},
      {"visual", RULE_PASS},
      {"gazebo", RULE_PASS}}},
    {"inertial",
     {NULL},
     {{"origin", RULE_ONE}, {"mass", RULE_ONE}, {"inertia", RULE_ONE}}},
    {"origin", {"xyz", "rpy"}, {{NULL, RULE_END}}},
    {"mass", {"value"}, {{NULL, RULE_END}}},
    {"inertia", {"ixx", "ixy", "ixz", "iyy", "iyz", "izz"}, {{NULL, RULE_END}}},
    {"collision",
     {"name"},
     {{"origin", RULE_ONE},
      {"geometry", RULE_ONE},
      {"material", RULE_PASS},
      {"verbose", RULE_PASS}}},
    /* its shapes are read where they stand: one, and of a known kind */
    {"box", {"size"}, {{NULL, RULE_END}}},
    {"cylinder", {"radius", "length"}, {{NULL, RULE_END}}},
    {"capsule", {"radius", "length"}, {{NULL, RULE_END}}},
    {"sphere", {"radius"}, {{NULL, RULE_END}}},
    {"mesh", {"filename", "scale"}, {{NULL, RULE_END}}},
    {"joint",
     {"name", "type"},
     {{"parent", RULE_ONE},
      {"child", RULE_ONE},
      {"origin", RULE_ONE},
      {"axis", RULE_ONE},
      {"limit", RULE_ONE},
      {"dynamics", RULE_ONE},
      {"mimic", RULE_ONE},
      {"calibration", RULE_PASS},
      {"safety_controller", RULE_PASS},
      {"gazebo", RULE_PASS}}},
    {"parent", {"link"}, {{NULL, RULE_END}}},
    {"child", {"link"}, {{NULL, RULE_END}}},
    {"axis", {"xyz"}, {{NULL, RULE_END}}},
    {"limit",
     {"lower", "upper", "effort", "velocity", "acceleration", "deceleration", "jerk"},
     {{NULL, RULE_END}}},
    {"dynamics", {"damping", "friction"}, {{NULL, RULE_END}}},
    {"mimic", {"joint", "multiplier", "offset"}, {{NULL, RULE_END}}},
};

static const rule *rules_find_rule(const char *name)
{
    for (size_t k = 0; k < sizeof rules / sizeof *rules; k++) {
        if (strcmp(rules[k].name, name) == 0) {
            return &rules[k];
        }
    }
    return NULL;
}

static perp_status rules_check_attributes(urdf_reader *rd, const urdf_element *e,
                                          const rule *r)
{
    perp_status status = PERP_OK;

    for (size_t k = 0; k < e->attribute_count && status == PERP_OK; k++) {
        const char *name = e->attribute[k].name;
        perp_nearest best;
        size_t n = 0;

        while (r->attributes[n] && strcmp(r->attributes[n], name) != 0) {
            n++;
        }
        if (r->attributes[n] || strncmp(name, "xml:", 4) == 0) {
            continue;
        }
        status =
            r->attributes[0]
                ? urdf_unknown(rd, e, "left out", "%.60s of %s is not known, %s", name,
                               e->name, scene_nearest(&best, name, r->attributes))
                : urdf_unknown(rd, e, "left out", "%.60s of %s is not known", name,
                               e->name);
    }
    return status;
}

static perp_status rules_unknown_child(urdf_reader *rd, const urdf_element *c,
                                       const rule *r)
{
    const char *names[RULE_NAMES + 1] = {NULL};
    perp_nearest best;

    if (strncmp(c->name, "xacro:", 6) == 0) {
        return urdf_fail(rd, c, PERP_ERR_FORMAT,
                         "<%.60s> is a macro, expected the output of xacro", c->name);
    }
    for (size_t k = 0; k < RULE_NAMES && r->children[k].name; k++) {
        names[k] = r->children[k].name;
    }
    if (!names[0]) {
        return urdf_unknown(rd, c, "left out", "<%.60s> in <%s> is not known", c->name,
                            r->name);
    }
    return urdf_unknown(rd, c, "left out", "<%.60s> in <%s> is not known, %s", c->name,
                        r->name, scene_nearest(&best, c->name, names));
}

static perp_status rules_check_child(urdf_reader *rd, const urdf_element *c,
                                     const rule *r)
{
    size_t n = 0;

    while (n < RULE_NAMES && r->children[n].name &&
           strcmp(r->children[n].name, c->name) != 0) {
        n++;
    }
    switch (n < RULE_NAMES ? r->children[n].kind : RULE_END) {
    case RULE_ONE:
        if (urdf_child(c->up, c->name) != c) {
            return urdf_fail(rd, c, PERP_ERR_FORMAT,
                             "a second <%s> in <%s>, expected one", c->name, r->name);
        }
        return rules_find_rule(c->name) ? urdf_check(rd, c) : PERP_OK;
    case RULE_MANY:
        return urdf_check(rd, c);
    case RULE_PASS:
        return PERP_OK;
    case RULE_MECHANICS:
        return urdf_unknown(rd, c, "left out", "<%s> is not supported", c->name);
    case RULE_END:
        break;
    }
    return rules_unknown_child(rd, c, r);
}

perp_status urdf_check(urdf_reader *rd, const urdf_element *e)
{
    const rule *r = rules_find_rule(e->name);
    perp_status status = rules_check_attributes(rd, e, r);

    for (const urdf_element *c = e->first; c && status == PERP_OK; c = c->next) {
        status = rules_check_child(rd, c, r);
    }
    return status;
}
