import { flagWords, plainText } from './described.ts';
import type { Grammar, Word } from './grammar.ts';

/** Inside quotes. */
const APOSTROPHE = "''";

const table = (of: ReadonlyMap<string, readonly string[]>): string =>
  [...of]
    .filter(([, words]) => words.length > 0)
    .map(([path, words]) => `    '${path}' = '${words.join(' ')}'`)
    .join('\n');

const entry = ({ word, description }: Word): string => `'${word}' = '${description}'`;

const commandTable = (commands: Grammar['commands']): string =>
  [...commands]
    .map(
      ([path, all]) =>
        `    '${path}' = [ordered]@{ ${all.map(({ word, description }) => entry({ word, description: plainText(description, APOSTROPHE) })).join('; ')} }`,
    )
    .join('\n');

/** The completion of PowerShell, from 5.1 on, and of PowerShell 7 on any system. */
export const powershellScript = (
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
    $commands[$typed].GetEnumerator() | Where-Object { $_.Key.StartsWith($current) } |
      ForEach-Object { [System.Management.Automation.CompletionResult]::new($_.Key, $_.Key, 'ParameterValue', $_.Value) }
    return
  }
  elseif (-not $source) {
    $source = @("$($places[$typed])" -split ' ')[$given]
  }

  if (-not $source -or $source -eq '-' -or $source -eq '@files') { return }
  $values = if ($source.StartsWith('@')) { & $program completion --values $source.Substring(1) 2>$null } else { $source -split '\\|' }
  $values | Where-Object { $_.StartsWith($current) } |
    ForEach-Object { [System.Management.Automation.CompletionResult]::new("$before$_", $_, 'ParameterValue', $_) }
}
`;
