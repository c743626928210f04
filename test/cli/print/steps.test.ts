import { expect, it } from 'vitest';
import { globalsFrom } from '../../../src/cli/argv/command-line.ts';
import { openCli } from '../../../src/cli/context/context.ts';
import { step, stepPrinter } from '../../../src/cli/print/steps.ts';
import { timedPrompt } from '../../../src/io/prompt/prompt.ts';
import { testIo } from '../../support/io.ts';

it('the time of a step and the deadline exclude the time of a password question', async () => {
  let now = 0;
  const { io, said } = await testIo({ answers: ['pw'] });
  const clock = { ...io.clock, monotonic: () => now };
  const slow = async (question: string) => {
    now += 60_000;
    return io.prompt.password(question);
  };
  const prompt = timedPrompt({ ...io.prompt, password: slow }, clock);
  const cli = openCli({ ...io, clock, prompt }, globalsFrom({}, {}), 'test');
  const say = stepPrinter(cli, (_, what: string, elapsed) => step(cli, what, 'it', elapsed));
  const end = cli.deadline;
  now += 100;
  await prompt.password('Password:');
  now += 20;
  await say('signed');
  expect(said.stderr).toMatch(/signed +it +120 ms/);
  expect(cli.deadline - end).toBe(60_000);
});
