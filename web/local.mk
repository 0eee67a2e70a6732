# SPDX-License-Identifier: Apache-2.0
# The pages of reports and of the viewer: how they are put together, and their parts, which are
# installed beside the suites.
command_libcommand_la_SOURCES += %D%/browser.c %D%/browser.h \
    %D%/browser_start.c %D%/browser_start.h %D%/child.c \
    %D%/child.h %D%/web.c %D%/web.h
command_libcommand_la_CPPFLAGS += $(ZLIB_CFLAGS)
command_libcommand_la_LIBADD += $(ZLIB_LIBS)

webdir = $(pkgdatadir)/web
dist_web_DATA = %D%/base.css %D%/base.js
webvendordir = $(webdir)/vendor
dist_webvendor_DATA = %D%/vendor/d3.min.js %D%/vendor/d3.LICENSE %D%/vendor/three.min.js \
    %D%/vendor/three.LICENSE
dist_noinst_DATA += %D%/vendor/README.md %D%/vendor/three.entry.js build-aux/vendor.sh

# Fetch d3 and three.js again from the npm registry.
vendor:
	$(SHELL) $(srcdir)/build-aux/vendor.sh $(srcdir)/web/vendor

# The page of a comparison and the viewer; the order of the scripts is that of report/page.c and
# view/page.c.
webreportdir = $(webdir)/report
dist_webreport_DATA = %D%/report/changes.js %D%/report/controls.js %D%/report/draw.js \
    %D%/report/draw_axes.js %D%/report/draw_panel.js %D%/report/draw_save.js \
    %D%/report/figures.css %D%/report/figures.js %D%/report/figures_data.js \
    %D%/report/figures_studies.js %D%/report/model.js %D%/report/own.js %D%/report/page.js %D%/report/pairs.js \
    %D%/report/report.css %D%/report/report.html %D%/report/runs.js %D%/report/screens.css \
    %D%/report/sections.js %D%/report/tables.css %D%/report/tables.js
webviewdir = $(webdir)/view
dist_webview_DATA = %D%/view/balls.js %D%/view/bodies.js %D%/view/camera.js %D%/view/colours.js \
    %D%/view/contacts.js %D%/view/controls.js %D%/view/data.js %D%/view/items.js %D%/view/panel.js \
    %D%/view/pick.js %D%/view/picture.js %D%/view/player.js %D%/view/plots.js %D%/view/scene.js \
    %D%/view/shapes.js %D%/view/view.css %D%/view/view.html %D%/view/view.js
