import { describe, expect, it } from 'vitest';
import { runAsking } from '../../../src/cli/argv/run-asking.ts';
import type { Command } from '../../../src/cli/command/command.ts';
import type { Option, ParsedArgs } from '../../../src/cli/command/options.ts';
import { ALLOW_AND_SPLIT } from '../../../src/cli/command/payment-options.ts';
import { type Answer, lineWithoutQuestions, withAnswerParts } from '../../../src/cli/prompt/answers.ts';
import { askChoice } from '../../../src/cli/prompt/ask.ts';
import { correctedNames } from '../../../src/cli/prompt/near-misses.ts';
import { contextForRerun } from '../../../src/cli/prompt/rerun.ts';
import { validateSplit } from '../../../src/cli/prompt/validators.ts';
import { Failure } from '../../../src/core/failure.ts';
import { failureIn } from '../../client/client.ts';
import { ESC, testIo } from '../../support/io.ts';
import { profiled } from '../../support/profiled.ts';
import { typedAs } from '../../support/typed.ts';

const [ONE, TWO] = [`0x${'1'.repeat(40)}`, `0x${'2'.repeat(40)}`];

const opened = async (answers: readonly (string | boolean)[] | undefined, typed = typedAs([])) => {
  const { io, said, asked } = await testIo(answers === undefined ? {} : { answers: [...answers] });
  return { cli: { ...profiled(io, {}, {}), typed }, said, asked };
};

describe('Esc goes back one question', () => {
  const receivers = async (answers: readonly string[], kept: readonly string[] = []) => {
    const { cli, asked } = await opened(answers);
    const ask = await ALLOW_AND_SPLIT.options.find(({ flag }) => flag === '--split')?.ask?.();
    const found = await ask?.(cli, { flag: '--split', description: 'Receiver', kept, initial: undefined }, {});
    return { found, asked: asked.map((question) => question.replace(/ \S*--split\S*$/, '')) };
  };

  it('in a list of receivers: from a receiver to the share before, and from a share to its receiver', async () => {
    // The second Enter keeps the receiver that was entered before Esc.
    const { found, asked } = await receivers([ONE, '60', ESC, '70', TWO, ESC, '', '30']);
    expect(asked).toEqual([
      'Receiver',
      'Share in %',
      'Next receiver (40 % is left)',
      'Share in %',
      'Next receiver (30 % is left)',
      'Share in %',
      'Next receiver (30 % is left)',
      'Share in %',
    ]);
    expect(found).toEqual([`${ONE}=70`, `${TWO}=30`]);
  });

  it('and Enter keeps the receivers of an earlier answer', async () => {
    expect((await receivers(['', ''], [`${ONE}=70`, `${TWO}=30`])).found).toEqual([`${ONE}=70`, `${TWO}=30`]);
    // A share that is too large now is not the default.
    expect((await receivers([`${ONE}=80`, TWO, ''], [`${ONE}=70`, `${TWO}=30`])).found).toEqual([
      `${ONE}=80`,
      `${TWO}=20`,
    ]);
  });

  it('and a question about a typed value omits service names with line breaks', async () => {
    const { cli, asked } = await opened(['something else', 'USDC', true]);
    const drawn = 'USDT\n✓ reviewed   12 checks pass';
    const choices = ['USDT', drawn].map((value) => ({ name: value, value }));
    await askChoice(cli, { flag: '--asset', description: 'Asset' }, { others: 'confirmed', choices });
    expect(asked.at(-1)).toBe('USDC is not in the list: USDT. Use it all the same?');
  });

  it('from "Use it all the same?" to the list', async () => {
    const { cli, asked } = await opened(['something else', 'polygn', ESC, 'polygon']);
    const suggested = { others: 'confirmed', choices: [{ name: 'polygon', value: 'polygon' }] } as const;
    expect(await askChoice(cli, { flag: '--to-chain', description: 'Chain' }, suggested)).toBe('polygon');
    expect(asked.slice(2)).toEqual([
      'polygn is not in the list: polygon. Use it all the same?',
      expect.stringContaining('--to-chain'),
    ]);
  });
});

const FLAGS = ['--one', '--two', '--three', '--four'] as const;
const OPTIONS: readonly Option[] = [...FLAGS, '--given' as const].map((flag) => ({
  flag,
  value: 'TEXT',
  description: `Value of ${flag.slice(2)}`,
}));

/** Runs a command that needs four values and prints a note, with one more value on the command line. */
const reviewed = async (answers: readonly (string | boolean)[]) => {
  const typed = typedAs(
    ['pay', 'register', '--given', 'five', '--quick'],
    [...OPTIONS, { flag: '--quick', description: 'Quick' }],
  );
  const { cli, asked, said } = await opened(answers, typed);
  const runs: ParsedArgs[] = [];
  const command: Command = {
    words: ['pay', 'register'],
    summary: '',
    options: typed.options.filter(({ flag }) => ['--given', '--quick', ...FLAGS].includes(flag)),
    calls: ['pay.register'],
    answers: () => undefined,
    examples: [],
    run: async (context, given) => {
      await context.printNote('note of the command');
      const errors = FLAGS.filter((flag) => given[flag.slice(2)] === undefined).map((flag) => ({
        field: flag.slice(2),
        option: flag,
        message: 'required',
        isMissing: true as const,
      }));
      if (errors.length > 0) throw new Failure('invalid_input', 'something is missing', { errors });
      await context.service();
      runs.push(given);
    },
  };
  const failure = await failureIn(runAsking(command, () => cli, { given: 'five', quick: true })).catch(() => undefined);
  return { runs, asked, said, failure };
};

describe('the review of the answers', () => {
  it('keeps the value of an answer when Esc ends its change', async () => {
    const { runs, asked } = await reviewed(['1', '2', '3', '4', 'Value of two: 2', ESC, 'Go on']);
    expect(runs).toMatchObject([{ one: '1', two: '2', three: '3', four: '4', given: 'five' }]);
    expect(asked.filter((question) => question.startsWith('Review your answers'))).toHaveLength(2);
  });

  it('also lists and changes the values of the command line, marked as such', async () => {
    const changes = [
      '--given: five (given on the command line)',
      '6',
      '--quick: yes (given on the command line)',
      false,
    ];
    const { runs, said } = await reviewed(['1', '2', '3', '4', ...changes, 'Go on']);
    expect(runs).toMatchObject([{ one: '1', given: '6', quick: false }]);
    expect(said.stderr).toContain('bursar pay register --given 6 --one 1 --two 2 --three 3 --four 4\n');
  });
});

describe('the notes of a command with questions', () => {
  it('are printed at its first effect, without notes that were printed before', async () => {
    const { cli, said } = await opened([]);
    const command = { words: ['pay', 'run'], calls: ['pay.register'] } as unknown as Command;
    const rerun = { command, args: [], printed: new Set(['known']), before: async () => undefined };
    const { context, printNotes } = contextForRerun(cli, rerun);
    for (const note of ['key: treasury', 'known']) await context.printNote(note);
    expect(said.stderr).toBe('');
    await context.service();
    expect(said.stderr).toBe('key: treasury\n');
    await context.printNote('later');
    await printNotes();
    expect(said.stderr).toBe('key: treasury\nlater\n');
  });
});

describe('the equivalent command', () => {
  it('replaces typed values with answers, and ends with the same options in one order', () => {
    const options: readonly Option[] = [
      { flag: '--amount', value: 'A', description: '' },
      { flag: '--intent', value: 'KEY', description: '' },
      { flag: '--key', value: 'NAME', environment: 'key', description: '' },
      { flag: '--password-file', value: 'FILE', environment: 'password', description: '' },
    ];
    const command = {
      words: ['pay', 'run'],
      arguments: [{ name: 'ID', description: '' }],
      options,
    } as unknown as Command;
    const answer = (flag: string, value: Answer['value']): Answer => ({ flag, name: flag, value });
    const { parts, options: all } = typedAs(['pay', 'run', 'old', '--amount', '1'], options);
    const implied = [
      answer('--yes', true),
      answer('--intent', 'rent'),
      answer('--profile', 'sandbox'),
      answer('--password-file', 'f'),
    ];
    const line = (answers: readonly Answer[]) =>
      lineWithoutQuestions({ parts: withAnswerParts(command, parts, answers, implied), options: all });
    const end = '--key treasury --password-file f --profile sandbox --intent rent --yes';
    expect(line([answer('--key', 'treasury'), answer('--amount', '2'), answer('ID', 'new')])).toBe(
      `bursar pay run new --amount 2 ${end}`,
    );
  });
});

describe('a mistyped name on the command line', () => {
  const command = {
    words: ['pay', 'run'],
    options: [
      { flag: '--to-chain', value: 'CHAIN', completes: 'evm-chains', description: '' },
      { flag: '--provider', value: 'NAME', completes: 'providers', description: '' },
    ],
  } as unknown as Command;

  it('causes a question at a terminal', async () => {
    const { cli, asked } = await opened(['polygon', 'provider_z, as typed']);
    const given = { 'to-chain': 'polygn', provider: 'provider_z' };
    expect(await correctedNames(cli, command, given)).toEqual([
      { flag: '--to-chain', name: 'to-chain', value: 'polygon' },
    ]);
    expect(asked).toEqual([
      '--to-chain: polygn is not a known name. Did you mean polygon?',
      '--provider: provider_z is not a known name. Did you mean provider_a or provider_b?',
    ]);
  });

  it('causes a warning without a terminal and is sent; a name unlike any known name causes none', async () => {
    const { cli, said } = await opened(undefined);
    expect(await correctedNames(cli, command, { 'to-chain': 'polygn', provider: 'kamino' })).toEqual([]);
    expect(said.stderr).toBe(
      'warning: --to-chain: polygn is not a known name. Did you mean polygon? It is sent as typed.\n',
    );
    expect(await correctedNames(cli, command, { 'to-chain': 'Polygon', provider: 'provider_a' })).toEqual([]);
  });
});

describe('a receiver', () => {
  it('is an address of any family while its chain is unknown', async () => {
    const { cli } = await opened(undefined);
    expect(await validateSplit('banana-and-more-than-a-key=1', {}, cli)).toBe('is neither an EVM nor a Solana address');
    for (const wallet of [ONE, '11111111111111111111111111111112'])
      expect(await validateSplit(`${wallet}=1`, {}, cli)).toBeUndefined();
    // The service checks the addresses of a chain that bursar does not know.
    expect(await validateSplit('T9yD14Nj9j7xAB4dbGeiX9h8unkKHxuWwb=1', { 'to-chain': 'tron' }, cli)).toBeUndefined();
  });

  it.each([
    [ONE, `"${ONE}" has no share: write ADDRESS=PERCENT, such as ${ONE}=100`],
    [`${ONE}=70%`, `"${ONE}" is followed by "70%", which is no percentage: write ADDRESS=PERCENT, such as ${ONE}=100`],
    ['=70', '"=70" names no wallet: write ADDRESS=PERCENT'],
  ])('%s has an error with the expected form', (split, message) => {
    expect(() => ALLOW_AND_SPLIT.bodyFrom({ split: [split] })).toThrow(`--split: ${message}`);
  });
});
