/* SPDX-License-Identifier: Apache-2.0
 * tests/read/urdf_memory.c: libxml2 without memory, at every allocation of its own:
 * it is said so, or done without, and nothing is printed. */
#include <config.h>

#include <libxml/parser.h>
#include <libxml/xmlmemory.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "robots.h"

static long left = -1; /* allocations that succeed; -1: all do */
static bool failed;

static bool fails(void)
{
    bool now = left == 0;

    left -= left >= 0;
    failed = failed || now;
    return now;
}

static void *scarce_new(size_t n)
{
    return fails() ? NULL : malloc(n);
}

static void *scarce_more(void *p, size_t n)
{
    return fails() ? NULL : realloc(p, n);
}

static char *scarce_text(const char *text)
{
    return fails() ? NULL : strdup(text);
}

/* What the standard error gets meanwhile. */
static off_t printed_by(void (*work)(void))
{
    const char *name = test_scratch("printed");
    int kept = dup(STDERR_FILENO);
    struct stat st = {.st_size = -1};

    fflush(stderr);
    CU_ASSERT_PTR_NOT_NULL_FATAL(freopen(name, "w", stderr));
    work();
    fflush(stderr);
    CU_ASSERT_EQUAL(stat(name, &st), 0);
    dup2(kept, STDERR_FILENO);
    close(kept);
    return st.st_size;
}

/* Each text until no allocation fails any more. */
static void read_all(void)
{
    static const char *const texts[] = {
        "<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?>\n"
        "<robot name=\"r&lt;&#65;\xE4\" xmlns:a=\"b\"><!-- c --><a:gazebo/>"
        "<link name=\"a\"><visual a:b=\"1\"/>text</link></robot>",
        "<robot name=\"r\"><link name=\"a\"/>\n",
        "<!DOCTYPE robot [<!ENTITY a \"b\">]>\n<robot name=\"&a;\"/>",
    };
    const perp_urdf_options opt = {.unknown = PERP_URDF_IGNORE};

    for (size_t t = 0; t < sizeof texts / sizeof *texts; t++) {
        for (long k = 0;; k++) {
            perp_world *w = test_world(3, 0.0);
            perp_error err = {0};
            perp_status status = PERP_OK;

            left = k;
            failed = false;
            status = perp_urdf_parse(w, texts[t], strlen(texts[t]), "r.urdf", &opt, NULL,
                                     &err);
            left = -1;
            perp_world_free(w);
            CU_ASSERT(status == PERP_OK ? t == 0 : err.text[0] != '\0');
            /* it may do without; a text that is wrong may be found so before */
            CU_ASSERT(!failed || status == PERP_OK || status == PERP_ERR_MEMORY ||
                      (t > 0 && status == PERP_ERR_FORMAT));
            if (!failed) {
                CU_ASSERT(k > 5); /* it is this memory that libxml2 takes */
                break;
            }
        }
    }
}

TEST(libxml2_may_lack_memory_anywhere_and_prints_nothing)
{
    CU_ASSERT_EQUAL(printed_by(read_all), 0);
}

TEST_SETUP
{
    xmlMemSetup(free, scarce_new, scarce_more, scarce_text); /* before all else of it */
    xmlInitParser(); /* its tables of encodings stay unmade for good where that fails */
}
