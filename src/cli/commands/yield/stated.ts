import type { Asked } from '../../../chain/solana/context.ts';
import type { Unstated } from '../../../chain/stated.ts';
import { SOLANA } from '../../../contract/solana.ts';
import { plainDecimal } from '../../../core/decimal.ts';
import { Failure } from '../../../core/failure.ts';
import { isSameText } from '../../../core/same-text.ts';
import { unstatedIn, YIELD_WORDS } from '../../../flows/statement.ts';
import { OPERATIONS, type OperationName } from '../../../flows/yield/operation.ts';
import { type FactName, type Statement, statementOf } from '../../../journal/statement.ts';
import type { Body } from '../../body.ts';
import type { Cli } from '../../cli.ts';
import { fieldList, optionsFor } from '../../fields.ts';
import { BODY_OPTION, gatherInput } from '../../gather.ts';
import { type Given, type Option, textOf } from '../../options.ts';

const KINDS = Object.keys(OPERATIONS) as readonly OperationName[];

const FIELDS = fieldList(OPERATIONS.rebalance).map((field) => ({ ...field, isRequired: false }));

/** What a transaction that is signed or sent is for: statements, of which none is sent. */
export const STATEMENT_OPTIONS: readonly Option[] = [
  {
    flag: '--kind',
    value: 'CHOICE',
    choices: KINDS,
    says: 'What the transaction is for: a statement, as the options of that operation are; not sent',
  },
  ...FIELDS.flatMap((field) => optionsFor(field)),
  BODY_OPTION,
];

const text = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);

/** An amount in plain digits: a rebalance may be stated with spaces and an exponent. */
const amountIn = (input: Body): string | undefined => {
  const amount = text(input['amount']);
  return amount === undefined ? undefined : (plainDecimal(amount) ?? amount);
};

/** The facts that an operation of a kind has; of no kind all that could be asked. */
const factsFor = (kind: OperationName | undefined): readonly FactName[] => {
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
    throw new Failure('invalid_input', `nothing was sent: ${names.join(' and ')} say different things`);
  }
  return given[0];
};

const kindIn = (given: Given, input: Body): OperationName | undefined => {
  const kind = textOf(given, 'kind') ?? text(input['kind']);
  return KINDS.find((name) => name === kind);
};

/** A transaction as its user states it: what the review compares, and what nobody stated. */
export type StatedTransaction = {
  readonly asked: Asked | undefined;
  readonly unstated: readonly Unstated[];
  readonly statement: Statement;
};

const providersOf = (kind: OperationName | undefined, input: Body) => {
  const [provider, out, into] = ['provider', 'provider_out', 'provider_in'].map((name) => text(input[name]));
  return {
    provider_out: kind === 'deposit' ? undefined : (out ?? provider),
    provider_in: kind === 'withdraw' ? undefined : (into ?? provider),
  };
};

/**
 * What the options of a command state of a transaction that is at hand as bytes; `wallet` is that of the key that signs,
 * where one does. Throws `invalid_input` for another chain or wallet than the transaction can have.
 */
export const statedTransaction = async (
  cli: Cli,
  given: Given,
  wallet: string | undefined,
): Promise<StatedTransaction> => {
  const input = await gatherInput(cli, [OPERATIONS.rebalance], {}, given);
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
  const { amount, asset, wallet: owner, provider_out: providerOut, provider_in: providerIn } = facts;
  const isCompared = kind !== undefined && amount !== undefined && asset !== undefined && owner !== undefined;
  const missing = factsFor(kind).filter((name) => facts[name as keyof typeof facts] === undefined);
  return {
    asked: isCompared
      ? { kind, wallet: owner, asset, amount, providerOut, providerIn, areFeesUnstated: true }
      : undefined,
    unstated: unstatedIn({}, missing, YIELD_WORDS, 'the transaction'),
    statement: statementOf({ ...facts, chain: SOLANA }, 'options'),
  };
};
