# SPDX-License-Identifier: Apache-2.0
libdynamics_libperp_dynamics_la_SOURCES += \
    %D%/bodies.c \
    %D%/computed.c \
    %D%/document.c \
    %D%/expression.c \
    %D%/forms.c \
    %D%/links.c \
    %D%/members.c \
    %D%/objects.c \
    %D%/parameters.c \
    %D%/quantities.c \
    %D%/random.c \
    %D%/reader.h \
    %D%/repeat.c \
    %D%/robots.c \
    %D%/scene.c \
    %D%/schema.c \
    %D%/solids.c \
    %D%/units.c \
    %D%/unresolved.c \
    %D%/values.c \
    %D%/write.c \
    %D%/write_links.c \
    %D%/write_shapes.c \
    %D%/writer.h \
    %D%/written.c
