import { assetNamed, findChain } from '../../../../chain/evm/network.ts';
import { amountCounted } from '../../../../chain/review/check-limits.ts';
import { type Client, LONGEST_CALL_MS } from '../../../../client/call.ts';
import { readQuantity, resultOf } from '../../../../client/node.ts';
import { COIN_DECIMALS } from '../../../../contract/chains.ts';
import { compareDecimals, fromUnits, sumDecimals } from '../../../../core/decimal.ts';
import { Failure } from '../../../../core/failure.ts';
import { nextStep } from '../../../../core/next.ts';
import { isSameText } from '../../../../core/text.ts';
import { tokenBalance } from '../../../../flows/node/read-facts.ts';
import { askedOf } from '../../../../flows/pay/asked.ts';
import { isPaymentIntent, type PaymentIntent } from '../../../../journal/intents.ts';
import type { CommandContext } from '../../../command/command.ts';
import type { ParsedArgs } from '../../../command/options.ts';
import { gateOf, networkOf } from '../../../profiles/gate.ts';
import { nodeOfService } from '../plan.ts';
import { addressIn, type PlannedRow, type RowSettings } from './plan-row.ts';

/** What rows with the same keys take from their wallets. */
export type Need = {
  readonly keys: readonly string[];
  readonly chain: string;
  readonly token: string;
  readonly amount: string;
};

/** Adds an amount to that of the same key. */
export const addTo = <T extends { readonly amount: string }>(
  all: Map<string, T>,
  key: string,
  one: T,
  more: Partial<T>,
): void => {
  const before = all.get(key);
  all.set(key, before ? { ...before, ...more, amount: sumDecimals([before.amount, one.amount]) } : one);
};

/** A node of the run: with the time of one call from now on, however long the run takes. */
const withNodeTime = (client: Client): Client => ({
  ...client,
  get deadline() {
    return client.io.clock.monotonic() + LONGEST_CALL_MS;
  },
});

/** The balance of an address in a token on a chain; `undefined` where no node is known. */
const balanceOf = async (
  cli: CommandContext,
  given: ParsedArgs,
  client: Client,
  { chain: name, token: symbol }: Pick<Need, 'chain' | 'token'>,
  address: string,
): Promise<string | undefined> => {
  const node = await nodeOfService(cli, given, { client: withNodeTime(client), chain: name });
  const chain = findChain(await networkOf(cli, client.service.kind), name);
  const asset = chain && assetNamed(chain, symbol);
  if (node === undefined || asset === undefined) return undefined;
  if (asset.kind === 'coin') {
    const coins = readQuantity(await resultOf(node, 'eth_getBalance', [address, 'latest']), 'eth_getBalance');
    return fromUnits(coins, COIN_DECIMALS);
  }
  const units = await tokenBalance(node, asset.address, address);
  return units === undefined ? undefined : fromUnits(units, asset.decimals);
};

/** Throws `refused_by_review` if the wallets of some rows hold less than the rows pay. */
export const assertBalances = async (
  cli: CommandContext,
  given: ParsedArgs,
  client: Client,
  { pool }: RowSettings,
  needs: readonly Need[],
): Promise<void> => {
  for (const need of needs) {
    const balances: (string | undefined)[] = [];
    for (const key of need.keys) {
      const address = addressIn({ pool }, key);
      balances.push(address === undefined ? undefined : await balanceOf(cli, given, client, need, address));
    }
    const held = balances.filter((balance) => balance !== undefined);
    if (held.length < balances.length) continue;
    const has = sumDecimals(held.length === 0 ? ['0'] : held);
    if (compareDecimals(has, need.amount) >= 0) continue;
    const { keys, chain, token, amount } = need;
    const message = `${keys.join(' and ')} hold ${has} ${token} on ${chain}, and the rows pay ${amount} ${token}`;
    throw new Failure('refused_by_review', message, {
      errors: [{ field: 'balance', message }],
      namesErrors: true,
      hint: 'Nothing was sent.',
      ...(client.service.kind === 'sandbox' && {
        next: nextStep('sandbox.fund', keys[0] ?? '', { chain, token, amount }),
      }),
    });
  }
};

/** A daily limit of a key and what of it is used, as amounts of one token. */
type DayLimit = { readonly most: string; readonly used: string };

/** The limit that leaves the least; `undefined` without any. */
const tightest = (limits: readonly DayLimit[]): DayLimit | undefined =>
  limits.toSorted((one, other) =>
    compareDecimals(sumDecimals([one.most, other.used]), sumDecimals([other.most, one.used])),
  )[0];

/** The needs of the same keys in the same token, over all chains: daily limits count them together. */
const perToken = (needs: readonly Need[]): readonly Need[] => {
  const merged = new Map<string, Need>();
  for (const need of needs) addTo(merged, [...need.keys, need.token].join(' ').toLowerCase(), need, {});
  return [...merged.values()];
};

/** Throws `refused_by_review` if rows pay more than the daily limits of their keys leave. */
export const assertDays = async (
  cli: CommandContext,
  { service }: Client,
  { pool }: RowSettings,
  needs: readonly Need[],
): Promise<void> => {
  const gate = await gateOf(cli);
  const limitOf = async (key: string, token: string): Promise<DayLimit | undefined> => {
    const address = addressIn({ pool }, key);
    if (address === undefined) return undefined;
    const { policies } = await gate.inForce({ chain: 'evm', address, kind: service.kind }, { digest: '' });
    const limits = policies.flatMap(({ policy, moved }) =>
      Object.entries(policy.most_per_day ?? {})
        .filter(([name]) => isSameText(name, token))
        .map(([name, most]) => ({ most, used: amountCounted(moved, name) })),
    );
    return tightest(limits);
  };
  for (const { keys, token, amount } of perToken(needs)) {
    const limits = await Promise.all(keys.map((key) => limitOf(key, token)));
    const known = limits.filter((limit) => limit !== undefined);
    // A key without a limit can pay all of it.
    if (known.length < keys.length) continue;
    const [most, used] = [sumDecimals(known.map((each) => each.most)), sumDecimals(known.map((each) => each.used))];
    if (compareDecimals(sumDecimals([used, amount]), most) <= 0) continue;
    const message = `the rows pay ${amount} ${token} from ${keys.join(' and ')}; most_per_day.${token} is ${most}, and the last 24 hours used ${used}`;
    throw new Failure('refused_by_review', message, {
      errors: [{ field: 'policy.most_per_day', message }],
      namesErrors: true,
      hint: 'Nothing was sent.',
    });
  }
};

/** For how long a key without a policy counts as one here. The review of each payment reads the policy again. */
const UNLIMITED_MS = 1_000;

/**
 * The keys of a run, and what their wallets have left. A row without a payment goes to a key whose policy and balance cover
 * it, if there is one. Balances are read once, where a node is known.
 */
export const openPool = async (cli: CommandContext, given: ParsedArgs, client: Client, { pool }: RowSettings) => {
  const gate = await gateOf(cli);
  const network = await networkOf(cli, client.service.kind);
  const balances = new Map<string, Promise<string | undefined>>();
  const taken = new Map<string, string>();
  const placeOf = (key: string, { chain, token }: PlannedRow['pays']): string =>
    `${key} ${chain} ${token}`.toLowerCase();
  const addressOf = (key: string): string => addressIn({ pool }, key) ?? '';
  const hasEnough = async (key: string, pays: PlannedRow['pays']): Promise<boolean> => {
    const place = placeOf(key, pays);
    const reading = balances.get(place) ?? balanceOf(cli, given, client, pays, addressOf(key));
    balances.set(place, reading);
    const balance = await reading;
    return balance === undefined || compareDecimals(sumDecimals([taken.get(place) ?? '0', pays.amount]), balance) <= 0;
  };
  const unlimitedUntil = new Map<string, number>();
  const isAllowed = async (key: string, intent: PaymentIntent): Promise<boolean> => {
    const [payer, now] = [addressOf(key), client.io.clock.monotonic()];
    if (now < (unlimitedUntil.get(key) ?? 0)) return true;
    const isLimited = await gate.isLimited({ chain: 'evm', address: payer, kind: client.service.kind });
    if (!isLimited) unlimitedUntil.set(key, now + UNLIMITED_MS);
    return !isLimited || (await gate.refusalOf(askedOf({ ...intent, payer }, network))) === undefined;
  };
  return {
    /** The keys of a row that cover it; all of them if none does. */
    keysFor: async ({ keys, intent, pays }: PlannedRow): Promise<readonly string[]> => {
      if (keys.length < 2 || !isPaymentIntent(intent)) return keys;
      const able: string[] = [];
      for (const key of keys) {
        if ((await isAllowed(key, intent)) && (await hasEnough(key, pays))) able.push(key);
      }
      return able.length > 0 ? able : keys;
    },
    /** Counts what a row takes from a wallet. */
    take: (key: string, pays: PlannedRow['pays']): void => {
      const place = placeOf(key, pays);
      taken.set(place, sumDecimals([taken.get(place) ?? '0', pays.amount]));
    },
  };
};
