import { PassThrough } from 'node:stream';
import { expect, it } from 'vitest';
import { promptByLines } from '../../../src/io/prompt/line-prompt.ts';
import type { CustomAnswer } from '../../../src/io/prompt/prompt.ts';

const CHOICES = Array.from({ length: 25 }, (_, at) => ({
  name: `pay_${at} (${at % 2 === 0 ? 'open' : 'success'})`,
  value: `pay_${at}`,
  alias: `movement-${at}`,
}));

/** Asks for one of 25, and is answered by lines; what was said, and what was chosen. */
const ask = async (lines: readonly string[], other?: CustomAnswer<string>) => {
  const input = new PassThrough() as unknown as NodeJS.ReadStream & PassThrough;
  const left = [...lines];
  let said = '';
  const write = async (text: string) => {
    said += text;
    if (/:$/.test(text) && left.length > 0) input.write(`${left.shift()}\n`);
  };
  const { select } = promptByLines(input, { columns: 80, write }, new AbortController().signal);
  return { chosen: await select('Which payment?', CHOICES, other), said };
};

it('of a long list twenty are read aloud, and how to hear of the others', async () => {
  const { chosen, said } = await ask(['23']);
  expect(chosen).toBe('pay_22');
  expect(said).toContain('  20) pay_19 (success)\n  and 5 more: type part of a choice to find it\n');
});

it('a part shows what has it by the numbers of the whole list, and takes nothing by itself', async () => {
  const { chosen, said } = await ask(['pay 24 open', '25']);
  expect(chosen).toBe('pay_24');
  expect(said).toMatch(/or part of its text: +25\) pay_24 \(open\)\nNumber/);
});

it.each([
  ['pay_3', 'pay_3'],
  ['MOVEMENT-7', 'pay_7'],
])('%s names one whole, whatever others begin with it', async (line, value) => {
  expect((await ask([line])).chosen).toBe(value);
});

it('what a list does not have is taken only where it may be something else, and is right', async () => {
  const problemIn = async (text: string) => (text === 'pay_x1' ? undefined : 'is no payment');
  const other = { valueOf: (text: string) => `typed ${text}`, problemIn };
  const { chosen, said } = await ask(['nothing', 'pay_x1'], other);
  expect([chosen, said]).toEqual(['typed pay_x1', expect.stringContaining('  is no payment\n')]);
  const closed = await ask(['pay_x1', '1']);
  expect([closed.chosen, closed.said]).toEqual(['pay_0', expect.stringContaining('Type a number from 1 to 25.')]);
});
