import { describe, expect, it } from 'vitest';
import { runAsking } from '../../../src/cli/argv/run-asking.ts';
import type { Command } from '../../../src/cli/command/command.ts';
import { Failure, type FailureDetails } from '../../../src/core/failure.ts';
import { nextStep } from '../../../src/core/next.ts';
import { failureIn } from '../../client/client.ts';
import { testIo } from '../../support/io.ts';
import { profiled } from '../../support/profiled.ts';

const missing = { option: '--city', field: 'city', message: 'required', isMissing: true } as const;

/** The failure of a command without a city, when Ctrl-C comes at the question for the city. */
const brokenOff = async (words: Command['words'], details: FailureDetails = {}) => {
  const { io: plain } = await testIo({ answers: [] });
  const text = async () => {
    throw new Failure('interrupted', 'interrupted');
  };
  const io = { ...plain, prompt: { ...plain.prompt, text } };
  const run = async () => {
    throw new Failure('invalid_input', 'a city is missing', { errors: [missing], ...details });
  };
  const options = [{ flag: '--city' as const, value: 'NAME', description: 'City' }];
  const leaf: Command = { words, summary: '', options, calls: ['pay.register'], examples: [], run };
  return failureIn(runAsking(leaf, () => profiled(io, {}, {}), {}));
};

describe('a command that Ctrl-C ends at a question', () => {
  it('prints that nothing was sent, when it starts an operation', async () => {
    const { code, message } = await brokenOff(['pay', 'run']);
    expect([code, message]).toEqual(['interrupted', 'interrupted; nothing was sent']);
  });

  it.each<[string, Command['words'], FailureDetails]>([
    ['a resume', ['pay', 'resume'], { next: nextStep('pay.resume', 'm_1') }],
    [
      'an operation that was started before',
      ['pay', 'run'],
      { data: { movement: 'm_1' }, next: nextStep('pay.resume', 'm_1') },
    ],
  ])('prints for %s that nothing was sent now, with the next command', async (_, words, details) => {
    const failure = await brokenOff(words, details);
    expect(failure).toMatchObject({
      code: 'interrupted',
      message: 'interrupted',
      details: { ...details, hint: 'Nothing was sent now. The earlier operation is unchanged.' },
    });
  });
});
