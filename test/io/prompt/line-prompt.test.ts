import { PassThrough } from 'node:stream';
import { expect, it } from 'vitest';
import { promptByLines } from '../../../src/io/prompt/line-prompt.ts';
import type { CustomAnswer } from '../../../src/io/prompt/prompt.ts';

const CHOICES = Array.from({ length: 25 }, (_, at) => ({
  name: `pay_${at} (${at % 2 === 0 ? 'open' : 'success'})`,
  value: `pay_${at}`,
  alias: `operation-${at}`,
}));

/** Asks for one of 25 choices and types the given lines as answers. Returns the choice and the printed text. */
const ask = async (lines: readonly string[], other?: CustomAnswer<string>) => {
  const input = new PassThrough() as unknown as NodeJS.ReadStream & PassThrough;
  const remaining = [...lines];
  let printed = '';
  const write = async (text: string) => {
    printed += text;
    if (/:$/.test(text) && remaining.length > 0) input.write(`${remaining.shift()}\n`);
  };
  const { select } = promptByLines(input, { columns: 80, write }, new AbortController().signal);
  return { chosen: await select('Which payment?', CHOICES, other), printed };
};

it('prints twenty choices of a long list, and how to find the others', async () => {
  const { chosen, printed } = await ask(['23']);
  expect(chosen).toBe('pay_22');
  expect(printed).toContain('  20) pay_19 (success)\n  and 5 more: type part of a choice to find it\n');
});

it('prints the choices that contain the typed text with their numbers in the whole list, and selects none', async () => {
  const { chosen, printed } = await ask(['pay 24 open', '25']);
  expect(chosen).toBe('pay_24');
  expect(printed).toMatch(/or part of its text: +25\) pay_24 \(open\)\nNumber/);
});

it.each([
  ['pay_3', 'pay_3'],
  ['OPERATION-7', 'pay_7'],
])(
  'selects the choice whose name or alias is exactly %s, although other choices start with this text',
  async (line, value) => {
    expect((await ask([line])).chosen).toBe(value);
  },
);

it('accepts a valid value outside the list only when the question allows other values', async () => {
  const problemIn = async (text: string) => (text === 'pay_x1' ? undefined : 'is no payment');
  const other = { valueOf: (text: string) => `typed ${text}`, problemIn };
  const { chosen, printed } = await ask(['nothing', 'pay_x1'], other);
  expect([chosen, printed]).toEqual(['typed pay_x1', expect.stringContaining('  is no payment\n')]);
  const closed = await ask(['pay_x1', '1']);
  expect([closed.chosen, closed.printed]).toEqual(['pay_0', expect.stringContaining('Type a number from 1 to 25.')]);
});
