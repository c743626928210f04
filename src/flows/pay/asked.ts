import { assetNamed, findChain, type Network, nameOfAsset, networkFor } from '../../chain/evm/network.ts';
import type { PlannedOutflow } from '../../chain/review/check-policy.ts';
import { isDecimal } from '../../core/decimal.ts';
import type { Failure } from '../../core/failure.ts';
import { isSameText } from '../../core/text.ts';
import type { Io } from '../../io/io.ts';
import type { PaymentIntent, StepIntent } from '../../journal/intents.ts';
import { type OperationStart, withOperation } from '../../journal/operation.ts';
import type { PolicyGate } from '../policy/gate.ts';
import { keepingRefusal } from '../policy/key-policy.ts';

const leaving = (token: string, amount: string) => (isDecimal(amount) ? { token, amount } : undefined);

/** Whether the registry has the chain and a token of this name on it. */
const isBuiltIn = ({ kind }: Network, name: string, token: PlannedOutflow['token']): boolean => {
  const chain = findChain(networkFor(kind), name);
  if (chain === undefined || token === undefined) return chain !== undefined;
  const own = assetNamed(chain, token.token);
  const address = own?.kind === 'token' ? own.address : undefined;
  return own !== undefined && isSameText(address ?? '', token.address ?? '');
};

/** The outflow of a payment for the policy check. The name of an unregistered token is not used. */
export const askedOf = (intent: PaymentIntent, network: Network): PlannedOutflow => {
  const { chain: name, currency, amount, payer } = intent;
  const chain = findChain(network, name);
  const asset = chain && assetNamed(chain, intent.token);
  const token = asset && { token: nameOfAsset(asset), ...(asset.kind === 'token' && { address: asset.address }) };
  const spent = isSameText(currency, intent.token) ? leaving(intent.token, amount) : undefined;
  return {
    chain: name,
    token,
    outflow: spent && token && { ...spent, ...token },
    recipients: intent.receivers.map(({ wallet }) => wallet).filter((wallet) => !isSameText(wallet, payer)),
    payer,
    isOfProfile: !isBuiltIn(network, name, token),
  };
};

/** The outflow of a payment that is only registered: payer, token and chain are not known yet. */
export const askedOfRegistered = (intent: StepIntent & { operation: 'register' }): PlannedOutflow => ({
  outflow: leaving(intent.currency, intent.amount),
  recipients: intent.receivers.map(({ wallet }) => wallet),
});

/** Throws a refusal that the journal records. */
export const keepRefusal = (operation: Parameters<typeof keepingRefusal>[0], refusal: Failure | undefined) =>
  keepingRefusal(operation, undefined, async () => {
    if (refusal) throw refusal;
  });

/**
 * Checks a request against the policy before anything starts. A refusal is recorded as an operation of its own. Throws
 * `refused_by_review`.
 */
export const assertAsked = async (
  io: Io,
  gate: PolicyGate | undefined,
  asked: PlannedOutflow,
  beginning: OperationStart,
): Promise<void> => {
  const refusal = await gate?.refusalOf(asked);
  if (refusal) await withOperation(io, beginning, (operation) => keepRefusal(operation, refusal));
};
