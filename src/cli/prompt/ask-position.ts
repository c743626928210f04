import { SOLANA } from '../../contract/chains.ts';
import { compareDecimals, divideDecimals, multiplyDecimals, plainDecimal } from '../../core/decimal.ts';
import { Failure } from '../../core/failure.ts';
import { digitsOf } from '../../core/json.ts';
import { nextStep } from '../../core/next.ts';
import { isSameText } from '../../core/text.ts';
import { type Earning, pairsOffered, readAllEarnings } from '../../flows/yield/all-earnings.ts';
import { openKeystore } from '../../keystore/keystore.ts';
import { type Ask, type ParsedArgs, type PromptContext, type Question, stringArg } from '../command/options.ts';
import { undefinedOnFailure } from '../context/failures.ts';
import { yieldToken } from '../operations/check-amounts.ts';
import { usualKey } from '../operations/signing-key.ts';
import { askChoice, askText } from './ask.ts';
import { ratesOf, suggestAssets, suggestKeys, suggestProviders } from './suggestions.ts';

/** The option that names the provider of a withdrawal, or the one that a rebalance withdraws from. */
type ProviderFlag = '--provider' | '--provider-out';

/** A position with a balance. `provider` is the user's name for it, `served` that of the service. */
type HeldPosition = Readonly<Record<'provider' | 'served' | 'asset' | 'balance', string>>;

/** The key that signs where no wallet is named: that of the option, the usual one, or the only one. */
const keyOf = async (cli: PromptContext, given: ParsedArgs): Promise<string | undefined> => {
  const named = stringArg(given, 'key') ?? (await usualKey(cli, SOLANA));
  if (named !== undefined) return named;
  const [only, ...others] = (await suggestKeys(SOLANA)(cli, given)).choices;
  return others.length === 0 ? only?.value : undefined;
};

const walletOf = async (cli: PromptContext, given: ParsedArgs): Promise<string | undefined> => {
  const named = stringArg(given, 'wallet') ?? stringArg(given, 'signer');
  if (named !== undefined) return named;
  const key = await keyOf(cli, given);
  return key === undefined ? undefined : (await openKeystore(cli.io).find(key)).address;
};

/** Names of a service that may become the value of an option. */
const isPlainName = (text: unknown): text is string => typeof text === 'string' && /^\w[\w.:-]{0,99}$/.test(text);

/** The balance of a position, cut to the decimals of its token: an amount cannot have more. */
const balanceOf = async (cli: PromptContext, asset: string, { position_on_protocol: units }: Earning) => {
  const balance = plainDecimal(digitsOf(units) ?? '') ?? '0';
  const { decimals } = (await yieldToken(cli, asset)) ?? {};
  return decimals === undefined ? balance : divideDecimals(balance, '1', decimals);
};

/** The positions of a wallet that have a balance, the largest first; `undefined` if not all positions are known. */
const heldPositions = async (cli: PromptContext, given: ParsedArgs, from: ProviderFlag) => {
  const wallet = await walletOf(cli, given);
  if (wallet === undefined) return undefined;
  const { providers = {} } = await cli.profile();
  const [provider, asset] = [stringArg(given, from.slice(2)), stringArg(given, 'asset')];
  const only = { ...(provider && { provider: providers[provider] ?? provider }), ...(asset && { asset }) };
  const holder = { wallet, chain_name: stringArg(given, 'chain-name') ?? SOLANA };
  const read = async () => {
    const client = await cli.client();
    const { pairs, silent } = await pairsOffered(client, only);
    return silent.length > 0 ? undefined : { pairs, ...(await readAllEarnings(client, holder, pairs)) };
  };
  const found = await undefinedOnFailure(cli.io.spin('Reading the positions', read()));
  if (!found?.earnings.every(({ earnings_status: status }) => status === 'ok')) return undefined;
  // The user may have named a token that no strategy names, such as a mint.
  if (found.pairs.length === 0) return undefined;
  const held: HeldPosition[] = [];
  const isRequested = ({ provider, asset }: Earning): boolean =>
    found.pairs.some((pair) => pair.provider === provider && pair.asset === asset);
  for (const each of found.earnings) {
    if (!isPlainName(each['provider']) || !isPlainName(each['asset']) || !isRequested(each)) continue;
    const [own = each['provider']] = Object.entries(providers).flatMap(([name, theirs]) =>
      theirs === each['provider'] ? [name] : [],
    );
    const balance = await balanceOf(cli, each['asset'], each);
    if (compareDecimals(balance, '0') <= 0) continue;
    held.push({ provider: own, served: each['provider'], asset: each['asset'], balance });
  }
  return { wallet, held: held.toSorted((one, other) => compareDecimals(other.balance, one.balance)) };
};

/** Throws if there is no position: no further answer can help. */
const assertHeld = (wallet: string, held: readonly HeldPosition[], given: ParsedArgs, from: ProviderFlag): void => {
  if (held.length > 0) return;
  const [provider, asset] = [stringArg(given, from.slice(2)), stringArg(given, 'asset')];
  const which = [asset && `in ${asset}`, provider && `with ${provider}`].filter(Boolean).join(' ');
  const message = `nothing was sent: ${wallet} has no position${which && ` ${which}`}, so there is nothing to withdraw`;
  throw new Failure('invalid_input', message, { next: nextStep('yield.deposit', wallet) });
};

/**
 * The yield of a position now, such as `5.2 % a year, the most for USDC`, which a rebalance without a target leaves where it
 * is. `undefined` if the service does not state it.
 */
const rateReader = async (cli: PromptContext, held: readonly HeldPosition[]) => {
  const assets = [...new Set(held.map(({ asset }) => asset))];
  const read = async (asset: string) => [asset, await undefinedOnFailure(ratesOf(cli, asset))] as const;
  const rates = new Map(await cli.io.spin('Reading the rates', Promise.all(assets.map(read))));
  return ({ asset, served }: HeldPosition): string | undefined => {
    const all = rates.get(asset);
    const rate = all?.get(served.toLowerCase());
    // The best one is the first.
    return rate !== undefined && all?.values().next().value === rate ? `${rate}, the most for ${asset}` : rate;
  };
};

/** The usual question for one value, where the positions are not known. */
const askAlone = async (cli: PromptContext, question: Question, given: ParsedArgs): Promise<string> =>
  askChoice(cli, question, await (question.flag === '--asset' ? suggestAssets : suggestProviders)(cli, given));

/**
 * Asks which position money is taken from. It lists the positions with a balance, and the answer has the provider, the
 * token and the chain. Throws `invalid_input` if there are none.
 */
export const askPosition =
  (from: ProviderFlag): Ask =>
  async (cli, question, given) => {
    const found = await heldPositions(cli, given, from);
    if (found === undefined) return askAlone(cli, question, given);
    const { wallet, held } = found;
    assertHeld(wallet, held, given, from);
    const chain = stringArg(given, 'chain-name') ?? SOLANA;
    const nameOf = ({ provider, asset }: HeldPosition) => `${asset} ${provider}`;
    const rateOf = await rateReader(cli, held);
    const choices = held.map((each) => ({
      name: [`${each.balance} ${each.asset} with ${each.provider} on ${chain}`, rateOf(each)]
        .filter(Boolean)
        .join(', '),
      value: nameOf(each),
    }));
    const current = held.find(({ provider, asset }) => [provider, asset].includes(question.initial ?? ''));
    const chosen = await askChoice(
      cli,
      {
        ...question,
        flag: `--asset, ${from}`,
        description: 'Position',
        initial: current && nameOf(current),
      },
      { others: 'refused', choices },
    );
    const { provider = '', asset = '' } = held.find((each) => nameOf(each) === chosen) ?? {};
    return { together: { '--asset': asset, [from]: provider, '--chain-name': chain } };
  };

const ALL = 'all';

const isAll = (text: string): boolean => isSameText(text, ALL);

/** What a balance may grow by while a question waits. More than this is no interest. */
const MAX_GROWTH = '1.001';

const isGrown = (balance: string, before: string): boolean =>
  compareDecimals(balance, before) >= 0 && compareDecimals(balance, multiplyDecimals(before, MAX_GROWTH)) <= 0;

/**
 * Asks for the amount to take from the chosen position. `all` takes the balance as the service states it then, with the
 * interest of the meantime; any other balance is shown first. The service has no amount for everything, so interest that is
 * added later stays in the position.
 */
export const askPositionAmount =
  (from: ProviderFlag): Ask =>
  async (cli, question, given) => {
    const isChosen = given['asset'] !== undefined && given[from.slice(2)] !== undefined;
    const read = async () => {
      const found = isChosen ? await heldPositions(cli, given, from) : undefined;
      if (found) assertHeld(found.wallet, found.held, given, from);
      return found?.held[0];
    };
    const askFrom = async ({ balance, asset }: HeldPosition, kept: string | undefined): Promise<string> => {
      const isAbove = (text: string) => compareDecimals(plainDecimal(text) ?? text, balance) > 0;
      const problemIn = async (text: string) => {
        if (isAll(text)) return undefined;
        const problem = await question.problemIn?.(text);
        return problem ?? (isAbove(text) ? `is more than the ${balance} ${asset} there` : undefined);
      };
      const initial = kept === undefined || isAbove(kept) ? balance : kept;
      const description = `${question.description}, ${ALL} is ${balance} ${asset} (later interest stays)`;
      const typed = await askText(cli, { ...question, description, initial, room: initial.length, problemIn });
      if (!isAll(typed)) return typed;
      const now = await read();
      if (now === undefined || isGrown(now.balance, balance)) return now?.balance ?? balance;
      return askFrom(now, undefined);
    };
    const found = await read();
    return found === undefined ? askText(cli, question) : askFrom(found, question.initial);
  };
