import { suggestionFor } from '../../core/closest.ts';
import { Failure } from '../../core/failure.ts';
import type { Command, CommandContext, CommandGroup } from '../command/command.ts';
import { type ParsedArgs, required, stringArg } from '../command/options.ts';

/** The shells that there is a completion for. */
const SHELLS = ['bash', 'zsh', 'fish', 'powershell'] as const;

const isShell = (text: string): text is (typeof SHELLS)[number] => (SHELLS as readonly string[]).includes(text);

const print = async (cli: CommandContext, given: ParsedArgs, areas: readonly CommandGroup[]): Promise<void> => {
  const { SHELL: shell } = required({ SHELL: stringArg(given, 'shell') });
  if (!isShell(shell)) {
    throw new Failure('invalid_input', `SHELL: "${shell}" is not one of ${SHELLS.join(', ')}`, {
      hint: suggestionFor(shell, SHELLS),
    });
  }
  const { SCRIPTS } = await import('../completion/scripts.ts');
  const { readGrammar } = await import('../completion/grammar.ts');
  const script = SCRIPTS[shell](await readGrammar(areas));
  await (cli.globals.json ? cli.printResult({ shell, script }) : cli.io.stdout.write(script));
};

/** `completion`, for a program with these command groups. */
export const completionOf = (areas: readonly CommandGroup[]): Command => ({
  words: ['completion'],
  summary: 'Print the completion script for a shell',
  about: [
    'Completes commands, options, option values, key and profile names, and ids of payments and orders used on this machine.',
    'Completion never calls a service.',
    'For bash, add "source <(bursar completion bash)" to ~/.bashrc.',
    'For zsh, add "source <(bursar completion zsh)" to ~/.zshrc, after compinit.',
    'For fish, run "bursar completion fish > ~/.config/fish/completions/bursar.fish" once.',
    'For PowerShell, add "bursar completion powershell | Out-String | Invoke-Expression" to $PROFILE.',
  ],
  arguments: [{ name: 'SHELL', description: 'bash, zsh, fish or powershell', question: 'Shell', completes: SHELLS }],
  examples: ['completion bash > bursar.bash', 'completion fish > bursar.fish'],
  run: (cli, given) => print(cli, given, areas),
});
