import { PassThrough } from 'node:stream';
import { expect, it } from 'vitest';
import { promptOn } from '../../../src/io/prompt/drawn-prompt.ts';
import { promptByLines } from '../../../src/io/prompt/line-prompt.ts';

const ENDED = { code: 'interrupted', message: 'the input ended before the question was answered' };

type Streams = { readonly input: PassThrough & NodeJS.ReadStream; readonly output: PassThrough & NodeJS.WriteStream };

const streams = (): Streams => {
  const output = new PassThrough();
  output.resume();
  return { input: new PassThrough() as never, output: output as never };
};

const PROMPTS = {
  'a drawn question': ({ input, output }: Streams) => promptOn({ input, output }),
  'a line question': ({ input }: Streams) =>
    promptByLines(input, { columns: 80, write: async () => undefined }, new AbortController().signal),
};

it.each(Object.entries(PROMPTS))('%s fails as interrupted when its terminal closes', async (_, promptOf) => {
  const { input, output } = streams();
  const answer = promptOf({ input, output }).confirm('Pay?');
  setTimeout(() => input.end(), 200);
  await expect(answer).rejects.toMatchObject(ENDED);
});

it.each(Object.entries(PROMPTS))('%s fails as interrupted when its input has ended already', async (_, promptOf) => {
  const { input, output } = streams();
  input.end();
  for await (const part of input) expect(part).toBeUndefined();
  await expect(promptOf({ input, output }).text('Who?')).rejects.toMatchObject(ENDED);
});

it.each(Object.entries(PROMPTS))(
  '%s fails as interrupted when its signal aborts, and the next question gets its answer',
  async (_, promptOf) => {
    const { input, output } = streams();
    const prompt = promptOf({ input, output });
    const withdrawn = new AbortController();
    const answer = prompt.confirm('Approve?', true, withdrawn.signal);
    setTimeout(() => withdrawn.abort(), 200);
    await expect(answer).rejects.toMatchObject({ code: 'interrupted' });
    const next = prompt.confirm('Pay?', true);
    setTimeout(() => input.write('\r'), 200);
    await expect(next).resolves.toBe(true);
  },
);
