import { PublicKey, SystemProgram, type TransactionInstruction } from '@solana/web3.js';
import { Failure } from '../../core/failure.ts';
import type { SandboxClock } from '../clock.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { readSolanaPort, writeSolanaPort } from '../ledger/settings.ts';
import { openSolanaChain, type SolanaChain } from './chain.ts';
import { makeFaucet } from './genesis.ts';
import { buildTransaction, createTokenAccount, mintToChecked } from './instructions.ts';
import { parseTransaction } from './parse.ts';
import { startSolanaRpc } from './rpc/server.ts';
import { solanaStore } from './store.ts';
import { makeVaults, type Provider, type SolanaToken, type Vault } from './tokens.ts';

/** The sandbox's Solana chain and what lives on it. */
export type Solana = Readonly<Awaited<ReturnType<typeof openSolana>>>;

/** Prices repeat after so many: by then the blockhash is another. */
const PRICES = 1000;

/**
 * Opens the chain as it was left, or begins one, with its JSON-RPC; `onRequest` is called for every request of that.
 * Throws `sandbox_unavailable` where litesvm cannot run.
 */
export const openSolana = async (ledger: Ledger, clock: SandboxClock, onRequest: () => void) => {
  const chain = await openSolanaChain(solanaStore(ledger), clock);
  const vaults = makeVaults();
  let built = 0;
  /** Another price of a compute unit at each call: two transactions that are alike are still two. */
  const nextUnitPrice = () => {
    built += 1;
    return 1 + (built % PRICES);
  };
  /** Gives coin or tokens out of nothing; kept when it resolves, with the transaction's signature. Throws `invalid_input` for what cannot be given. */
  const give = (address: string, gifts: readonly Gift[]) => giveOnSolana(chain, address, gifts, nextUnitPrice());
  const airdrop = (address: string, units: bigint) => give(address, [{ token: undefined, units }]);
  const last = await readSolanaPort(ledger);
  const rpc = await startSolanaRpc({ chain, airdrop, last, onRequest });
  if (rpc.port !== last) await writeSolanaPort(ledger, rpc.port);
  return {
    chain,
    /** The markets of each provider and token. */
    vaults,
    vaultOf: (provider: Provider, token: SolanaToken): Vault => {
      const found = vaults.find((vault) => vault.provider === provider && vault.token === token);
      if (!found) throw new Error(`no vault of ${provider} for ${token.symbol}`);
      return found;
    },
    give,
    nextUnitPrice,
    /** The chain's own JSON-RPC, for those who broadcast on their own node. */
    rpc,
    /** Ends the JSON-RPC; resolves when everything that was executed is on the disk. */
    close: async () => {
      await rpc.close();
      await chain.settled();
    },
  };
};

/** The largest amount that an account can hold. */
const MAX = 2n ** 64n - 1n;

/** Something to give: the native coin in lamports, or a token. */
type Gift = { readonly token: SolanaToken | undefined; readonly units: bigint };

const instructionsFor = (faucet: PublicKey, to: PublicKey, { token, units }: Gift): TransactionInstruction[] => {
  if (!token) return [SystemProgram.transfer({ fromPubkey: faucet, toPubkey: to, lamports: units })];
  const mint = new PublicKey(token.mint);
  const { decimals } = token;
  return [createTokenAccount(faucet, to, mint), mintToChecked(faucet, to, { mint, units, decimals })];
};

/**
 * Gives coin or tokens out of nothing, all or none; kept when it resolves, with the transaction's signature. `unitPrice` makes each gift a transaction of its own.
 * Throws `invalid_input` for amounts that the chain cannot count.
 */
const giveOnSolana = async (
  chain: SolanaChain,
  address: string,
  gifts: readonly Gift[],
  unitPrice: number,
): Promise<string> => {
  const faucet = makeFaucet();
  const [payer, to] = [new PublicKey(faucet.bytes), new PublicKey(address)];
  if (gifts.some(({ units }) => units > MAX)) throw new Failure('invalid_input', 'so much cannot be given');
  const bytes = buildTransaction({
    isLegacy: true,
    payer,
    blockhash: chain.slots.latestBlockhash().blockhash,
    instructions: gifts.flatMap((gift) => instructionsFor(payer, to, gift)),
    signers: [faucet],
    unitPrice,
  });
  const parsed = parseTransaction(bytes ?? new Uint8Array(0));
  if (!parsed.ok) throw new Failure('internal', `the sandbox could not fund ${address}: ${parsed.message}`);
  const sent = await chain.send(parsed.transaction);
  if (sent.error === undefined) return parsed.transaction.signature;
  throw new Failure('invalid_input', `so much cannot be given, or not to ${address}: ${JSON.stringify(sent.error)}`);
};
