/* SPDX-License-Identifier: Apache-2.0
 * cli/completion.c: scripts that complete words after `perp` in a shell. */
#include <config.h>

#include <string.h>

#include "base/base.h"
#include "command/cli/completion.h"

/* Bash splits words at ':' and '=', so that they are joined first; of a candidate it expects
 * what stands behind the last of these characters. */
static const char completion_bash[] =
    "# bash completion of perp: perp --completion bash\n"
    "_perp()\n"
    "{\n"
    "    local perp=${COMP_WORDS[0]/#\\~/$HOME} breaks='' head='' tail word name about "
    "n=0 i\n"
    "    local -a words=(\"\")\n"
    "    for ((i = 1; i <= COMP_CWORD; i++)); do\n"
    "        word=${COMP_WORDS[i]}\n"
    "        if ((i > 1)) && [[ $word == [:=]* || ${words[n]} == *[:=] ]]; then\n"
    "            words[n]+=$word\n"
    "        else\n"
    "            ((i > 1)) && ((n += 1))\n"
    "            words[n]=$word\n"
    "        fi\n"
    "    done\n"
    "    word=${words[n]}\n"
    "    [[ $COMP_WORDBREAKS == *:* ]] && breaks+=:\n"
    "    [[ $COMP_WORDBREAKS == *=* ]] && breaks+='='\n"
    "    [[ $breaks ]] && head=${word%\"${word##*[$breaks]}\"}\n"
    "    tail=${word#\"$head\"}\n"
    "    COMPREPLY=()\n"
    "    while IFS=$'\\t' read -r name about; do\n"
    "        case $name in\n"
    "        '*files' | '*folders')\n"
    "            local action=file\n"
    "            [[ $name == '*folders' ]] && action=directory\n"
    "            compopt -o filenames 2>/dev/null\n"
    "            while IFS= read -r name; do\n"
    "                COMPREPLY+=(\"$name\")\n"
    "            done < <(compgen -A $action -- \"$tail\")\n"
    "            ;;\n"
    "        *)\n"
    "            COMPREPLY+=(\"${name#\"$head\"}\")\n"
    "            [[ $name == *[:=,] ]] && compopt -o nospace 2>/dev/null\n"
    "            ;;\n"
    "        esac\n"
    "    done < <(\"$perp\" --complete \"${words[@]}\" 2>/dev/null)\n"
    "}\n"
    "complete -F _perp perp\n";

static const char completion_zsh[] =
    "#compdef perp\n"
    "# zsh completion of perp: perp --completion zsh\n"
    "_perp() {\n"
    "    local line name about perp=${(Q)words[1]/#\\~/$HOME} files=''\n"
    "    local -a closed closed_text open open_text\n"
    "    for line in \"${(@f)$(\"$perp\" --complete \"${(@Q)words[2,CURRENT-1]}\" \\\n"
    "        \"${(Q)PREFIX}\" 2>/dev/null)}\"; do\n"
    "        name=${line%%$'\\t'*} about=${line#*$'\\t'}\n"
    "        case $name in\n"
    "        ('') ;;\n"
    "        ('*files'|'*folders') files=$name ;;\n"
    "        (*[:=,]) open+=(\"$name\") open_text+=(\"$name${about:+  -- $about}\") ;;\n"
    "        (*) closed+=(\"$name\") closed_text+=(\"$name${about:+  -- $about}\") ;;\n"
    "        esac\n"
    "    done\n"
    "    (( $#closed )) && compadd -l -d closed_text -a closed\n"
    "    (( $#open )) && compadd -S '' -l -d open_text -a open\n"
    "    if [[ -n $files ]]; then\n"
    "        [[ $PREFIX == --*=* ]] && compset -P '*='\n"
    "        if [[ $files == '*files' ]]; then _files; else _files -/; fi\n"
    "    fi\n"
    "}\n"
    "if [[ ${funcstack[1]} == _perp ]]; then\n"
    "    _perp \"$@\"\n"
    "else\n"
    "    compdef _perp perp\n"
    "fi\n";

static const char completion_fish[] =
    "# fish completion of perp: perp --completion fish\n"
    "function __perp_complete\n"
    "    set -l words (commandline -opc)\n"
    "    set -l word (commandline -ct)\n"
    "    set -l perp (string replace -r '^~' $HOME -- $words[1])\n"
    "    set -e words[1]\n"
    "    for line in ($perp --complete $words \"$word\" 2>/dev/null)\n"
    "        switch $line\n"
    "            case '\\*files'\n"
    "                __fish_complete_path \"$word\"\n"
    "            case '\\*folders'\n"
    "                __fish_complete_directories \"$word\"\n"
    "            case '*'\n"
    "                echo $line\n"
    "        end\n"
    "    end\n"
    "end\n"
    "complete -c perp -f -a '(__perp_complete)'\n";

perp_status completion_print(FILE *out, const char *shell, perp_error *err)
{
    static const struct {
        const char *name, *text;
    } scripts[] = {
        {"bash", completion_bash}, {"zsh", completion_zsh}, {"fish", completion_fish}};

    for (size_t k = 0; k < sizeof scripts / sizeof *scripts; k++) {
        if (strcmp(scripts[k].name, shell) == 0) {
            fputs(scripts[k].text, out);
            return PERP_OK;
        }
    }
    return perp_fail(err, PERP_ERR_OPTION,
                     "perp: option --completion is \"%s\", expected one of: "
                     "bash, zsh, fish",
                     shell);
}
