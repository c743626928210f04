import { evmAddressOf } from '../../../chain/evm/signing-key.ts';
import type { Outflow } from '../../../chain/review/policy.ts';
import { EVM_CHAINS, findEvmChain, type KeyChain, SANDBOX_SOLANA, SOLANA } from '../../../contract/chains.ts';
import { fund } from '../../../contract/control/chains.ts';
import { compareDecimals, sumDecimals } from '../../../core/decimal.ts';
import { Failure, type FieldError } from '../../../core/failure.ts';
import { isSameText } from '../../../core/text.ts';
import type { SigningKey } from '../../../flows/turn.ts';
import { newPrivateKey } from '../../../keystore/key.ts';
import { openKeystore } from '../../../keystore/keystore.ts';
import { textsIn } from '../../../smoke/expression.ts';
import type { Flow } from '../../../smoke/flow.ts';
import type { CommandContext } from '../../command/command.ts';
import { type ParsedArgs, required, stringArgs } from '../../command/options.ts';
import type { AmountLimits } from '../../operations/amount-limits.ts';
import { chooseKey, withSigningKey } from '../../operations/signing-key.ts';
import type { SmokeSession } from './signer.ts';

const SANDBOX_TOKENS: readonly string[] = [
  ...EVM_CHAINS.flatMap(({ coin, tokens }) => [coin, ...Object.keys(tokens)]),
  'SOL',
  ...Object.keys(SANDBOX_SOLANA.mints),
];

/** The length of a symbol. A longer text may be the address of a token. */
const LONGEST_SYMBOL = 12;

/** Throws `invalid_input` for a limit of a token that the sandbox does not have. A live service may have any. */
export const assertSandboxTokens = (limits: AmountLimits): void => {
  const isKnown = (token: string) => SANDBOX_TOKENS.some((each) => isSameText(each, token));
  const unknown = limits.find(({ token }) => token.length <= LONGEST_SYMBOL && !isKnown(token));
  if (unknown === undefined) return;
  throw new Failure('invalid_input', `--max-amount: the sandbox has no token ${unknown.token}`, {
    hint: `Its tokens are ${[...new Set(SANDBOX_TOKENS)].join(', ')}.`,
  });
};

/** Keeps the sum that a run has signed, by token. Without limits, which only the sandbox allows, everything fits. */
export const reserving = (limits: AmountLimits | undefined): SmokeSession['reserve'] => {
  const used = new Map<string, string>();
  return (outflows: readonly Outflow[]): void => {
    if (limits === undefined) return;
    const next = new Map(used);
    for (const { token, amount } of outflows) {
      const limit = limits.find((each) => isSameText(each.token, token));
      const key = token.toLowerCase();
      const total = sumDecimals([next.get(key) ?? '0', amount]);
      next.set(key, total);
      if (limit !== undefined && compareDecimals(total, limit.amount) <= 0) continue;
      const most = limit === undefined ? `--max-amount names no ${token}` : `--max-amount is ${limit.amount} ${token}`;
      throw new Failure(
        'refused_by_review',
        `the run would have paid ${total} ${token}, and ${most}. Nothing was signed now.`,
      );
    }
    for (const [token, total] of next) used.set(token, total);
  };
};

/** The families of keys that flows sign with. */
export const familiesOf = (flows: readonly Flow[]): readonly KeyChain[] => {
  const needs = (test: (flow: Flow) => boolean) => flows.some(test);
  const signs = (id: string) => (flow: Flow) =>
    flow.steps.some(({ operation }) => operation.source === 'signer' && operation.endpoint.id === id);
  const has = (from: string) => (flow: Flow) => flow.inputs.some((input) => input.from === from);
  return [
    ...(needs(signs('sign.payment')) || needs(has('evm-key')) ? (['evm'] as const) : []),
    ...(needs(signs('sign.yield')) || needs(has('solana-key')) ? ([SOLANA] as const) : []),
  ];
};

type Keys = SmokeSession['keys'];

/** The chains that a key of the sandbox needs money on: those that a step or an input names. */
const chainsIn = (flows: readonly Flow[], given: readonly unknown[]): readonly string[] => {
  const named = flows.flatMap(({ inputs, steps }) => [
    ...inputs.flatMap(({ usual, inSandbox }) => [usual, inSandbox]),
    ...steps.map(({ payload }) => payload),
  ]);
  return [...new Set([...named, ...given].flatMap(textsIn).flatMap((text) => findEvmChain(text)?.name ?? []))];
};

/** New keys for one run in the sandbox, with test money. They are wiped afterwards. */
const withTemporaryKeys = async <T>(
  { io }: CommandContext,
  { call }: NonNullable<SmokeSession['control']>,
  { families, flows, values }: KeyNeeds,
  work: (keys: Keys) => Promise<T>,
): Promise<T> => {
  const privateKeys = families.map((family) => ({ family, bytes: newPrivateKey(io.random) }));
  try {
    const keys: Partial<Record<KeyChain, SigningKey>> = {};
    for (const { family, bytes } of privateKeys) {
      const { addressOf } = await import('../../../chain/solana/address.ts');
      const { ed25519PublicKey } = await import('../../../core/ed25519.ts');
      const address = family === 'evm' ? evmAddressOf(bytes) : addressOf(ed25519PublicKey(bytes));
      const chains = family === 'evm' ? chainsIn(flows, values) : [SOLANA];
      for (const chain of chains) await call(fund, { address, chain: chain as 'polygon' });
      keys[family] = { address, open: async () => bytes };
    }
    return await work(keys);
  } finally {
    for (const { bytes } of privateKeys) bytes.fill(0);
  }
};

/** The keys that flows need, and values that may name their chains. */
export type KeyNeeds = {
  readonly families: readonly KeyChain[];
  readonly flows: readonly Flow[];
  readonly values: readonly unknown[];
};

/** The names of --key, by family. Throws `invalid_input` for two of one family. */
const namedKeys = async ({ io }: CommandContext, given: ParsedArgs) => {
  const named: Partial<Record<KeyChain, string>> = {};
  for (const name of stringArgs(given, 'key')) {
    const { chain } = await openKeystore(io).find(name);
    if (named[chain] !== undefined)
      throw new Failure('invalid_input', `--key: ${named[chain]} and ${name} are both for ${chain}`);
    named[chain] = name;
  }
  return named;
};

/** The keys that a run needs, and that neither an option nor a setting names. Throws as `namedKeys`. */
export const missingKeys = async (
  cli: CommandContext,
  given: ParsedArgs,
  families: readonly KeyChain[],
): Promise<readonly FieldError[]> => {
  const named = await namedKeys(cli, given);
  const missing: FieldError[] = [];
  for (const family of families.filter((each) => named[each] === undefined)) {
    const { problem } = await chooseKey(cli, {}, family);
    if (problem) missing.push({ field: 'key', message: problem.message, option: '--key' });
  }
  return missing;
};

/** Opens the keys of a run for some work: those of --key, in the sandbox else temporary ones, elsewhere the usual ones. */
export const withKeys = async <T>(
  cli: CommandContext,
  given: ParsedArgs,
  control: SmokeSession['control'],
  needs: KeyNeeds,
  work: (keys: Keys) => Promise<T>,
): Promise<T> => {
  const named = await namedKeys(cli, given);
  const temporary = control === undefined ? [] : needs.families.filter((family) => named[family] === undefined);
  const own = needs.families.filter((family) => !temporary.includes(family));
  const unlock = async (left: readonly KeyChain[], keys: Keys): Promise<T> => {
    const [family, ...others] = left;
    if (family === undefined) return work(keys);
    const chosen = named[family] ? { name: named[family] } : await chooseKey(cli, {}, family);
    const { '--key': name } = required({ '--key': chosen.name }, { '--key': chosen.problem });
    return withSigningKey(cli, given, { name, chain: family }, async (key) => {
      // The password is asked for now: flows run at the same time, and ask nothing.
      await key.open();
      return unlock(others, { ...keys, [family]: key });
    });
  };
  if (control === undefined || temporary.length === 0) return unlock(own, {});
  return withTemporaryKeys(cli, control, { ...needs, families: temporary }, (keys) => unlock(own, keys));
};
