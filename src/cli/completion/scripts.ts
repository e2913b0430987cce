import { completeWord, filesHere } from "./words.ts";

export const shells = ["bash", "zsh", "fish"] as const;

// Each asks the very command that is being typed, so that it also works for ./bin/patchbay. The last word is the one at
// the cursor, empty or not. A line of the answer is a word, or a word, a tab and what it means.

const bash = `_patchbay() {
  local cur="\${COMP_WORDS[COMP_CWORD]}" line
  COMPREPLY=()
  while IFS= read -r line; do
    if [ "$line" = "${filesHere}" ]; then
      compopt -o filenames 2>/dev/null
      while IFS= read -r line; do COMPREPLY+=("$line"); done < <(compgen -f -- "$cur")
    else
      COMPREPLY+=("\${line%%$'\\t'*}")
    fi
  done < <("\${COMP_WORDS[0]}" ${completeWord} "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -F _patchbay patchbay
`;

const zsh = `#compdef patchbay
_patchbay() {
  local line
  local -a values
  for line in "\${(@f)$("\${words[1]}" ${completeWord} "\${(@)words[2,CURRENT]}" 2>/dev/null)}"; do
    if [[ $line == "${filesHere}" ]]; then
      _files
    elif [[ $line == *$'\\t'* ]]; then
      values+=("\${\${line%%$'\\t'*}//:/\\\\:}:\${line#*$'\\t'}")
    elif [[ -n $line ]]; then
      values+=("\${line//:/\\\\:}")
    fi
  done
  (( $#values )) && _describe patchbay values
}
if [[ \${funcstack[1]} == _patchbay ]]; then
  _patchbay "$@"
else
  if (( ! $+functions[compdef] )); then autoload -Uz compinit && compinit; fi
  compdef _patchbay patchbay
fi
`;

const fish = `function __patchbay_complete
  set -l words (commandline -opc)
  set -l cur (commandline -ct)
  for line in ($words[1] ${completeWord} $words[2..-1] "$cur" 2>/dev/null)
    if test "$line" = "${filesHere}"
      __fish_complete_path "$cur"
    else
      echo $line
    end
  end
end
complete -c patchbay -f -a '(__patchbay_complete)'
`;

export const scripts: Record<(typeof shells)[number], string> = { bash, zsh, fish };
