import { flagWords, type Grammar, plainText, tableLines, type Word } from './grammar.ts';

/** An apostrophe inside quotes. */
const APOSTROPHE = "\\'";

/** A function that runs the lines of a case for its first argument. */
const switchFunction = (name: string, cases: string, after = ''): string =>
  `function ${name}\n  switch "$argv[1]"\n${cases}\n  end\n${after}end\n`;

const table = (of: ReadonlyMap<string, readonly string[]>): string =>
  tableLines(of, (path, words) => `    case '${path}'\n      string split ' ' -- '${words.join(' ')}'`);

const lineOf = ({ word, description }: Word): string => `'${word}\\t${plainText(description, APOSTROPHE)}'`;

const commandTable = (commands: Grammar['commands']): string =>
  [...commands]
    .map(([path, all]) => `    case '${path}'\n      printf '%b\\n' ${all.map(lineOf).join(' ')}`)
    .join('\n');

const saysTable = (grammar: Grammar): string =>
  flagWords(grammar, APOSTROPHE)
    .map(({ word, description }) => `    case '${word}'\n      echo '${description}'`)
    .join('\n');

/** The completion script for fish 3.0 or later. */
export const fishScript = (grammar: Grammar): string => {
  const globals = `  string split ' ' -- '${grammar.globals.join(' ')}'\n`;
  return `# Completion of bursar for fish. Written by "bursar completion fish".

${switchFunction('__bursar_commands', commandTable(grammar.commands))}
${switchFunction('__bursar_flags', table(grammar.options), globals)}
${switchFunction('__bursar_places', table(grammar.values))}
${switchFunction('__bursar_says', saysTable(grammar))}
# What the value of an option may be; nothing for a switch.
function __bursar_source
  for flag in (__bursar_flags "$argv[1]")
    if string match -q -- '*=*' $flag
      set -l parts (string split -m 1 = -- $flag)
      if test "$parts[1]" = "$argv[2]"
        echo $parts[2]
        return
      end
    end
  end
end

function __bursar_values
  set -l source $argv[1]
  switch "$source"
    case @files
      __fish_complete_path $argv[3]
    case '@*'
      command $argv[2] completion --values (string sub -s 2 -- $source) -- (commandline -opc)[2..-1] "$argv[3]" 2>/dev/null
    case -
    case '*'
      string split '|' -- $source
  end
end

function __bursar_complete
  set -l tokens (commandline -opc)
  set -l current (commandline -ct)
  set -l program $tokens[1]
  set -e tokens[1]
  set -l typed ''
  set -l source ''
  set -l given 1
  for word in $tokens
    if test -n "$source"
      set source ''
    else if string match -q -- '-*=*' $word
      continue
    else if string match -q -- '-*' $word
      set source (__bursar_source "$typed" $word)
    else if contains -- $word (__bursar_commands "$typed" | string replace -r '\\t.*' '')
      set typed (string trim -- "$typed $word")
    else
      set given (math $given + 1)
    end
  end
  if test -n "$source"
    __bursar_values $source $program $current
  else if string match -q -- '--*=*' $current
    set -l parts (string split -m 1 = -- $current)
    __bursar_values (__bursar_source "$typed" $parts[1]) $program $parts[2] | string replace -r '^' -- "$parts[1]="
  else if string match -q -- '-*' $current
    for flag in (__bursar_flags "$typed" | string replace -r '=.*' '')
      printf '%s\\t%s\\n' $flag (__bursar_says $flag)
    end
  else if test -n "$(__bursar_commands "$typed")"
    test $given -eq 1; or return
    __bursar_commands "$typed"
    __bursar_values (__bursar_places "$typed") $program $current
  else
    set -l places (__bursar_places "$typed")
    test $given -le (count $places); and __bursar_values $places[$given] $program $current
  end
end

complete -c bursar -e
complete -c bursar -f -a '(__bursar_complete)'
`;
};
