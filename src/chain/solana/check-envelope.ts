import { verifyEd25519 } from '../../core/ed25519.ts';
import { type Check, pass, refuse } from '../verdict.ts';
import { addressBytes } from './address.ts';
import type { Context } from './context.ts';

/** The fee payer is the wallet that was asked for, and the key that will sign. */
export const checkPayer = ({ wallet, signer, statedWallet }: Context): readonly Check[] => {
  if (statedWallet !== undefined && statedWallet !== wallet) {
    return [refuse('fee_payer', `Its fee payer is ${wallet}, and ${statedWallet} was asked for.`)];
  }
  if (signer === undefined) return [pass('fee_payer', `Its fee payer is ${wallet}.`)];
  if (signer !== wallet) return [refuse('fee_payer', `Its fee payer is ${wallet}, and the key is that of ${signer}.`)];
  return [pass('fee_payer', `Its fee payer is ${wallet}, the address of the key.`)];
};

const isSignedBy = (address: string, bytes: Uint8Array, signature: Uint8Array): boolean =>
  verifyEd25519(bytes, signature, addressBytes(address));

const isZero = (signature: Uint8Array): boolean => signature.every((byte) => byte === 0);

/** Everybody else who must sign has signed these bytes: nobody can ask for more with a signature that comes later. */
export const checkSignatures = ({ unsigned }: Context): readonly Check[] => {
  const { message, messageBytes, signatures } = unsigned;
  const others = message.addresses.slice(1, message.signers);
  const own = signatures[0];
  const wrong = others.flatMap((address, at) => {
    const signature = signatures[at + 1];
    if (signature === undefined || isZero(signature)) {
      return [refuse('signatures', `${address} must sign it as well, and has not.`)];
    }
    if (isSignedBy(address, messageBytes, signature)) return [];
    return [refuse('signatures', `The signature of ${address} is not one of this transaction.`)];
  });
  const isOwnWrong = own !== undefined && !isZero(own) && !isSignedBy(message.addresses[0] ?? '', messageBytes, own);
  const all = isOwnWrong
    ? [refuse('signatures', 'It carries a signature of the fee payer that is not one of this transaction.'), ...wrong]
    : wrong;
  if (all.length > 0) return all;
  const says = others.length === 0 ? 'Nobody else has to sign it.' : `Signed already by ${others.join(' and ')}.`;
  return [pass('signatures', says)];
};

/** What lookup tables bring in is known, and brings in nothing twice. */
export const checkTables = ({ resolved, unsigned }: Context): readonly Check[] => {
  const { unresolved, twice } = resolved;
  if (unresolved.length > 0) {
    const says = `It takes accounts from the lookup table ${unresolved.join(' and ')}, which only a node can read.`;
    return [refuse('lookup_tables', `${says} Without --rpc-url it cannot be judged.`)];
  }
  if (twice !== undefined) return [refuse('lookup_tables', `A lookup table brings in ${twice}, which it has already.`)];
  if (unsigned.message.lookups.length === 0) return [];
  return [pass('lookup_tables', 'Its lookup tables were read from the chain.')];
};
