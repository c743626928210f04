import { insteadOf } from '../../../core/closest.ts';
import { Failure } from '../../../core/failure.ts';
import type { Cli } from '../../cli.ts';
import type { Leaf } from '../../command.ts';
import { layOut } from '../../help/lay-out.ts';
import { lookOf } from '../../help/look.ts';
import { type Given, textOf } from '../../options.ts';
import { type Explanation, explanations } from './explanation.ts';
import { explanationPage } from './explanation-page.ts';

const find = (typed: string): Explanation => {
  const all = explanations();
  const found = all.find(({ code }) => code === typed.toLowerCase());
  if (found) return found;
  throw new Failure('usage', `nothing is known of the code "${typed}"`, {
    hint: insteadOf(
      typed,
      all.map(({ code }) => code),
    ),
    next: 'bursar explain',
  });
};

const list = async (cli: Cli): Promise<void> => {
  const { json, fields } = cli.globals;
  const all = explanations();
  if (cli.io.stdout.isTerminal && !json && !fields) {
    const { listPage } = await import('./list-page.ts');
    return cli.io.stdout.write(layOut(listPage(all), lookOf(cli.io)));
  }
  const rows = all.map(({ code, kind, exit, means }) => ({ code, kind, exit, means }));
  return cli.answer(json ? all : rows, rows);
};

const run = async (cli: Cli, given: Given): Promise<void> => {
  const typed = textOf(given, 'code');
  if (typed === undefined) return list(cli);
  const found = find(typed);
  if (cli.globals.json || cli.globals.fields) return cli.answer(found);
  await cli.io.stdout.write(layOut(explanationPage(found), lookOf(cli.io)));
};

/** `explain`. */
export const explain: Leaf = {
  words: ['explain'],
  summary: 'Say what an error or an exit code means, and what to do',
  about: [
    'CODE is an exit code, an error of the service, or an error of bursar; without it all are listed. It tells whether',
    'money may have moved, and how to meet the error in the sandbox. Nothing is contacted.',
  ],
  arguments: [{ name: 'CODE', says: 'Such as 11, otp_expired or wrong_password', isOptional: true }],
  examples: ['explain', 'explain 11', 'explain kyc_not_approved --json'],
  run,
};
