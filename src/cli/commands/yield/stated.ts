import type { UnstatedFact } from '../../../chain/review/stated-facts.ts';
import type { RequestedOperation } from '../../../chain/solana/context.ts';
import type { Endpoint } from '../../../contract/define.ts';
import { SOLANA } from '../../../contract/solana.ts';
import { plainDecimal } from '../../../core/decimal.ts';
import { Failure } from '../../../core/failure.ts';
import { isSameText } from '../../../core/same-text.ts';
import { unstatedIn, YIELD_WORDS } from '../../../flows/statement.ts';
import { askedOf, YIELD_ACTIONS, type YieldAction } from '../../../flows/yield/request.ts';
import type { YieldIntent } from '../../../journal/intents.ts';
import { type FactName, type Statement, statementOf } from '../../../journal/statement.ts';
import type { Body } from '../../command/body.ts';
import { BODY_OPTION, buildInput, type InputSpec } from '../../command/build-input.ts';
import { fieldList, optionsFor } from '../../command/fields.ts';
import { type Option, type ParsedArgs, stringArg } from '../../command/options.ts';
import type { CommandContext } from '../../context/context.ts';
import { YIELD_FIELDS } from './options.ts';

const KINDS = Object.keys(YIELD_ACTIONS) as readonly YieldAction[];

const FIELDS = fieldList(YIELD_ACTIONS.rebalance).map((field) => ({ ...field, isRequired: false }));

const KIND_OPTION: Option = {
  flag: '--kind',
  value: 'CHOICE',
  choices: KINDS,
  description: 'What the transaction is for: a statement, as the options of that operation are; not sent',
};

/** What a transaction that is signed is for: statements, of which none is sent. */
export const STATEMENT_OPTIONS: readonly Option[] = [
  KIND_OPTION,
  ...FIELDS.flatMap((field) => optionsFor(field, undefined, YIELD_FIELDS[field.name])),
  BODY_OPTION,
];

/** The same of bytes that are sent: their chain is sent with them, and the body holds them. */
export const SENT_STATEMENT_OPTIONS: readonly Option[] = [
  KIND_OPTION,
  ...FIELDS.filter(({ name }) => name !== 'chain_name').flatMap((field) =>
    optionsFor(field, undefined, YIELD_FIELDS[field.name]),
  ),
];

/** Statements in a body file, and beside an endpoint's own fields. */
export const STATEMENTS: InputSpec = { statements: ['kind'] };

/** The fields of an input that state something, and are no fields of the endpoint that it is sent to. */
export const isStatement = (endpoint: Endpoint, name: string): boolean =>
  (name === 'kind' || FIELDS.some((field) => field.name === name)) &&
  !fieldList(endpoint).some((field) => field.name === name);

const text = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);

/** An amount in plain digits: a rebalance may be stated with spaces and an exponent. */
const amountIn = (input: Body): string | undefined => {
  const amount = text(input['amount']);
  return amount === undefined ? undefined : (plainDecimal(amount) ?? amount);
};

/** The facts that an operation of a kind has; of no kind all that could be asked. */
const factsFor = (kind: YieldAction | undefined): readonly FactName[] => {
  const common = ['amount', 'asset', 'wallet'] as const;
  switch (kind) {
    case 'deposit':
      return [...common, 'provider_in'];
    case 'withdraw':
      return [...common, 'provider_out'];
    case 'rebalance':
      return [...common, 'provider_out', 'provider_in'];
    case undefined:
      return ['operation', 'amount', 'asset', 'wallet'];
    default: {
      const never: never = kind;
      return never;
    }
  }
};

const first = (input: Body, names: readonly string[]): string | undefined => {
  const given = [...new Set(names.flatMap((name) => text(input[name]) ?? []))];
  if (given.length > 1) {
    const named = names.filter((name) => text(input[name]) !== undefined);
    throw new Failure('invalid_input', `nothing was sent: ${named.join(' and ')} say different things`);
  }
  return given[0];
};

const kindIn = (given: ParsedArgs, input: Body): YieldAction | undefined => {
  const kind = stringArg(given, 'kind') ?? text(input['kind']);
  return KINDS.find((name) => name === kind);
};

/** What the user states of one transaction, or of two that belong together. */
export type StatedYield = {
  /**
   * What the review of each compares, by the number of transactions; nothing where too little is stated. `payer` stands for
   * a wallet that is not stated, so that all else is compared.
   */
  readonly askedOf: (count: number, payer: string | undefined) => readonly (RequestedOperation | undefined)[];
  readonly unstated: readonly UnstatedFact[];
  readonly kind: YieldAction | undefined;
  readonly wallet: string | undefined;
  readonly statement: Statement;
};

const providersOf = (kind: YieldAction | undefined, input: Body) => {
  const [provider, out, into] = ['provider', 'provider_out', 'provider_in'].map((name) => text(input[name]));
  switch (kind) {
    case 'deposit':
      return { provider_out: undefined, provider_in: first(input, ['provider', 'provider_in']) };
    case 'withdraw':
      return { provider_out: first(input, ['provider', 'provider_out']), provider_in: undefined };
    case 'rebalance':
    case undefined:
      return { provider_out: out ?? provider, provider_in: into ?? provider };
    default: {
      const never: never = kind;
      return never;
    }
  }
};

type StatedFacts = Pick<YieldIntent, 'provider_out' | 'provider_in'> & {
  readonly [Name in 'operation' | 'amount' | 'asset' | 'wallet']: YieldIntent[Name] | undefined;
};

/** An operation whose transactions can be compared with it. */
const intentOf = ({ operation: action, amount, asset, wallet, ...providers }: StatedFacts): YieldIntent | undefined =>
  action !== undefined && amount !== undefined && asset !== undefined && wallet !== undefined
    ? { operation: action, amount, asset, wallet, chain: SOLANA, ...providers }
    : undefined;

/** Facts that are compared only together. */
const TOGETHER = ['operation', 'amount', 'asset'] as const;

const unstatedOf = (facts: StatedFacts): readonly UnstatedFact[] => {
  const missing = factsFor(facts.operation).filter((name) => facts[name as keyof StatedFacts] === undefined);
  const stated = TOGETHER.filter((name) => facts[name] !== undefined);
  const idle = unstatedIn({}, stated, YIELD_WORDS).map(({ option }) => option.replace(/ .*$/, ''));
  return unstatedIn({}, missing, YIELD_WORDS, 'the transaction').map((each) =>
    TOGETHER.some((name) => name === each.fact) ? { ...each, ignoredOptions: idle } : each,
  );
};

/** What each transaction must do. The answer that stated fees is not at hand. Throws `refused_by_review` for a wrong number. */
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

/**
 * What an input states of transactions that are at hand as bytes; `wallet` is that of the key that signs, where one does.
 * Throws `invalid_input` for another chain or wallet than the transactions can have.
 */
export const statedIn = (given: ParsedArgs, input: Body, wallet: string | undefined): StatedYield => {
  const kind = kindIn(given, input);
  const chain = text(input['chain_name']);
  if (chain !== undefined && !isSameText(chain, SOLANA)) {
    throw new Failure(
      'invalid_input',
      `nothing was sent: --chain-name is ${chain}, and the transaction is for ${SOLANA}`,
    );
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
  return {
    askedOf: (count, payer) => {
      const intent = intentOf({ ...facts, wallet: facts.wallet ?? payer });
      return intent ? askedFor(intent, count) : Array.from({ length: count }, () => undefined);
    },
    unstated: unstatedOf(facts),
    kind,
    wallet: facts.wallet,
    statement: statementOf({ ...facts, chain: SOLANA }, 'options'),
  };
};

/** The same of the options and the body of a command that signs. */
export const statedTransaction = async (
  cli: CommandContext,
  given: ParsedArgs,
  wallet: string | undefined,
): Promise<StatedYield> => statedIn(given, await buildInput(cli, [YIELD_ACTIONS.rebalance], STATEMENTS, given), wallet);
