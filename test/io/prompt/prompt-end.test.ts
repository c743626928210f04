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

const ways = {
  'drawn questions': ({ input, output }: Streams) => promptOn({ input, output }),
  'questions by lines': ({ input }: Streams) =>
    promptByLines(input, { columns: 80, write: async () => undefined }, new AbortController().signal),
};

it.each(Object.entries(ways))('%s whose terminal goes away end and say so, instead of never', async (_, promptOf) => {
  const { input, output } = streams();
  const answer = promptOf({ input, output }).confirm('Pay?');
  setTimeout(() => input.end(), 200);
  await expect(answer).rejects.toMatchObject(ENDED);
});

it.each(Object.entries(ways))(
  '%s over an input that was read to its end do not wait for anybody',
  async (_, promptOf) => {
    const { input, output } = streams();
    input.end();
    for await (const part of input) expect(part).toBeUndefined();
    await expect(promptOf({ input, output }).text('Who?')).rejects.toMatchObject(ENDED);
  },
);

it.each(Object.entries(ways))(
  '%s that are withdrawn end at once, and the next one is answered',
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
