import { flagWords, type Grammar, plainText, type Word } from './grammar.ts';

/** An apostrophe inside quotes. */
const APOSTROPHE = "\\'";

const table = (name: string, of: ReadonlyMap<string, readonly string[]>, after = ''): string => {
  const cases = [...of]
    .filter(([, words]) => words.length > 0)
    .map(([path, words]) => `    case '${path}'\n      string split ' ' -- '${words.join(' ')}'`);
  return `function ${name}\n  switch "$argv[1]"\n${cases.join('\n')}\n  end\n${after}end\n`;
};

const lineOf = ({ word, description }: Word): string => `'${word}\\t${plainText(description, APOSTROPHE)}'`;

const commandTable = (commands: Grammar['commands']): string => {
  const cases = [...commands].map(
    ([path, all]) => `    case '${path}'\n      printf '%b\\n' ${all.map(lineOf).join(' ')}`,
  );
  return `function __bursar_commands\n  switch "$argv[1]"\n${cases.join('\n')}\n  end\nend\n`;
};

const saysTable = (grammar: Grammar): string => {
  const cases = flagWords(grammar, APOSTROPHE).map(
    ({ word, description }) => `    case '${word}'\n      echo '${description}'`,
  );
  return `function __bursar_says\n  switch "$argv[1]"\n${cases.join('\n')}\n  end\nend\n`;
};

/** The completion script for fish 3.0 or later. */
export const fishScript = (grammar: Grammar): string => {
  const globals = `  string split ' ' -- '${grammar.globals.join(' ')}'\n`;
  return `# Completion of bursar for fish. Written by "bursar completion fish".

${commandTable(grammar.commands)}
${table('__bursar_flags', grammar.options, globals)}
${table('__bursar_places', grammar.values)}
${saysTable(grammar)}
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
      command $argv[2] completion --values (string sub -s 2 -- $source) 2>/dev/null
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
    __bursar_commands "$typed"
  else
    set -l places (__bursar_places "$typed")
    test $given -le (count $places); and __bursar_values $places[$given] $program $current
  end
end

complete -c bursar -e
complete -c bursar -f -a '(__bursar_complete)'
`;
};
