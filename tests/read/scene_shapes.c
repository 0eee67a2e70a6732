/* SPDX-License-Identifier: Apache-2.0
 * tests/read/scene_shapes.c: shapes of scenes that are made of more than sizes:
 * files, surfaces, parts; and the groups that meet. */
#include <config.h>

#include <stdio.h>
#include <stdlib.h>

#include "scarce.h"
#include "scenes.h"

/* A tetrahedron with legs of one unit, closed; and without its slope. */
static const char closed[] = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\n"
                             "f 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";
static const char open_one[] = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";

static void write_file(const char *path, const char *text)
{
    FILE *f = fopen(path, "wb");

    CU_ASSERT_PTR_NOT_NULL_FATAL(f);
    CU_ASSERT(fputs(text, f) >= 0);
    fclose(f);
}

/* A scene that stands in the folder of the files that the tests write. */
static perp_status parse_beside_files(perp_scene **scene, const char *text,
                                      perp_error *err)
{
    char name[1024];

    write_file(test_scratch("rock.obj"), closed);
    write_file(test_scratch("sheet.obj"), open_one);
    snprintf(name, sizeof name, "%s", test_scratch("shapes.json"));
    return perp_scene_parse(scene, text, strlen(text), name, err);
}

/* The files' names begin with the number of this process: what comes before "rock.obj".
 */
static char *with_names(const char *format)
{
    const char *path = test_scratch("");
    const char *prefix = strrchr(path, '/') + 1;
    size_t room = strlen(format) + 20 * strlen(prefix) + 1;
    char *text = test_alloc(room, 1);
    char *to = text;

    for (const char *from = format; *from; from++) {
        if (*from == '@') {
            to += snprintf(to, room - (size_t)(to - text), "%s", prefix);
        } else {
            *to++ = *from;
        }
    }
    return text;
}

static perp_scene *read_beside_files(const char *format)
{
    char *text = with_names(format);
    perp_scene *scene = NULL;
    perp_error err = {0};

    if (parse_beside_files(&scene, text, &err) != PERP_OK) {
        test_note("%s", err.text);
    }
    CU_ASSERT_PTR_NOT_NULL_FATAL(scene);
    return scene;
}

/* Rocks of legs of 12 cm weigh 0.12^3/6 m^3 times their density; all are one hull, and
 * one surface is read for two shapes. */
TEST(shapes_are_read_from_files)
{
    perp_scene *scene = read_beside_files(
        "{\"bodies\": [{\"density\": 1000, \"repeat\": {\"count\": 3}, \"shapes\": ["
        "  {\"type\": \"hull\", \"file\": \"@rock.obj\", \"scale\": 0.12}]},"
        " {\"density\": 600, \"shapes\": [{\"type\": \"mesh\", \"file\": "
        "\"@rock.obj\"}]},"
        " {\"motion\": \"static\", \"shapes\": ["
        "  {\"type\": \"mesh\", \"file\": \"@rock.obj\"},"
        "  {\"type\": \"mesh\", \"file\": \"@sheet.obj\", \"scale\": 3}]}]}");
    const perp_world *w = scene->world;

    CU_ASSERT_EQUAL_FATAL(w->shape_count, 6);
    for (int k = 0; k < 3; k++) {
        CU_ASSERT_DOUBLE_EQUAL(w->mass[k], 0.288, ROUNDING);
        CU_ASSERT_PTR_EQUAL(w->shapes[k].polytope, w->shapes[0].polytope);
        CU_ASSERT_DOUBLE_EQUAL(w->shapes[k].at[0], -0.03, ROUNDING); /* its centre */
    }
    CU_ASSERT_DOUBLE_EQUAL(w->mass[3], 100.0, ROUNDING * 100.0);
    CU_ASSERT_PTR_EQUAL(w->shapes[3].mesh, w->shapes[4].mesh);
    CU_ASSERT_EQUAL(w->shapes[4].mesh->references, 2);
    CU_ASSERT_EQUAL(w->shapes[5].mesh->triangle_count, 1);
    CU_ASSERT_EQUAL(w->shapes[5].mesh->hi[1], 3.0);
}

TEST(a_surface_may_stand_in_the_scene)
{
    perp_scene *scene =
        parse("{\"bodies\": [{\"motion\": \"static\", \"shapes\": [{\"type\": \"mesh\","
              " \"points\": [[0, 0, 0], [\"2 cm\", 0, 0], [0, 1, 0], [1, 1, 1]],"
              " \"triangles\": [[0, 1, 2], [2, 1, 3]]}]}]}");
    const perp_mesh *mesh = scene->world->shapes[0].mesh;

    CU_ASSERT_EQUAL(mesh->triangle_count, 2);
    CU_ASSERT_EQUAL(mesh->point_count, 4);
    CU_ASSERT_DOUBLE_EQUAL(mesh->point[3], 0.02, ROUNDING);
    CU_ASSERT_FALSE(mesh->closed);
}

/* With a warning, once, and the mass of the rest; what is written is read again. */
TEST(triangles_without_area_are_a_warning)
{
    perp_scene *scene = parse(
        "{\"bodies\": [{\"density\": 6, \"shapes\": [{\"type\": \"mesh\", \"points\": "
        "[[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1], [0.5, 0, 0]], \"triangles\": "
        "[[0, 2, 1], [0, 4, 3], [4, 1, 3], [0, 1, 4], [1, 1, 0], [0, 3, 2], [1, 2, "
        "3]]}]}]}");
    const perp_mesh *mesh = scene->world->shapes[0].mesh;
    perp_scene *again = NULL;
    perp_error err = {0};
    char *text = NULL;

    CU_ASSERT_EQUAL(mesh->triangle_count, 5);
    CU_ASSERT_DOUBLE_EQUAL(scene->world->mass[0], 1.0, ROUNDING);
    CU_ASSERT_EQUAL_FATAL(scene->note_count, 1);
    CU_ASSERT_PTR_NOT_NULL(
        strstr(scene->notes[0], "bodies[0].shapes[0]: 2 triangles without area are left "
                                "out, from triangle 3 on"));
    OK(perp_scene_print(scene, NULL, &text, &err));
    OK(perp_scene_parse(&again, text, strlen(text), "again", &err));
    CU_ASSERT_EQUAL(again->world->shapes[0].mesh->triangle_count, 5);
    CU_ASSERT_TRUE(again->world->shapes[0].mesh->closed);
    perp_scene_free(again);
    free(text);
}

/* A dumb-bell of two balls on a bar: 2 x 4/3 pi 0.2^3 + pi 0.05^2 1 m^3 about its middle,
 * which the repetition of parts places. */
TEST(a_compound_has_parts_and_copies_of_them)
{
    perp_scene *scene = parse(
        "{\"materials\": [{\"name\": \"rubber\"}], \"bodies\": [{\"density\": 100,"
        " \"shapes\": [{\"type\": \"compound\", \"at\": [0, 0, 3], \"parts\": ["
        "  {\"type\": \"sphere\", \"radius\": 0.2, \"at\": [0, 0, -0.7],"
        "   \"material\": \"rubber\", \"repeat\": {\"count\": 2, \"step\": [0, 0, 1.4]}},"
        "  {\"type\": \"cylinder\", \"radius\": 0.05, \"length\": 1}],"
        "  \"repeat\": {\"count\": 2, \"step\": [5, 0, 0]}}]}]}");
    const perp_world *w = scene->world;
    double volume = 8.0 / 3.0 * M_PI * 0.008 + M_PI * 0.0025;

    CU_ASSERT_EQUAL_FATAL(w->shape_count, 2);
    CU_ASSERT_DOUBLE_EQUAL(w->mass[0], 200.0 * volume, ROUNDING * w->mass[0]);
    for (int k = 0; k < 2; k++) {
        const perp_shape *s = &w->shapes[k];

        CU_ASSERT_DOUBLE_EQUAL(s->at[0], k ? 2.5 : -2.5, ROUNDING);
        CU_ASSERT_EQUAL_FATAL(s->part_count, 3);
        CU_ASSERT_DOUBLE_EQUAL(s->parts[0].at[2], -0.7, ROUNDING);
        CU_ASSERT_DOUBLE_EQUAL(s->parts[1].at[2], 0.7, ROUNDING);
        CU_ASSERT_DOUBLE_EQUAL(s->parts[1].at[0], 0.0, ROUNDING);
        CU_ASSERT_EQUAL(s->parts[1].material, 1);
        CU_ASSERT_EQUAL(s->parts[2].material, 0);
        CU_ASSERT_STRING_EQUAL(s->parts[2].type->name, "cylinder");
    }
}

static void parts_have_materials(const perp_scene *scene)
{
    const perp_shape *s = &scene->world->shapes[0];

    CU_ASSERT_EQUAL(s->material, 1);
    CU_ASSERT_EQUAL(s->parts[0].material, 1);
    CU_ASSERT_EQUAL(s->parts[1].material, 2);
    CU_ASSERT_EQUAL(s->parts[2].material, 0);
}

/* A part without one, one that names another, and one that names the default; and read back. */
TEST(parts_have_the_material_of_their_compound)
{
    perp_scene *scene = parse(
        "{\"materials\": [{\"name\": \"ice\"}, {\"name\": \"rubber\"}],"
        " \"bodies\": [{\"density\": 1, \"shapes\": [{\"type\": \"compound\","
        "  \"material\": \"ice\", \"parts\": [{\"type\": \"sphere\", \"radius\": 1},"
        "  {\"type\": \"sphere\", \"radius\": 1, \"material\": \"rubber\"},"
        "  {\"type\": \"sphere\", \"radius\": 1, \"material\": \"default\"}]}]}]}");
    perp_scene *again = NULL;
    perp_error err = {0};
    char *text = NULL;

    parts_have_materials(scene);
    OK(perp_scene_print(scene, NULL, &text, &err));
    OK(perp_scene_parse(&again, text, strlen(text), "again", &err));
    parts_have_materials(again);
    perp_scene_free(again);
    free(text);
}

/* A cone of 0.3 m x 1 m weighs pi 0.09/3 of its density; a triangle in the plane half its
 * base times its height. */
/* Of a body, of its shapes, of a compound and its parts, of the ground; and back into a text. */
TEST(shapes_have_colours)
{
    static const char text[] =
        "{\"ground\": {\"color\": \"#0A0b0C\"}, \"bodies\": [{\"mass\": 1, \"color\": "
        "\"#4477aa\", \"shapes\": [{\"type\": \"sphere\", \"radius\": 1},"
        " {\"type\": \"sphere\", \"radius\": 1, \"color\": \"#000000\"},"
        " {\"type\": \"compound\", \"color\": \"#ffffff\", \"parts\":"
        " [{\"type\": \"sphere\", \"radius\": 1, \"color\": \"#ee6677\"},"
        " {\"type\": \"sphere\", \"radius\": 1}]}]},"
        "{\"mass\": 1, \"shapes\": [{\"type\": \"sphere\", \"radius\": 1}]}]}";
    static const uint32_t expected[] = {0x14477aa, 0x1000000, 0x1ffffff, 0, 0x10a0b0c};
    perp_scene *scene = NULL, *again = NULL;
    char *written = NULL;
    perp_error err = {0};

    OK(perp_scene_parse(&scene, text, strlen(text), "s.json", &err));
    OK(perp_scene_print(scene, NULL, &written, &err));
    OK(perp_scene_parse(&again, written, strlen(written), "t.json", &err));
    for (int k = 0; k < 2; k++) {
        const perp_world *w = k ? again->world : scene->world;
        size_t wrong = 0;

        CU_ASSERT_EQUAL_FATAL(w->shape_count, 5);
        for (size_t i = 0; i < 5; i++) {
            wrong += w->shapes[i].colour != expected[i];
            if (w->shapes[i].colour != expected[i]) {
                test_note("shape %zu: 0x%x", i, (unsigned)w->shapes[i].colour);
            }
            if (w->shapes[i].part_count == 2) {
                wrong += w->shapes[i].parts[0].colour != 0x1ee6677;
                wrong += w->shapes[i].parts[1].colour != 0;
            }
        }
        CU_ASSERT_EQUAL(wrong, 0);
    }
    free(written);
    perp_scene_free(scene);
    perp_scene_free(again);
}

TEST(other_colours_are_refused)
{
    static const char *const wrong[] = {"\"red\"",     "\"#12345\"", "\"#1234567\"",
                                        "\"#12345g\"", "4",          "\"4477aa\""};
    perp_shape shape = {.type = perp_shape_type_find("sphere"), .size = {1.0}};
    perp_error err = {0};
    perp_scene *scene = NULL;

    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
        char text[128];

        snprintf(text, sizeof text, "{\"ground\": {\"color\": %s}}", wrong[k]);
        perp_error_clear(&err);
        CU_ASSERT_EQUAL(perp_scene_parse(&scene, text, strlen(text), "s.json", &err),
                        PERP_ERR_FORMAT);
        CU_ASSERT_PTR_NOT_NULL(strstr(err.text, "s.json:1:22: ground.color is "));
        CU_ASSERT_PTR_NOT_NULL(strstr(err.text, ", expected #rrggbb"));
    }
    OK(perp_scene_parse(&scene, "{\"ground\": {}}", 14, "s.json", &err));
    perp_error_clear(&err);
    shape.colour = 0x4477aa; /* without the bit that tells black from none */
    CU_ASSERT_EQUAL(perp_world_add_shape(scene->world, &shape, NULL, &err),
                    PERP_ERR_DATA);
    CU_ASSERT_PTR_NOT_NULL(
        strstr(err.text, "sphere: its colour is 0x4477aa, expected 0 or"));
    shape.colour |= PERP_COLOUR;
    OK(perp_world_add_shape(scene->world, &shape, NULL, &err));
    perp_scene_free(scene);
}

TEST(cones_and_polygons_are_shapes)
{
    perp_scene *scene =
        parse("{\"bodies\": [{\"density\": 1, \"shapes\": [{\"type\": \"cone\","
              " \"radius\": \"30 cm\", \"length\": 1}]}]}");

    CU_ASSERT_DOUBLE_EQUAL(scene->world->mass[0], 0.03 * M_PI, ROUNDING);
    CU_ASSERT_DOUBLE_EQUAL(scene->world->shapes[0].at[2], 0.25, ROUNDING);
    scene = parse("{\"dimension\": 2, \"bodies\": [{\"density\": 6, \"shapes\": ["
                  "{\"type\": \"hull\", \"corners\": [[0, 0], [3, 0], [0, 1]]}]}]}");
    CU_ASSERT_DOUBLE_EQUAL(scene->world->mass[0], 9.0, ROUNDING);
    CU_ASSERT_EQUAL(scene->world->shapes[0].polytope->face_count, 3);
    CU_ASSERT_DOUBLE_EQUAL(scene->world->shapes[0].at[0], -1.0, ROUNDING);
}

TEST(groups_say_who_meets_whom)
{
    perp_scene *scene =
        parse("{\"bodies\": [{\"motion\": \"static\", \"shapes\": ["
              " {\"type\": \"plane\"},"
              " {\"type\": \"plane\", \"groups\": [1, 31]},"
              " {\"type\": \"plane\", \"meets\": [0, 2]},"
              " {\"type\": \"plane\", \"groups\": [\"{1+1}\"], \"meets\": []}]}]}");
    const perp_shape *s = scene->world->shapes;
    const uint32_t want[4][2] = {
        {1, UINT32_MAX}, {0x80000002, UINT32_MAX}, {1, 5}, {4, 0}};

    CU_ASSERT_EQUAL_FATAL(scene->world->shape_count, 4);
    for (int k = 0; k < 4; k++) {
        CU_ASSERT_EQUAL(s[k].group, want[k][0]);
        CU_ASSERT_EQUAL(s[k].mask, want[k][1]);
    }
}

static perp_status read_all(void *context, perp_error *err)
{
    perp_scene *scene = NULL;
    perp_status status = parse_beside_files(&scene, context, err);

    CU_ASSERT_EQUAL(status == PERP_OK, scene != NULL);
    return status;
}

TEST(shapes_of_files_survive_failing_memory)
{
    char *text = with_names(
        "{\"bodies\": [{\"density\": 1, \"shapes\": ["
        " {\"type\": \"hull\", \"file\": \"@rock.obj\"},"
        " {\"type\": \"mesh\", \"file\": \"@rock.obj\", \"scale\": 2},"
        " {\"type\": \"mesh\", \"points\": [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]],"
        "  \"triangles\": [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]]},"
        " {\"type\": \"compound\", \"parts\": [{\"type\": \"sphere\", \"radius\": 1},"
        "  {\"type\": \"hull\", \"corners\": [[0, 0, 0], [1, 0, 0], [0, 1, 0],"
        "   [0, 0, 1]]}]}]}]}");

    scarce_everywhere(read_all, text, "scene");
}

static void remove_meshes(void)
{
    remove(test_scratch("rock.obj"));
    remove(test_scratch("sheet.obj"));
}

TEST_SETUP
{
    atexit(remove_meshes);
}
