import { type UnstatedFact, withoutPlaceholder } from '../../../chain/review/check.ts';
import type { RequestedOperation } from '../../../chain/solana/context.ts';
import type { SignedSolana } from '../../../chain/solana/signatures.ts';
import type { Input } from '../../../client/call.ts';
import { SOLANA } from '../../../contract/chains.ts';
import type { Endpoint } from '../../../contract/define.ts';
import { plainDecimal } from '../../../core/decimal.ts';
import { Failure } from '../../../core/failure.ts';
import { inSentence, isSameText } from '../../../core/text.ts';
import { unstatedIn, YIELD_WORDS } from '../../../flows/statement.ts';
import type { SignedElsewhere } from '../../../flows/yield/relay.ts';
import { askedOf, YIELD_ACTIONS, type YieldAction } from '../../../flows/yield/request.ts';
import { YIELD_OPERATIONS, type YieldIntent } from '../../../journal/intents.ts';
import { type FactName, intentStated, type Statement, statementOf } from '../../../journal/statement.ts';
import { BODY_OPTION, buildInput, type InputSpec } from '../../command/build-input.ts';
import type { CommandContext } from '../../command/command.ts';
import { fieldList, optionsFor } from '../../command/fields.ts';
import { type Option, type ParsedArgs, stringArg } from '../../command/options.ts';
import { YIELD_FIELDS } from './context.ts';

const FIELDS = fieldList(YIELD_ACTIONS.rebalance).map((field) => ({ ...field, isRequired: false }));

const KIND_OPTION: Option = {
  flag: '--kind',
  value: 'CHOICE',
  choices: YIELD_OPERATIONS,
  description: 'What the transaction is for: a statement, as the options of that operation are; not sent',
};

const optionsOf = (fields: typeof FIELDS): readonly Option[] => [
  KIND_OPTION,
  ...fields.flatMap((field) => optionsFor(field, undefined, YIELD_FIELDS[field.name])),
];

/** Statements about a transaction to sign. They are not sent. */
export const STATEMENT_OPTIONS: readonly Option[] = [...optionsOf(FIELDS), BODY_OPTION];

/** Statements about signed bytes to send. The request has their chain, and the body has the bytes. */
export const SENT_STATEMENT_OPTIONS = optionsOf(FIELDS.filter(({ name }) => name !== 'chain_name'));

/** Allows statements in a body file next to the fields of the endpoint. */
export const STATEMENTS: InputSpec = { statements: ['kind'] };

/** Whether a field of an input is a statement, and not a field of the endpoint. */
export const isStatement = (endpoint: Endpoint, name: string): boolean =>
  (name === 'kind' || FIELDS.some((field) => field.name === name)) &&
  !fieldList(endpoint).some((field) => field.name === name);

const text = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);

/** The amount in plain digits: a rebalance accepts spaces and an exponent. */
const amountIn = (input: Input): string | undefined => {
  const amount = text(input['amount']);
  const plain = amount === undefined ? undefined : plainDecimal(amount);
  if (amount === undefined || plain !== undefined) return plain;
  const message = 'must be a decimal such as 10 or 10.50';
  throw new Failure('invalid_input', `nothing was sent: --amount ${message}, and is ${inSentence(amount)}`, {
    errors: [{ field: 'amount', message, option: '--amount' }],
  });
};

/** The providers of each kind of operation. */
const PROVIDERS: Readonly<Record<YieldAction, readonly FactName[]>> = {
  deposit: ['provider_in'],
  withdraw: ['provider_out'],
  rebalance: ['provider_out', 'provider_in'],
};

/** The facts of a kind of operation. Without a kind: those of all kinds. */
const factsFor = (kind: YieldAction | undefined): readonly FactName[] =>
  kind ? ['amount', 'asset', 'wallet', ...PROVIDERS[kind]] : ['operation', 'amount', 'asset', 'wallet'];

const first = (input: Input, names: readonly string[]): string | undefined => {
  const given = [...new Set(names.flatMap((name) => text(input[name]) ?? []))];
  if (given.length > 1) {
    const named = names.filter((name) => text(input[name]) !== undefined);
    throw new Failure('invalid_input', `nothing was sent: ${named.join(' and ')} say different things`);
  }
  return given[0];
};

const kindIn = (given: ParsedArgs, input: Input): YieldAction | undefined => {
  const kind = stringArg(given, 'kind') ?? text(input['kind']);
  return YIELD_OPERATIONS.find((name) => name === kind);
};

const providersOf = (kind: YieldAction | undefined, input: Input) => {
  const [provider, out, into] = ['provider', 'provider_out', 'provider_in'].map((name) => text(input[name]));
  const assertNone = (name: string, value: string | undefined, named: string | undefined) => {
    if (value === undefined) return;
    const provider = named === undefined ? '' : `, and its provider is ${named}`;
    const message = `--${name} is ${value}${provider}; only a rebalance has both --provider-out and --provider-in`;
    throw new Failure('invalid_input', `nothing was sent: this is a ${kind}, and ${message}`, {
      errors: [{ field: name.replace('-', '_'), message, option: `--${name}` }],
    });
  };
  switch (kind) {
    case 'deposit':
      assertNone('provider-out', out, into ?? provider);
      return { provider_out: undefined, provider_in: first(input, ['provider', 'provider_in']) };
    case 'withdraw':
      assertNone('provider-in', into, out ?? provider);
      return { provider_out: first(input, ['provider', 'provider_out']), provider_in: undefined };
    case 'rebalance':
    case undefined:
      return { provider_out: out ?? provider, provider_in: into ?? provider };
    default:
      return kind satisfies never;
  }
};

type StatedFacts = Pick<YieldIntent, 'provider_out' | 'provider_in'> & {
  readonly [Name in 'operation' | 'amount' | 'asset' | 'wallet']: YieldIntent[Name] | undefined;
};

/** Facts that can only be compared together. */
const TOGETHER = ['operation', 'amount', 'asset'] as const;

const unstatedOf = (facts: StatedFacts): readonly UnstatedFact[] => {
  const missing = factsFor(facts.operation).filter((name) => facts[name as keyof StatedFacts] === undefined);
  const stated = TOGETHER.filter((name) => facts[name] !== undefined);
  const idle = unstatedIn({}, stated, YIELD_WORDS).map(({ option }) => withoutPlaceholder(option));
  return unstatedIn({}, missing, YIELD_WORDS, 'the transaction').map((each) =>
    TOGETHER.some((name) => name === each.fact) ? { ...each, ignoredOptions: idle } : each,
  );
};

/** The operation of each transaction, with unknown fees. Throws `refused_by_review` for a wrong number. */
const askedFor = (intent: YieldIntent, count: number): readonly RequestedOperation[] => {
  if (count > 1 && intent.operation !== 'rebalance') {
    const message = `nothing was sent: there are ${count} transactions, and a ${intent.operation} is one`;
    throw new Failure('refused_by_review', message, {
      errors: [{ field: 'operation', message, option: '--kind' }],
      namesErrors: true,
    });
  }
  return askedOf(intent, count, []).map((asked) => ({ ...asked, areFeesUnstated: true }));
};

/** What a statement requests of each of `count` transactions; `undefined` if too little is stated to compare. */
export const requestedBy = (
  statement: Statement,
  count: number,
  wallet: string | undefined,
): readonly (RequestedOperation | undefined)[] => {
  const intent = wallet === undefined ? undefined : intentStated(statement, wallet);
  return intent ? askedFor(intent, count) : Array.from({ length: count }, () => undefined);
};

/**
 * The statements of an input about given transactions. `wallet` is that of the key that signs, if any.
 * Throws `invalid_input` for another chain or wallet.
 */
export const statedIn = (given: ParsedArgs, input: Input, wallet: string | undefined) => {
  const kind = kindIn(given, input);
  const chain = text(input['chain_name']);
  if (chain !== undefined && !isSameText(chain, SOLANA)) {
    const message = `--chain-name is ${chain}, and the transaction is for ${SOLANA}`;
    throw new Failure('invalid_input', `nothing was sent: ${message}`);
  }
  const named = first(input, ['wallet', 'signer']);
  if (named !== undefined && wallet !== undefined && named !== wallet) {
    throw new Failure('invalid_input', `nothing was sent: --wallet is ${named}, and the key is that of ${wallet}`);
  }
  const facts = {
    operation: kind,
    amount: amountIn(input),
    asset: first(input, ['asset', 'symbol', 'token_mint', 'mint']),
    wallet: named ?? wallet,
    ...providersOf(kind, input),
  };
  const statement = statementOf({ ...facts, chain: SOLANA }, 'options');
  return {
    /**
     * The operation that the review compares each transaction with; `undefined` if too little is stated. `payer`
     * replaces a wallet without a statement.
     */
    askedOf: (count: number, payer: string | undefined): readonly (RequestedOperation | undefined)[] =>
      requestedBy(statement, count, facts.wallet ?? payer),
    unstated: unstatedOf(facts),
    kind,
    wallet: facts.wallet,
    statement,
  };
};

/** The statements about one transaction, or about two of one operation. */
export type StatedYield = ReturnType<typeof statedIn>;

/** The statements in the options and the body of a command that signs. */
export const statedTransaction = async (cli: CommandContext, given: ParsedArgs, wallet: string | undefined) =>
  statedIn(given, await buildInput(cli, [YIELD_ACTIONS.rebalance], STATEMENTS, given), wallet);

const unreadable = (at: number, count: number): never => {
  const which = count === 1 ? 'this' : `transaction ${at + 1}`;
  throw new Failure('refused_by_review', `nothing was sent: ${which} cannot be read as a signed Solana transaction`, {
    errors: [{ field: 'op_signed', message: 'it must be base64 with every signature', option: '--op-signed' }],
    hint: 'What cannot be read cannot be reviewed. No option lets it pass.',
  });
};

/** Checks that two transactions can be one operation: they need one wallet and different hashes. */
const assertOneOperation = (read: readonly SignedSolana[]): void => {
  const wallets = [...new Set(read.map(({ from }) => from))];
  if (wallets.length > 1) {
    throw new Failure('refused_by_review', `nothing was sent: the transactions are of ${wallets.join(' and ')}`, {
      errors: [{ field: 'op_signed', message: 'must be of one wallet', option: '--op-signed' }],
    });
  }
  if (new Set(read.map(({ hash }) => hash)).size === read.length) return;
  throw new Failure('invalid_input', 'nothing was sent: both transactions are the same', {
    errors: [{ field: 'op_signed', message: 'must be two transactions, not one twice' }],
  });
};

/** Reads the signed transactions with their statements. Throws `refused_by_review` for unreadable bytes. */
export const signedIn = async (input: Input, stated: StatedYield): Promise<readonly SignedElsewhere[]> => {
  const { readSigned } = await import('../../../chain/solana/signatures.ts');
  const texts: readonly unknown[] = [input['op_signed']].flat();
  const read = texts.map((text, at) => readSigned(String(text)) ?? unreadable(at, texts.length));
  assertOneOperation(read);
  const operations = stated.askedOf(texts.length, read[0]?.from);
  const { unstated, wallet } = stated;
  return read.map((signed, at): SignedElsewhere => ({ signed, asked: operations[at], unstated, wallet }));
};
