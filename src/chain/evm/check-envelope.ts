import { inSentence } from '../../core/remote-text.ts';
import { type Check, pass, refuse } from '../verdict.ts';
import { type Context, wasSaid } from './context.ts';

/** The chain is the one asked for, and its id is that chain's. */
export const checkChain = ({ unsigned, chain, isKnownChain, expected }: Context): Check => {
  const { chainName, chainId } = unsigned;
  const asked = expected.chainName;
  if (asked !== undefined && asked.toLowerCase() !== chainName.toLowerCase()) {
    return refuse('chain', `It is for ${inSentence(chainName)}, and ${wasSaid(expected, 'chain', asked)}.`);
  }
  if (!isKnownChain) {
    return refuse(
      'chain',
      `The chain ${inSentence(chainName)} is not known here, so its id ${chainId} cannot be checked.`,
    );
  }
  if (chainId !== chain.id) {
    return refuse(
      'chain',
      `It names ${chainName} but is valid on chain ${chainId}; ${chainName} is chain ${chain.id}.`,
    );
  }
  return pass('chain', `It is valid on ${chain.name} (chain ${chain.id}) and nowhere else.`);
};

/** The payer of the transaction is the address that signs. */
export const checkSigner = ({ unsigned, signer }: Context): readonly Check[] => {
  if (signer === undefined) return [];
  if (signer.toLowerCase() !== unsigned.from.toLowerCase()) {
    return [refuse('signer', `It is to be signed by ${unsigned.from}, and the key is that of ${signer}.`)];
  }
  return [pass('signer', `It is to be signed by ${unsigned.from}, the address of the key.`)];
};

/** Of two transactions with one nonce a chain takes only one: both can never be paid, so it is no reason to ask. */
const checkUsed = ({ unsigned, nonceUsedBy }: Context): readonly Check[] => {
  if (nonceUsedBy === undefined) return [];
  const message = `The transaction ${nonceUsedBy} of another payment has its nonce ${unsigned.nonce} and may be sent too`;
  return [pass('nonce', `${message}: the chain takes one of the two.`)];
};

/** The nonce is the payer's next one, where that is known, and no other transaction that may be on its way has it. */
export const checkNonce = (context: Context): readonly Check[] => {
  const { unsigned, expected } = context;
  if (expected.nonce === undefined) return checkUsed(context);
  if (expected.nonce !== unsigned.nonce) {
    return [refuse('nonce', `Its nonce is ${unsigned.nonce}, and the next one of the payer is ${expected.nonce}.`)];
  }
  return [pass('nonce', `Its nonce ${unsigned.nonce} is the next one of the payer.`), ...checkUsed(context)];
};
