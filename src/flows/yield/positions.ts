import { type Client, call, dataOf } from '../../client/call.ts';
import { earnings } from '../../contract/yield/earnings.ts';
import { isFailure } from '../../core/failure.ts';
import { digitsOf } from '../../core/json.ts';
import type { Position, YieldIntent } from '../../journal/yield-entry.ts';

const readOne = async (client: Client, intent: YieldIntent, provider: string): Promise<Position> => {
  const { wallet, asset, chain } = intent;
  try {
    const envelope = await call(client, earnings, { wallet, asset, provider, chain_name: chain });
    const { earnings: entries } = dataOf(earnings, 'get_earnings_position', envelope);
    const entry = entries.find((each) => each.provider === provider && each.wallet === wallet);
    return { provider, position: entry?.earnings_status === 'ok' ? digitsOf(entry.position_on_protocol) : undefined };
  } catch (error) {
    // A position is told beside a movement of money: that it cannot be read must not hide or stop that.
    if (!isFailure(error) || error.code === 'interrupted') throw error;
    return { provider, position: undefined };
  }
};

/** What a wallet has with each provider of an operation, as the service shows it. */
export const readPositions = async (client: Client, intent: YieldIntent): Promise<readonly Position[]> => {
  const providers = [...new Set([intent.provider_out, intent.provider_in])].filter((each) => each !== undefined);
  const positions: Position[] = [];
  for (const provider of providers) positions.push(await readOne(client, intent, provider));
  return positions;
};
