import { fishScript } from './fish.ts';
import { flagWords, type Grammar, plainText, tableLines, type Word } from './grammar.ts';
import { zshScript } from './zsh.ts';

/** An apostrophe inside quotes. */
const APOSTROPHE = "''";

const table = (of: ReadonlyMap<string, readonly string[]>): string =>
  tableLines(of, (path, words) => `    '${path}' = '${words.join(' ')}'`);

const entry = ({ word, description }: Word): string => `'${word}' = '${description}'`;

const commandTable = (commands: Grammar['commands']): string =>
  [...commands]
    .map(
      ([path, all]) =>
        `    '${path}' = [ordered]@{ ${all.map(({ word, description }) => entry({ word, description: plainText(description, APOSTROPHE) })).join('; ')} }`,
    )
    .join('\n');

/** The completion script for PowerShell 5.1 or later, and PowerShell 7 on any system. */
const powershellScript = (
  grammar: Grammar,
): string => `# Completion of bursar for PowerShell. Written by "bursar completion powershell".

Register-ArgumentCompleter -Native -CommandName bursar -ScriptBlock {
  param($wordToComplete, $commandAst, $cursorPosition)
  $commands = @{
${commandTable(grammar.commands)}
  }
  $options = @{
${table(grammar.options)}
  }
  $places = @{
${table(grammar.values)}
  }
  $says = @{
${flagWords(grammar, APOSTROPHE)
  .map((word) => `    ${entry(word)}`)
  .join('\n')}
  }
  $globals = '${grammar.globals.join(' ')}'
  $elements = @($commandAst.CommandElements | Where-Object { $_.Extent.StartOffset -lt $cursorPosition } | ForEach-Object { $_.ToString() })
  $program = $elements[0]
  $words = @($elements | Select-Object -Skip 1)
  if ($wordToComplete -and $words.Count -gt 0) { $words = @($words | Select-Object -SkipLast 1) }
  $typed = ''
  $source = ''
  $given = 0

  # What the value of an option may be; nothing for a switch.
  function Find-Source($command, $flag) {
    foreach ($one in ("$($options[$command]) $globals" -split ' ')) {
      if ($one.StartsWith("$flag=")) { return $one.Substring($flag.Length + 1) }
    }
    return ''
  }

  foreach ($word in $words) {
    if ($source) { $source = '' }
    elseif ($word -like '-*=*') { continue }
    elseif ($word -like '-*') { $source = Find-Source $typed $word }
    elseif ($commands.ContainsKey($typed) -and $commands[$typed].Contains($word)) { $typed = "$typed $word".Trim() }
    else { $given++ }
  }

  $before = ''
  $current = "$wordToComplete".TrimStart("'", '"')
  if (-not $source -and $current -like '--*=*') {
    $flag, $current = $current -split '=', 2
    $source = Find-Source $typed $flag
    $before = "$flag="
  }
  elseif (-not $source -and $current -like '-*') {
    ("$($options[$typed]) $globals").Trim() -split ' ' | ForEach-Object { ($_ -split '=', 2)[0] } |
      Where-Object { $_.StartsWith($current) } |
      ForEach-Object { [System.Management.Automation.CompletionResult]::new($_, $_, 'ParameterName', "$($says[$_]) ") }
    return
  }
  elseif (-not $source -and $commands.ContainsKey($typed)) {
    if ($given -gt 0) { return }
    $commands[$typed].GetEnumerator() | Where-Object { $_.Key.StartsWith($current) } |
      ForEach-Object { [System.Management.Automation.CompletionResult]::new($_.Key, $_.Key, 'ParameterValue', $_.Value) }
    $source = "$($places[$typed])"
  }
  elseif (-not $source) {
    $source = @("$($places[$typed])" -split ' ')[$given]
  }

  if (-not $source -or $source -eq '-' -or $source -eq '@files') { return }
  $values = if ($source.StartsWith('@')) { & $program completion --values $source.Substring(1) '--' $words $current 2>$null } else { $source -split '\\|' }
  $values | Where-Object { $_.StartsWith($current) } |
    ForEach-Object { [System.Management.Automation.CompletionResult]::new("$before$_", $_, 'ParameterValue', $_) }
}
`;

/** The cases of a bash `case`. No word of the grammar contains a quote. */
const cases = (of: ReadonlyMap<string, readonly string[]>, variable: string): string =>
  tableLines(of, (path, words) => `    '${path}') ${variable}='${words.join(' ')}' ;;`);

/** The completion script for bash 3.2 or later (macOS has 3.2). Its functions set variables of the caller. */
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
    @*)
      _bursar_offer < <("$program" completion --values "\${source#@}" -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
      ;;
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
    if [[ \${#positions[@]} -gt 0 ]]; then return; fi
    _bursar_offer <<<"\${commands// /$'\\n'}"
    source="\${arguments:--}" && _bursar_values
  else
    set -- $arguments
    shift "\${#positions[@]}" 2>/dev/null && source="\${1:--}" && _bursar_values
  fi
}

complete -F _bursar bursar
`;
};

/** The completion script of each shell. */
export const SCRIPTS = {
  bash: bashScript,
  zsh: zshScript,
  fish: fishScript,
  powershell: powershellScript,
} as const satisfies Readonly<Record<string, (grammar: Grammar) => string>>;
