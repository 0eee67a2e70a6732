# SPDX-License-Identifier: Apache-2.0
check_PROGRAMS += \
    %D%/anderson \
    %D%/bodies \
    %D%/colors \
    %D%/factored \
    %D%/instances \
    %D%/local_blocks \
    %D%/local_cone \
    %D%/locality \
    %D%/nsgs \
    %D%/patches \
    %D%/pgs \
    %D%/variants

%C%_anderson_SOURCES = %D%/anderson.c %D%/pile.c %D%/pile.h
%C%_colors_SOURCES = %D%/colors.c %D%/pile.c %D%/pile.h
%C%_factored_SOURCES = %D%/factored.c %D%/pile.c %D%/pile.h
%C%_locality_SOURCES = %D%/locality.c %D%/pile.c %D%/pile.h
