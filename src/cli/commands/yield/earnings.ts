import type { Input } from '../../../client/call.ts';
import { earnings as endpoint } from '../../../contract/yield/earnings.ts';
import { FAILURES, Failure } from '../../../core/failure.ts';
import { nextStep } from '../../../core/next.ts';
import {
  type Holder,
  type OfferedPairs,
  type Pair,
  pairsOffered,
  readAllEarnings,
  unlisted,
} from '../../../flows/yield/all-earnings.ts';
import { openKeystore } from '../../../keystore/keystore.ts';
import { isDryRun } from '../../argv/command-line.ts';
import { withOwnNames } from '../../command/build-input.ts';
import type { CommandContext } from '../../command/command.ts';
import { derive } from '../../command/derive.ts';
import { KEY } from '../../command/key-options.ts';
import { type Option, type ParsedArgs, required, stringArg } from '../../command/options.ts';
import { solanaProblem } from '../../operations/check-receivers.ts';
import { noEnvelope } from '../../print/print-result.ts';
import { YIELD_FIELDS } from './context.ts';

/** The key option of a command that only reads: it needs no password. */
const WALLET_KEY_OPTION: Option = {
  ...KEY,
  completes: 'solana-keys',
  description: 'Take the wallet from this key, instead of --wallet',
  question: 'Key that signs',
  suggest: async () => (await import('../../prompt/suggestions.ts')).suggestKeys('solana'),
};

/** Adds the wallet of the named key. Throws `invalid_input` for a key of another chain, or with another wallet. */
const withKeysWallet = async (cli: CommandContext, given: ParsedArgs, input: Input): Promise<Input> => {
  const name = stringArg(given, 'key');
  if (name === undefined) return input;
  const { address, chain } = await openKeystore(cli.io).find(name);
  if (chain !== undefined && chain !== 'solana')
    throw new Failure('invalid_input', `--key: ${name} is no key for Solana`);
  const wallet = input['wallet'];
  if (address !== undefined && wallet !== undefined && wallet !== address) {
    throw new Failure('invalid_input', `--wallet is ${String(wallet)}, and the key ${name} is that of ${address}`);
  }
  return { ...input, wallet: wallet ?? address };
};

const WALLET = '11111111111111111111111111111112';

/** The only yield chain in the document. */
const CHAIN = 'solana';

const COLUMNS = ['provider', 'asset', 'position_on_protocol', 'earnings_status'];

const textIn = (input: Input, field: string): string | undefined => {
  const value = input[field];
  return typeof value === 'string' ? value : undefined;
};

/** The failure with the highest exit code decides how the command ends. */
const worstOf = (failures: readonly Failure[]): Failure | undefined =>
  failures.toSorted((a, b) => FAILURES[b.code] - FAILURES[a.code])[0];

const summary = async (data: unknown) =>
  (await import('../../summaries/yield-summary.ts')).nothingDepositedSummary(data);

const offered = async (cli: CommandContext, only: Partial<Pair>): Promise<OfferedPairs> => {
  const found = await pairsOffered(await cli.client(), only);
  if (found.pairs.length + found.silent.length > 0) return found;
  const what = [only.asset, only.provider && `with ${only.provider}`].filter(Boolean).join(' ');
  throw new Failure('not_found', `no strategy is offered for ${what || 'any token'}`, {
    next: nextStep('yield.strategies'),
  });
};

/** Checks the wallet first: otherwise each of many requests would fail. */
const assertAddress = async ({ wallet, chain_name }: Holder): Promise<void> => {
  const message = chain_name === CHAIN ? await solanaProblem(wallet) : undefined;
  if (message === undefined) return;
  throw new Failure('invalid_input', 'nothing was sent: this is no wallet of Solana', {
    errors: [{ field: 'wallet', message }],
  });
};

/** Prints all positions, and then fails like the worst lookup, if any. */
const printAll = async (cli: CommandContext, input: Input): Promise<void> => {
  const { '--wallet': wallet } = required({ '--wallet': textIn(input, 'wallet') });
  const only = { provider: textIn(input, 'provider'), asset: textIn(input, 'asset') };
  const holder = { wallet, chain_name: textIn(input, 'chain_name') ?? CHAIN };
  await assertAddress(holder);
  const work = async () => {
    const { pairs, silent } = await offered(cli, only as Partial<Pair>);
    const read = await readAllEarnings(await cli.client(), holder, pairs);
    return { ...read, earnings: [...read.earnings, ...silent.map((one) => unlisted(holder, one))] };
  };
  const { earnings, failures } = await cli.io.spin('Reading the positions', work());
  const shown = await withOwnNames(cli, earnings);
  await cli.printResult({ earnings }, shown, { brief: COLUMNS, summary: () => summary({ earnings: shown }) });
  const missing = earnings.filter(({ earnings_status }) => earnings_status !== 'ok');
  if (missing.length === 0) return;
  const worst = worstOf(failures);
  const message = `${missing.length} of ${earnings.length} positions are not known${worst ? `; the worst: ${worst.sentence}` : ''}`;
  throw new Failure(worst?.code ?? 'unavailable', message, {
    hint: 'The other positions are correct.',
    isPrinted: true,
  });
};

const plain = derive(endpoint, {
  rows: 'earnings',
  fields: {
    ...YIELD_FIELDS,
    provider: { ...YIELD_FIELDS['provider'], isRequired: false, usual: 'every one' },
    asset: { ...YIELD_FIELDS['asset'], isRequired: false, usual: 'every one' },
  },
  defaults: { chain_name: CHAIN },
  summary,
  options: [WALLET_KEY_OPTION],
  complete: async (cli, given, typed) => {
    const input = await withKeysWallet(cli, given, typed);
    if (textIn(input, 'provider') !== undefined && textIn(input, 'asset') !== undefined) return input;
    if (isDryRun(cli)) {
      const message = 'without --provider and --asset it is many requests, none of which can be shown alone';
      throw new Failure('usage', message);
    }
    if (cli.globals.envelope) throw noEnvelope('yield earnings', 'without --provider and --asset');
    await printAll(cli, input);
    return undefined;
  },
  examples: [
    'yield earnings --key savings',
    `yield earnings --wallet ${WALLET} --asset USDC --provider provider_a --chain-name solana`,
  ],
});

/** `yield earnings`: one position, or all positions. */
export const earnings = {
  ...plain,
  summary: 'Show the positions of a wallet',
  about: [
    'Without --provider or --asset it reads the positions of every offered strategy. A failed lookup is shown in its row, and decides the exit code.',
  ],
};
