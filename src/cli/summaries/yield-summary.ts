import { isJsonObject, listAt, textAt, valueAt } from '../../core/json.ts';
import { WIRE_ID } from '../../core/wire-names.ts';
import { toneOf } from '../../output/render.ts';
import { capitalized, type Fact, type Summary } from '../../output/summary.ts';
import { nounOf } from '../operations/in-words.ts';
import { serviceInWords } from '../prompt/confirming.ts';

const positions = (data: unknown): readonly Fact[] =>
  listAt(data, 'positions').map((one) => [
    textAt(one, 'provider') ?? 'position',
    `${textAt(one, 'before') ?? 'unknown'} → ${textAt(one, 'after') ?? 'unknown'}`,
  ]);

/** The result of a yield operation. */
export const yieldSummary = (data: unknown): Summary | undefined => {
  const [status, action] = [textAt(data, 'status'), textAt(data, 'operation')];
  if (status === undefined || action === undefined) return undefined;
  const amount = [textAt(data, 'amount'), textAt(data, 'asset')].filter(Boolean).join(' ');
  const [profile, kind] = [textAt(data, 'profile') ?? '', textAt(data, 'kind') ?? ''];
  const fee = textAt(data, 'fee_at_most');
  return {
    tone: toneOf(status),
    headline: `${capitalized(nounOf(action))}${amount && ` of ${amount}`} on ${textAt(data, 'chain_name')}: ${status}`,
    facts: [
      ...positions(data),
      ['wallet', textAt(data, 'wallet')],
      ['fee', fee && `at most ${fee}`],
      ['service', kind && serviceInWords({ profile, kind })],
      ...listAt(data, 'transaction_hashes').map((hash): Fact => ['hash', String(hash)]),
      ['operation', textAt(data, WIRE_ID)],
    ],
  };
};

/** The fields with unsigned transactions. */
const BYTES: readonly string[] = ['transaction', 'transactions'];

/** An operation that was built after questions. Its bytes are for programs: the next command builds them again. */
export const builtSummary = (what: string, data: unknown): Summary | undefined => {
  if (!isJsonObject(data)) return undefined;
  const others = Object.keys(data).filter((name) => !BYTES.includes(name));
  return {
    tone: 'open',
    headline: `Built, not signed: ${what}`,
    facts: [
      ...others.map((name): Fact => [name.replaceAll('_', ' '), textAt(data, name)]),
      ['transaction', 'not shown and not stored; the equivalent command with --json prints it'],
    ],
  };
};

const isNothing = (earning: unknown): boolean =>
  textAt(earning, 'earnings_status') === 'ok' && Number(textAt(earning, 'position_on_protocol') ?? 'none') === 0;

const unique = (earnings: readonly unknown[], field: string): string =>
  [...new Set(earnings.map((one) => textAt(one, field)))].filter(Boolean).join(', ');

/** A wallet without any deposit, in place of a table of zeros. `undefined` if any position is unknown. */
export const nothingDepositedSummary = (data: unknown): Summary | undefined => {
  const earnings = listAt(data, 'earnings');
  if (earnings.length === 0 || !earnings.every(isNothing)) return undefined;
  return {
    tone: 'open',
    headline: `Nothing is deposited with ${unique(earnings, 'provider')}`,
    facts: [
      ['tokens', unique(earnings, 'asset')],
      ['wallet', unique(earnings, 'wallet')],
    ],
  };
};

const rate = (one: unknown): string =>
  `${textAt(one, 'apy_percent')} % a year${valueAt(one, 'with_rewards') === true ? ', rewards included' : ''}`;

/** The strategy with the highest yield of a token, and the alternatives. */
export const bestSummary = (data: unknown): Summary | undefined => {
  const [asset, provider] = [textAt(data, 'asset'), textAt(data, 'provider')];
  if (asset === undefined || provider === undefined) return undefined;
  return {
    tone: 'good',
    headline: `${asset} yields most with ${provider}: ${rate(data)}`,
    facts: [
      ['protocol', textAt(data, 'protocol_display_name')],
      ...listAt(data, 'alternatives').map(
        (one): Fact => [
          'alternative',
          `${textAt(one, 'provider')}, ${textAt(one, 'protocol_display_name')}: ${rate(one)}`,
        ],
      ),
      ['strategy', textAt(data, 'strategy_id')],
    ],
  };
};
