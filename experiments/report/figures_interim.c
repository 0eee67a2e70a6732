/* SPDX-License-Identifier: Apache-2.0
 * report/figures_interim.c: the old figures behind the new functions; it goes when those are
 * there. */
#include <config.h>

#include <dirent.h>
#include <stdlib.h>
#include <string.h>

#include "experiments/figures/draw.h"
#include "figures.h"
#include "orders.h"

perp_status figure_request_check(const figure_request *request, perp_error *err)
{
    (void)request;
    (void)err;
    return PERP_OK;
}

perp_status figure_orders_stored(figure_orders *orders, const char *dir, perp_error *err)
{
    (void)orders;
    (void)dir;
    (void)err;
    return PERP_OK;
}

perp_status figure_orders_add(figure_orders *orders, const char *text, perp_error *err)
{
    (void)orders;
    return perp_fail(err, PERP_ERR_OPTION, "figure \"%s\": there are no kinds yet", text);
}

void figure_orders_free(figure_orders *orders)
{
    free(orders->orders);
}

/* The SVG files of the folder, by the names that the old figures have. */
static void interim_list(const stored_runs *s, const char *folder)
{
    char path[1200];
    json_t *list = json_array();
    DIR *in = opendir(folder);

    for (struct dirent *e; in && (e = readdir(in));) {
        for (size_t i = 0; strstr(e->d_name, ".svg") && i < s->sets.count; i++) {
            const char *bar = strchr(e->d_name, '_');
            size_t length = strlen(s->sets.names[i]);

            if (bar && strncmp(bar + 1, s->sets.names[i], length) == 0 &&
                bar[1 + length] == '_') {
                json_array_append_new(list, json_pack("{s:s#, s:s, s:s, s:s}", "kind",
                                                      e->d_name, bar - e->d_name, "set",
                                                      s->sets.names[i], "file", e->d_name,
                                                      "caption", ""));
            }
        }
    }
    if (in) {
        closedir(in);
    }
    snprintf(path, sizeof path, "%s/figures.json", folder);
    json_dump_file(list, path, 0);
    json_decref(list);
}

perp_status figures_make(const stored_runs *s, const figure_orders *orders,
                         const figure_request *request, const char *folder,
                         perp_error *err)
{
    const report_style style = {request->terminal, request->size, request->font};
    char dir[1024];

    (void)orders;
    snprintf(dir, sizeof dir, "%s", folder);
    *strrchr(dir, '/') = '\0';
    perp_status status = write_figures(s, dir, &style, err);

    interim_list(s, folder);
    return status;
}

perp_status figures_make_path(const char *path, const figure_orders *orders,
                              const figure_request *request, const char *folder,
                              perp_error *err)
{
    (void)orders;
    (void)request;
    (void)folder;
    return perp_fail(err, PERP_ERR_READ,
                     "%s: neither results of perp compare nor a simulation", path);
}
