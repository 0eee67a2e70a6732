# SPDX-License-Identifier: Apache-2.0
# The data sets of perp convert: part of the library of the command.
command_libcommand_la_SOURCES += \
    %D%/collection.c %D%/collection.h \
    %D%/export.h \
    %D%/page.c %D%/page.h \
    %D%/problems.c \
    %D%/provenance.c %D%/provenance.h \
    %D%/runs.c \
    %D%/suites.c

# A scene as a model of MuJoCo.
command_libcommand_la_SOURCES += %D%/mjcf.c %D%/mjcf.h %D%/mjcf_parts.h %D%/mjcf_parts.c
command_libcommand_la_SOURCES += %D%/mjcf_check.c %D%/mjcf_contacts.c %D%/mjcf_joints.c
command_libcommand_la_SOURCES += %D%/mjcf_loops.c %D%/mjcf_shapes.c %D%/mjcf_tree.c
