import { closest } from '../../../core/closest.ts';
import { Failure } from '../../../core/failure.ts';
import { nextStep } from '../../../core/next.ts';
import type { Command } from '../../command/command.ts';
import { type ParsedArgs, stringArg } from '../../command/options.ts';
import type { CommandContext } from '../../context/context.ts';
import { EXIT_CODES } from '../../help/exit-words.ts';
import { layOut, lookOf } from '../../help/lay-out.ts';
import { type Explanation, explanations, type StatusExplanation } from './explanation.ts';
import { explanationPage, listPage, statusPage } from './pages.ts';
import { stateExplanations } from './state-texts.ts';
import { successExplanations } from './success-texts.ts';

const MAX_SUGGESTIONS = 3;

/** Suggests the nearest codes; for a number, the exit codes. */
const hintFor = (typed: string, codes: readonly string[]): string => {
  const exits = `The exit codes are ${EXIT_CODES.join(', ')}.`;
  if (/^[45]\d\d$/.test(typed)) return `${typed} is an HTTP code: give the name of the error instead. ${exits}`;
  if (/^\d+$/.test(typed)) return exits;
  const meant = closest(typed, codes);
  const like = codes.filter((code) => typed.length > 2 && code.includes(typed.toLowerCase())).slice(0, MAX_SUGGESTIONS);
  const named = meant === undefined ? like : [meant];
  return named.length > 0 ? `Did you mean ${named.join(' or ')}?` : 'bursar explain lists all codes.';
};

const find = (typed: string): Explanation | StatusExplanation => {
  const all = [...explanations(), ...stateExplanations(), ...successExplanations()];
  const found = all.find(({ code }) => code === typed.toLowerCase());
  if (found) return found;
  throw new Failure('usage', `unknown code "${typed}"`, {
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
  if (cli.io.stdout.isTerminal && !json && !fields)
    return cli.io.stdout.write(layOut(listPage(all), lookOf(cli.io, cli.globals.noColour)));
  const rows = all.map(({ code, kind, exit, means }) => ({ code, kind, exit, means }));
  return cli.printResult(json ? all : rows, rows);
};

const run = async (cli: CommandContext, given: ParsedArgs): Promise<void> => {
  const typed = stringArg(given, 'code');
  if (typed === undefined) return list(cli);
  const found = find(typed);
  if (cli.globals.json || cli.globals.fields) return cli.printResult(found);
  await cli.io.stdout.write(
    layOut('exit' in found ? explanationPage(found) : statusPage(found), lookOf(cli.io, cli.globals.noColour)),
  );
};

/** `explain`. */
export const explain: Command = {
  words: ['explain'],
  summary: 'Explain an exit code, an error or a state',
  about: [
    'Shows the meaning, whether money may have moved, what to do, and how to reproduce an error in the sandbox.',
    'CODE is an exit code, an error, a state, or any status of a response. Without CODE it lists all exit codes and errors.',
    'Calls no service.',
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
