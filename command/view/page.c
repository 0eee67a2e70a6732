/* SPDX-License-Identifier: Apache-2.0
 * view/page.c: the viewer of one motion, or of two side by side, as one page. */
#include <config.h>

#include "base/file.h"
#include "command/view/difference.h"
#include "command/view/pack.h"
#include "command/view/page.h"
#include "web/web.h"

static const char *const page_styles[] = {"web/base.css", "web/view/view.css", NULL};
static const char *const page_scripts[] = {"web/vendor/three.min.js",
                                           "web/vendor/d3.min.js",
                                           "web/base.js",
                                           "web/view/data.js",
                                           "web/view/colours.js",
                                           "web/view/shapes.js",
                                           "web/view/balls.js",
                                           "web/view/items.js",
                                           "web/view/bodies.js",
                                           "web/view/contacts.js",
                                           "web/view/scene.js",
                                           "web/view/camera.js",
                                           "web/view/player.js",
                                           "web/view/plots.js",
                                           "web/view/pick.js",
                                           "web/view/panel.js",
                                           "web/view/picture.js",
                                           "web/view/view.js",
                                           "web/view/controls.js",
                                           NULL};

enum { PAGE_BLOCKS = 6, PAGE_CONTACT_BYTES = 8000000 };

/* The blocks of the page: motions, their difference, options. */
typedef struct page_parts {
    view_pack packs[2];
    json_t *difference;
    web_block blocks[PAGE_BLOCKS];
    size_t count;
} page_parts;

static perp_status page_collect(page_parts *parts, const view_page *page, perp_error *err)
{
    static const char *const ids[2][2] = {{"motion-0", "motion-0-data"},
                                          {"motion-1", "motion-1-data"}};
    size_t bytes = page->contact_bytes ? page->contact_bytes : PAGE_CONTACT_BYTES;
    perp_status status = PERP_OK;

    for (size_t k = 0; k < 2 && page->motions[k] && status == PERP_OK; k++) {
        view_pack *pack = &parts->packs[k];

        status = view_pack_make(pack, page->motions[k], bytes, err);
        parts->blocks[parts->count++] = (web_block){.id = ids[k][0], .json = pack->head};
        parts->blocks[parts->count++] =
            (web_block){.id = ids[k][1], .bytes = pack->bytes, .size = pack->size};
    }
    if (status == PERP_OK && page->motions[1]) {
        status = motion_difference(page->motions[0], page->motions[1], &parts->difference,
                                   err);
        parts->blocks[parts->count++] =
            (web_block){.id = "difference", .json = parts->difference};
    }
    if (page->options) {
        parts->blocks[parts->count++] =
            (web_block){.id = "options", .json = page->options};
    }
    return status;
}

perp_status view_page_write(const view_page *page, const char *path, perp_error *err)
{
    page_parts parts = {.count = 0};
    perp_file_out out;
    perp_status status = page_collect(&parts, page, err);

    if (status == PERP_OK) {
        status = perp_file_create(&out, path, err);
    }
    if (status == PERP_OK) {
        const web_page web = {
            .title = page->motions[0]->title,
            .body = "web/view/view.html",
            .styles = page_styles,
            .scripts = page_scripts,
            .blocks = parts.blocks,
            .block_count = parts.count,
        };

        status = web_page_print(out.f, &web, err);
        if (status == PERP_OK) {
            status = perp_file_commit(&out, err);
        } else {
            perp_file_abandon(&out);
        }
    }
    view_pack_free(&parts.packs[0]);
    view_pack_free(&parts.packs[1]);
    json_decref(parts.difference);
    return status;
}
