import { flagWords, type Grammar, plainText, tableLines } from './grammar.ts';

/** An apostrophe inside quotes. */
const APOSTROPHE = "'\\''";

/** Escapes colons, which separate a word from its description. */
const described = (description: string): string => plainText(description, APOSTROPHE).replaceAll(':', '\\:');

const cases = (of: ReadonlyMap<string, readonly string[]>, variable: string): string =>
  tableLines(of, (path, words) => `    '${path}') ${variable}=(${words.map((word) => `'${word}'`).join(' ')}) ;;`);

/** The completion script for zsh. It can be sourced, or stored as `_bursar` in a folder of `fpath`. */
export const zshScript = (grammar: Grammar): string => {
  const { commands, options, values, globals } = grammar;
  const verbs = new Map(
    [...commands].map(([path, all]) => [path, all.map(({ word, description }) => `${word}:${described(description)}`)]),
  );
  const says = flagWords(grammar, APOSTROPHE).map(
    ({ word, description: text }) => `    ${word} '${text.replaceAll(':', '\\:')}'`,
  );
  return `#compdef bursar
# Completion of bursar for zsh. Written by "bursar completion zsh".

_bursar_tables() {
  verbs=() flags=() places=()
  case $1 in
${cases(verbs, 'verbs')}
  esac
  case $1 in
${cases(options, 'flags')}
  esac
  case $1 in
${cases(values, 'places')}
  esac
  flags+=(${globals.map((word) => `'${word}'`).join(' ')})
}

_bursar_values() {
  local -a found
  case $source in
    @files) _files ;;
    @*)
      found=(\${(f)"$(_call_program values $words[1] completion --values \${source#@} -- \${(q)words[2,CURRENT]} 2>/dev/null)"})
      compadd -a found
      ;;
    -) _message 'a value' ;;
    *)
      found=(\${(s:|:)source})
      compadd -a found
      ;;
  esac
}

# What the value of an option may be; nothing for a switch.
_bursar_source() {
  local -a found
  found=(\${(M)flags:#\${(b)1}=*})
  source=\${found[1]#*=}
}

_bursar_flags() {
  local -A says
  local -a found
  local flag
  says=(
${says.join('\n')}
  )
  for flag in $flags; do found+=("\${flag%%=*}:\${says[\${flag%%=*}]}"); done
  _describe -o option found
}

_bursar() {
  local word source='' typed='' i
  local -a verbs flags places given
  _bursar_tables ''
  for ((i = 2; i < CURRENT; i++)); do
    word=$words[i]
    if [[ -n $source ]]; then
      source=''
    elif [[ $word == -*=* ]]; then
      continue
    elif [[ $word == -* ]]; then
      _bursar_source $word
    elif (( \${verbs[(I)\${(b)word}:*]} )); then
      typed="\${typed:+$typed }$word"
      _bursar_tables $typed
    else
      given+=($word)
    fi
  done
  if [[ -z $source && $PREFIX == --*=* ]]; then
    _bursar_source \${PREFIX%%=*}
    compset -P '*='
  fi
  if [[ -n $source ]]; then
    _bursar_values
  elif [[ $PREFIX == -* ]]; then
    _bursar_flags
  elif (( $#verbs )); then
    (( $#given )) && return
    _describe command verbs
    source=\${places[1]}
    [[ -n $source ]] && _bursar_values
  else
    source=\${places[$#given+1]:--}
    _bursar_values
  fi
}

if [[ $zsh_eval_context[-1] == loadautofunc ]]; then
  _bursar "$@"
elif (( $+functions[compdef] )); then
  compdef _bursar bursar
fi
`;
};
