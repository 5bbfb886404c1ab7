#!/usr/bin/env bash
# Writes the completions for three shells: completions.sh PROGRAMS OUT
set -euo pipefail
cropkit=${1:?"completions: usage: completions.sh PROGRAMS OUT"}/cropkit
out=${2:?"completions: usage: completions.sh PROGRAMS OUT"}

mkdir -p "$out/bash-completion/completions" "$out/zsh/vendor-completions" "$out/fish/vendor_completions.d"
# Zsh would treat text after a colon in a list as a description.
"$cropkit" --generate-completion-script zsh | sed '/^    local -ar ___/s/:/\\:/g' >"$out/zsh/vendor-completions/_cropkit"
"$cropkit" --generate-completion-script fish >"$out/fish/vendor_completions.d/cropkit.fish"

# Bash splits words at colons, including those of ratios. This joins them again, and removes the part before
# the last colon from completions.
script=$("$cropkit" --generate-completion-script bash)
{
  sed '/^#!/d; /^complete /d' <<<"$script"
  cat <<'END'

_cropkit_with_colons() {
    local -a words=("${COMP_WORDS[0]}")
    local -i index position=0
    for ((index = 1; index < ${#COMP_WORDS[@]}; index++)); do
        local word="${COMP_WORDS[index]}"
        if [[ ${#words[@]} -gt 1 && ( "${word}" = : || "${words[-1]}" = *: ) ]] && ((index <= COMP_CWORD)) \
            && [[ "${COMP_LINE}" = *"${words[-1]}${word}"* ]]; then
            words[-1]+="${word}"
        else
            words+=("${word}")
        fi
        ((index == COMP_CWORD)) && position=$((${#words[@]} - 1))
    done
    local -a COMP_WORDS=("${words[@]}")
    local -i COMP_CWORD=position
    _cropkit "${1}" "${words[position]}" "${words[position - 1]}"
    local before="${words[position]%"${words[position]##*:}"}"
    COMPREPLY=("${COMPREPLY[@]#"${before}"}")
}

complete -o filenames -F _cropkit_with_colons cropkit
END
} >"$out/bash-completion/completions/cropkit"
