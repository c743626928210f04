import { type Client, call, dataOf } from '../../client/call.ts';
import { earnings } from '../../contract/yield/earnings.ts';
import { isDecimal, toUnits } from '../../core/decimal.ts';
import { isUninterrupted } from '../../core/failure.ts';
import { digitsOf } from '../../core/json.ts';
import type { Position } from '../../journal/event.ts';
import type { YieldIntent } from '../../journal/intents.ts';

const readOne = async (client: Client, intent: YieldIntent, provider: string): Promise<Position> => {
  const { wallet, asset, chain } = intent;
  try {
    const envelope = await call(client, earnings, { wallet, asset, provider, chain_name: chain });
    const { earnings: entries } = dataOf(earnings, 'get_earnings_position', envelope);
    const entry = entries.find((each) => each.provider === provider && each.wallet === wallet);
    return { provider, position: entry?.earnings_status === 'ok' ? digitsOf(entry.position_on_protocol) : undefined };
  } catch (error) {
    // Positions are extra information: a failed read must not hide or stop an operation.
    if (!isUninterrupted(error)) throw error;
    return { provider, position: undefined };
  }
};

/** The wallet's positions with the providers of an operation, from the service. */
export const readPositions = async (client: Client, intent: YieldIntent): Promise<readonly Position[]> => {
  const providers = [...new Set([intent.provider_out, intent.provider_in])].filter((each) => each !== undefined);
  const positions: Position[] = [];
  for (const provider of providers) positions.push(await readOne(client, intent, provider));
  return positions;
};

/** More decimals than any token has. */
const DIGITS = 40;

const changeOf = (before: readonly Position[], now: readonly Position[], provider: string): bigint | undefined => {
  const [one, other] = [before, now].map((all) => all.find((each) => each.provider === provider)?.position);
  if (one === undefined || other === undefined || !isDecimal(one) || !isDecimal(other)) return undefined;
  return toUnits(other, DIGITS) - toUnits(one, DIGITS);
};

/** Tolerance for fees and interest: a twentieth of the amount, in either direction. */
const isAbout = (change: bigint | undefined, units: bigint): boolean => {
  if (change === undefined) return false;
  const off = change > units ? change - units : units - change;
  return off * 20n <= units;
};

/** Whether positions changed in the direction and by about the amount of an operation. */
export const hasMoved = (
  { amount, provider_out, provider_in }: YieldIntent,
  before: readonly Position[],
  now: readonly Position[],
): boolean => {
  const units = toUnits(amount, DIGITS);
  const out = provider_out === undefined ? undefined : changeOf(before, now, provider_out);
  const hasLeft = provider_out === undefined || isAbout(out === undefined ? undefined : -out, units);
  const hasCome = provider_in === undefined || isAbout(changeOf(before, now, provider_in), units);
  return hasLeft && hasCome;
};
