import { closest } from '../../../core/closest.ts';
import { Failure } from '../../../core/failure.ts';
import { nextStep } from '../../../core/next.ts';
import type { Command } from '../../command/command.ts';
import { type ParsedArgs, stringArg } from '../../command/options.ts';
import type { CommandContext } from '../../context/context.ts';
import { EXIT_CODES } from '../../help/exit-words.ts';
import { layOut, lookOf } from '../../help/lay-out.ts';
import { answersExplained } from './answer-words.ts';
import { type Explanation, explanations } from './explanation.ts';
import { explanationPage, wordPage } from './explanation-page.ts';
import { wordsExplained } from './state-words.ts';
import type { WordExplained } from './word.ts';

const MAX_NAMED = 3;

/** What may have been meant: a number is no name of an error, and of many names only the nearest help. */
const hintFor = (typed: string, codes: readonly string[]): string => {
  const exits = `The exit codes are ${EXIT_CODES.join(', ')}.`;
  if (/^[45]\d\d$/.test(typed)) return `${typed} is an HTTP code: give the name of the error beside it. ${exits}`;
  if (/^\d+$/.test(typed)) return exits;
  const meant = closest(typed, codes);
  const like = codes.filter((code) => typed.length > 2 && code.includes(typed.toLowerCase())).slice(0, MAX_NAMED);
  const named = meant === undefined ? like : [meant];
  return named.length > 0 ? `Did you mean ${named.join(' or ')}?` : 'bursar explain lists all that there are.';
};

const find = (typed: string): Explanation | WordExplained => {
  const all = [...explanations(), ...wordsExplained(), ...answersExplained()];
  const found = all.find(({ code }) => code === typed.toLowerCase());
  if (found) return found;
  throw new Failure('usage', `nothing is known of the code "${typed}"`, {
    hint: hintFor(
      typed,
      all.map(({ code }) => code),
    ),
    next: nextStep('explain'),
  });
};

const list = async (cli: CommandContext): Promise<void> => {
  const { json, fields } = cli.globals;
  const all = explanations();
  if (cli.io.stdout.isTerminal && !json && !fields) {
    const { listPage } = await import('./list-page.ts');
    return cli.io.stdout.write(layOut(listPage(all), lookOf(cli.io, cli.globals.noColour)));
  }
  const rows = all.map(({ code, kind, exit, means }) => ({ code, kind, exit, means }));
  return cli.printResult(json ? all : rows, rows);
};

const run = async (cli: CommandContext, given: ParsedArgs): Promise<void> => {
  const typed = stringArg(given, 'code');
  if (typed === undefined) return list(cli);
  const found = find(typed);
  if (cli.globals.json || cli.globals.fields) return cli.printResult(found);
  await cli.io.stdout.write(
    layOut('exit' in found ? explanationPage(found) : wordPage(found), lookOf(cli.io, cli.globals.noColour)),
  );
};

/** `explain`. */
export const explain: Command = {
  words: ['explain'],
  summary: 'Say what an error or an exit code means, and what to do',
  about: [
    'CODE is an exit code, an error of the service or of bursar, a state, or the status of any answer, such as payment_received; without it codes and errors are listed. It tells whether money may have moved, and how to meet the error in the sandbox. Nothing is contacted.',
  ],
  arguments: [
    {
      name: 'CODE',
      description: 'Such as 11, otp_expired or wrong_password',
      isOptional: true,
      completes: async () => explanations().map(({ code }) => code),
    },
  ],
  examples: ['explain', 'explain 11', 'explain payment_received', 'explain kyc_not_approved --json'],
  run,
};
