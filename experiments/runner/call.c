/* dev only */
#include "experiments/runner/call.h"
#include "experiments/verbs/list.h"
#include <config.h>
perp_status call_check(const char *call, perp_error *err)
{
    (void)call;
    (void)err;
    return PERP_OK;
}
perp_status call_make(perp_problem **p, const char *call, perp_error *err)
{
    *p = NULL;
    return perp_fail(err, PERP_ERR_OPTION, "no families yet: %s", call);
}
perp_status list_families(const cli_args *a, perp_error *err)
{
    (void)a;
    (void)err;
    return PERP_OK;
}
json_t *list_families_json(const cli_args *a, perp_error *err)
{
    (void)a;
    (void)err;
    return json_array();
}
