import { PublicKey } from '@solana/web3.js';
import { SOLANA } from '../../contract/chains.ts';
import { PROVIDERS } from '../../contract/yield/shared.ts';
import { plainDecimal, toUnits } from '../../core/decimal.ts';
import { messageOf } from '../../core/failure.ts';
import { type Judged, wrongField } from '../handlers/handler.ts';
import type { Services } from '../services.ts';
import { isSolanaKey } from '../solana/balances.ts';
import { findToken, type Provider, type SolanaToken } from '../solana/tokens.ts';
import { isOff } from './strategies.ts';

const right = <T>(value: T): Judged<T> => ({ ok: true, value });

/** All values, or every field that is wrong. */
export const both = <A, B>(a: Judged<A>, b: Judged<B>): Judged<readonly [A, B]> => {
  if (a.ok && b.ok) return right([a.value, b.value]);
  return { ok: false, errors: [a, b].flatMap((each) => (each.ok ? [] : each.errors)) };
};

/** A provider by its name; `field` is where the name stood. */
export const judgeProvider = (field: string, name: string): Judged<Provider> => {
  const found = PROVIDERS.find((provider) => provider === name);
  return found ? right(found) : wrongField(field, `must be ${PROVIDERS.join(' or ')}`);
};

/** Document: "a chain that is not valid or not enabled". */
export const judgeChain = async (services: Services, name: string): Promise<Judged<typeof SOLANA>> => {
  if (name !== SOLANA) return wrongField('chain_name', `must be ${SOLANA}`);
  return (await isOff(services, SOLANA)) ? wrongField('chain_name', `${SOLANA} is switched off`) : right(SOLANA);
};

/** A token by its symbol or mint; `field` is where that stood. */
export const judgeToken = (field: string, name: string): Judged<SolanaToken> => {
  const found = findToken(name);
  return found ? right(found) : wrongField(field, `no provider takes ${name.slice(0, 50)}`);
};

/** A wallet by its address in base58; `field` is where that stood. */
export const judgeWallet = (field: string, text: string): Judged<PublicKey> =>
  isSolanaKey(text) ? right(new PublicKey(text)) : wrongField(field, 'must be a Solana public key');

const MAX_UNITS = 2n ** 63n;

/** An amount in the smallest units of its token. */
export const judgeAmount = (text: string, { decimals, symbol }: SolanaToken): Judged<bigint> => {
  try {
    const units = toUnits(plainDecimal(text) ?? text, decimals);
    if (units === 0n) return wrongField('amount', 'must be more than zero');
    return units < MAX_UNITS ? right(units) : wrongField('amount', `there is not so much ${symbol}`);
  } catch (error) {
    return wrongField('amount', messageOf(error));
  }
};
