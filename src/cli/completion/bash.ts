import type { Grammar } from './grammar.ts';

/** Every text in the tables is of the grammar, which has no quote in any word. */
const cases = (of: ReadonlyMap<string, readonly string[]>, variable: string): string =>
  [...of]
    .filter(([, words]) => words.length > 0)
    .map(([path, words]) => `    '${path}') ${variable}='${words.join(' ')}' ;;`)
    .join('\n');

/** The completion of bash, from 3.2 on, which macOS has. Its functions reply in the caller's own variables. */
export const bashScript = ({ commands, options, values, globals }: Grammar): string => {
  const words = new Map([...commands].map(([path, all]) => [path, all.map(({ word }) => word)]));
  return `# Completion of bursar for bash. Written by "bursar completion bash".

_bursar_tables() {
  commands= options= arguments=
  case "$1" in
${cases(words, 'commands')}
  esac
  case "$1" in
${cases(options, 'options')}
  esac
  case "$1" in
${cases(values, 'arguments')}
  esac
  options="$options ${globals.join(' ')}"
}

# What the value of an option may be; nothing for a switch.
_bursar_source() {
  local option
  source=
  for option in $options; do
    case "$option" in "$1="*) source="\${option#*=}" ;; esac
  done
}

_bursar_offer() {
  local value
  while IFS= read -r value; do
    case "$value" in "$current"*) COMPREPLY+=("$value") ;; esac
  done
}

_bursar_values() {
  case "$source" in
    @files)
      compopt -o filenames 2>/dev/null
      _bursar_offer < <(compgen -f -- "$current")
      ;;
    @*) _bursar_offer < <("$program" completion --values "\${source#@}" 2>/dev/null) ;;
    -) ;;
    *) _bursar_offer <<<"\${source//|/$'\\n'}" ;;
  esac
}

_bursar() {
  local program="$1" current="\${COMP_WORDS[COMP_CWORD]}"
  # A quote that was opened is part of the word; the values have none.
  current=\${current#[\\"\\']}
  local commands options arguments source='' typed='' word i
  local -a positions
  COMPREPLY=()
  _bursar_tables ''
  positions=()
  for ((i = 1; i < COMP_CWORD; i++)); do
    word="\${COMP_WORDS[i]}"
    if [[ "$word" == '=' ]]; then continue; fi
    if [[ -n "$source" ]]; then
      source=
    elif [[ "$word" == -* ]]; then
      _bursar_source "$word"
    elif [[ " $commands " == *" $word "* ]]; then
      typed="\${typed:+$typed }$word"
      _bursar_tables "$typed"
    else
      positions+=("$word")
    fi
  done
  if [[ "$current" == '=' ]]; then current=; fi
  if [[ -n "$source" ]]; then
    _bursar_values
  elif [[ "$current" == -* ]]; then
    for word in $options; do _bursar_offer <<<"\${word%%=*}"; done
  elif [[ -n "$commands" ]]; then
    _bursar_offer <<<"\${commands// /$'\\n'}"
  else
    set -- $arguments
    shift "\${#positions[@]}" 2>/dev/null && source="\${1:--}" && _bursar_values
  fi
}

complete -F _bursar bursar
`;
};
