/* SPDX-License-Identifier: Apache-2.0
 * tests/read/scene_schema.c: the schema of scenes, and the tables of
 * docs/scene-members.md, which are made from it. */
#include <config.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dynamics.h"

/* Every word of `words` is a member of the properties of the definition. */
static void has_members(const json_t *definition, const char *words)
{
    const json_t *properties = json_object_get(definition, "properties");
    char word[64];
    size_t count = 0;
    int length = 0;

    for (; sscanf(words, "%63s%n", word, &length) == 1; words += length) {
        if (!json_object_get(properties, word)) {
            test_note("%s is not in the schema", word);
            CU_FAIL("a member that the schema does not have");
        }
        count++;
    }
    CU_ASSERT_EQUAL(json_object_size(properties), count);
    CU_ASSERT_TRUE(json_is_false(json_object_get(definition, "additionalProperties")));
}

TEST(the_schema_is_json_and_lists_every_member)
{
    char *text = perp_scene_schema();
    json_t *schema = json_loads(text, JSON_REJECT_DUPLICATES, NULL);
    const json_t *defs = json_object_get(schema, "$defs");
    static const char *const members[][2] = {
        {"scheme", "dt friction stabilize erp slop max-correction margin speculative broad "
                   "narrow reduce threshold "
                   "restitution bias limits integrator turn max-angle gyro gyro-split "
                   "storage"},
        {"material", "name friction restitution rolling-friction erp cfm"},
        {"combine", "friction restitution erp"},
        {"body", "name motion gyro gravity disabled mass density inertia position "
                 "rotation velocity "
                 "spin friction-frame color shapes load repeat"},
        {"robot",
         "file name position rotation joints material base unknown meshes package "
         "merge-fixed no-self-collision repeat"},
        {"drive", "start limits motor spring armature"},
        {"load", "force torque"},
        {"ground", "material color normal offset"},
        {"joint",
         "type name bodies at axis axis2 angle length exact collide disabled erp cfm "
         "stiffness damping angular-cfm angular-stiffness angular-damping anchors "
         "directions rest limits motor spring armature axes repeat"},
        {"axis", "limits motor spring armature value"},
        {"rest", "position rotation"},
        {"gear", "joint follows axis follows-axis ratio offset cfm stiffness damping "
                 "repeat"},
        {"limits", "lower upper restitution cfm"},
        {"motor", "kind target max-force max-rate cfm"},
        {"spring", "stiffness damping rest"},
        {"copies", "count step turn index"},
        {"turn", "axis angle about"},
        {"parameter", "value min max help"},
        {"shape",
         "type size corners file scale points triangles parts body at rotation "
         "material color groups meets repeat radius length half-extents semi-axes"},
    };

    CU_ASSERT_PTR_NOT_NULL_FATAL(schema);
    CU_ASSERT_STRING_EQUAL(json_string_value(json_object_get(schema, "$schema")),
                           "https://json-schema.org/draft/2020-12/schema");
    has_members(schema,
                "name title description answer parameters dimension gravity time solver "
                "coordinates rotations chart-switch start scheme materials combine "
                "bodies robots ground "
                "shapes joints gears forces");
    for (size_t k = 0; k < sizeof members / sizeof *members; k++) {
        has_members(json_object_get(defs, members[k][0]), members[k][1]);
    }
    json_decref(schema);
    free(text);
}

/* enum of $defs[table].properties[member]. */
static const json_t *choices(const json_t *schema, const char *table, const char *member)
{
    const json_t *t = json_object_get(json_object_get(schema, "$defs"), table);
    const json_t *m = json_object_get(json_object_get(t, "properties"), member);

    return json_object_get(m, "enum");
}

TEST(the_schema_knows_every_registered_type_and_default)
{
    char *text = perp_scene_schema();
    json_t *schema = json_loads(text, 0, NULL);
    const json_t *scheme = json_object_get(
        json_object_get(json_object_get(schema, "$defs"), "scheme"), "properties");
    size_t joints = 0;
    size_t shapes = 0;
    size_t forces = 0;

    perp_joint_types(&joints);
    perp_shape_types(&shapes);
    perp_force_types(&forces);
    /* the user's own joint and force are functions, which no file holds */
    CU_ASSERT_EQUAL(json_array_size(choices(schema, "joint", "type")), joints - 1);
    CU_ASSERT_EQUAL(json_array_size(choices(schema, "shape", "type")), shapes);
    CU_ASSERT_EQUAL(json_array_size(choices(schema, "force", "type")), forces - 1);
    CU_ASSERT_EQUAL(
        json_number_value(json_object_get(json_object_get(scheme, "dt"), "default")),
        1.0 / 60.0);
    CU_ASSERT_STRING_EQUAL(
        json_string_value(json_object_get(json_object_get(scheme, "storage"), "default")),
        "factored");
    json_decref(schema);
    free(text);
}

/* A page at work; it has room for all tables. */
typedef struct page {
    char text[1 << 16];
    size_t length;
} page;

static void page_add(page *p, const char *text)
{
    size_t length = strlen(text);

    CU_ASSERT_FATAL(p->length + 2 * length < sizeof p->text);
    for (; *text; text++) {
        if (*text == '|') {
            p->text[p->length++] = '\\'; /* a bar would end the cell */
        }
        p->text[p->length++] = *text;
    }
    p->text[p->length] = '\0';
}

static void page_bar(page *p)
{
    p->text[p->length++] = '|';
    p->text[p->length] = '\0';
}

static bool is_required(const json_t *table, const char *name)
{
    const json_t *list = json_object_get(table, "required");

    for (size_t k = 0; k < json_array_size(list); k++) {
        if (strcmp(json_string_value(json_array_get(list, k)), name) == 0) {
            return true;
        }
    }
    return false;
}

static void page_row(page *p, const json_t *table, const char *name, const json_t *member)
{
    const json_t *names = json_object_get(member, "enum");
    char *value = json_dumps(json_object_get(member, "default"),
                             JSON_ENCODE_ANY | JSON_REAL_PRECISION(6));

    page_bar(p);
    page_add(p, " `");
    page_add(p, name);
    page_add(p, "` ");
    page_bar(p);
    page_add(p, " ");
    page_add(p, json_string_value(json_object_get(member, "description")));
    for (size_t k = 0; k < json_array_size(names); k++) {
        page_add(p, k ? ", `" : ": `");
        page_add(p, json_string_value(json_array_get(names, k)));
        page_add(p, "`");
    }
    page_add(p, " ");
    page_bar(p);
    page_add(p, " ");
    page_add(p, value ? value : is_required(table, name) ? "required" : "");
    page_add(p, " ");
    page_bar(p);
    page_add(p, "\n");
    free(value);
}

static void page_table(page *p, const json_t *table)
{
    const char *name = NULL;
    json_t *member = NULL;

    page_bar(p);
    page_add(p, " member ");
    page_bar(p);
    page_add(p, " meaning ");
    page_bar(p);
    page_add(p, " default ");
    page_bar(p);
    page_add(p, "\n");
    for (int k = 0; k < 3; k++) {
        page_bar(p);
        page_add(p, " --- ");
    }
    page_bar(p);
    page_add(p, "\n");
    json_object_foreach(json_object_get(table, "properties"), name, member)
    {
        page_row(p, table, name, member);
    }
}

static void page_all(page *p, const json_t *schema)
{
    const char *name = NULL;
    json_t *table = NULL;

    page_add(p, "### scene\n\n");
    page_table(p, schema);
    json_object_foreach(json_object_get(schema, "$defs"), name, table)
    {
        page_add(p, "\n### ");
        page_add(p, name);
        page_add(p, "\n\n");
        page_table(p, table);
    }
}

/* Where they differ, the tables as they should be are left for whoever repairs the
 * page. */
TEST(the_page_about_scenes_has_the_tables_of_the_schema)
{
    static page expected;
    static char found[1 << 17];
    char path[1024];
    char *text = perp_scene_schema();
    json_t *schema = json_loads(text, 0, NULL);
    FILE *f = NULL;

    page_all(&expected, schema);
    snprintf(path, sizeof path, "%s/docs/scene-members.md", test_source());
    f = fopen(path, "rb");
    CU_ASSERT_PTR_NOT_NULL_FATAL(f);
    found[fread(found, 1, sizeof found - 1, f)] = '\0';
    fclose(f);
    if (!strstr(found, expected.text)) {
        const char *scratch = test_scratch("tables.md");

        f = fopen(scratch, "wb");
        CU_ASSERT_PTR_NOT_NULL_FATAL(f);
        fputs(expected.text, f);
        fclose(f);
        test_note("the tables should be those of %s", scratch);
        CU_FAIL("docs/scene-members.md has other tables than the schema");
    }
    json_decref(schema);
    free(text);
}

/* The members of its examples are read: what stands between fences that say jsonc. */
TEST(the_examples_of_the_page_are_scenes)
{
    static char found[1 << 17];
    char path[1024];
    FILE *f = NULL;
    size_t count = 0;

    snprintf(path, sizeof path, "%s/docs/scenes.md", test_source());
    f = fopen(path, "rb");
    CU_ASSERT_PTR_NOT_NULL_FATAL(f);
    found[fread(found, 1, sizeof found - 1, f)] = '\0';
    fclose(f);
    for (const char *p = found; (p = strstr(p, "```jsonc\n")); count++) {
        const char *start = p + strlen("```jsonc\n");
        const char *end = strstr(start, "```");
        perp_scene *scene = NULL;
        perp_error err = {0};

        CU_ASSERT_PTR_NOT_NULL_FATAL(end);
        if (perp_scene_parse(&scene, start, (size_t)(end - start), "example", &err) !=
            PERP_OK) {
            test_note("%s", err.text);
            CU_FAIL("an example that is no scene");
        }
        perp_scene_free(scene);
        p = end + 3;
    }
    CU_ASSERT(count > 0);
}
