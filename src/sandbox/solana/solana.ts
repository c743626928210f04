import { PublicKey, SystemProgram, type TransactionInstruction } from '@solana/web3.js';
import { Failure } from '../../core/failure.ts';
import type { SandboxClock } from '../clock.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { readSolanaPort, writeSolanaPort } from '../ledger/settings.ts';
import { openSolanaChain, type SolanaChain } from './chain.ts';
import { makeFaucet } from './genesis.ts';
import { buildTransaction, createTokenAccount, mintToChecked } from './instructions.ts';
import { parseTransaction } from './parse.ts';
import { type RpcOptions, startSolanaRpc } from './rpc/server.ts';
import { solanaStore } from './store.ts';
import { makeVaults, type Provider, type SolanaToken, type Vault } from './tokens.ts';

/** The sandbox's Solana chain, with its vaults, faucet and JSON-RPC. */
export type Solana = Readonly<Awaited<ReturnType<typeof openSolana>>>;

/** `onRequest` is called for each request of the JSON-RPC; `together` runs each of its methods. */
type SolanaHooks = Pick<RpcOptions, 'onRequest' | 'together'>;

/** The number of unit prices before they repeat. By then, the blockhash has changed. */
const PRICES = 1000;

/**
 * Opens the stored chain, or creates one, and starts its JSON-RPC. Throws `sandbox_unavailable` if litesvm cannot run.
 */
export const openSolana = async (ledger: Ledger, clock: SandboxClock, hooks: SolanaHooks) => {
  const chain = await openSolanaChain(solanaStore(ledger), clock);
  const vaults = makeVaults();
  let built = 0;
  /** Returns a different price of a compute unit at each call, so equal transactions get different signatures. */
  const nextUnitPrice = () => {
    built += 1;
    return 1 + (built % PRICES);
  };
  /** Gives new coin or tokens. Resolves with the signature of the transaction. Throws `invalid_input` for impossible gifts. */
  const give = (address: string, gifts: readonly Gift[]) => giveOnSolana(chain, address, gifts, nextUnitPrice());
  const airdrop = (address: string, units: bigint) => give(address, [{ token: undefined, units }]);
  const lastPort = await readSolanaPort(ledger);
  const rpc = await startSolanaRpc({ chain, airdrop, lastPort, ...hooks });
  if (rpc.port !== lastPort) await writeSolanaPort(ledger, rpc.port);
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
    /** The chain's JSON-RPC, for clients that broadcast without the service. */
    rpc,
    /** Stops the JSON-RPC. Resolves when all executed transactions are on the disk. */
    close: async () => {
      await rpc.close();
      await chain.close();
    },
  };
};

/** The largest amount that an account can hold. */
const MAX_UNITS = 2n ** 64n - 1n;

/** An amount of a token in its smallest units; without a token, of the native coin in lamports. */
type Gift = { readonly token: SolanaToken | undefined; readonly units: bigint };

const instructionsFor = (faucet: PublicKey, to: PublicKey, { token, units }: Gift): TransactionInstruction[] => {
  if (!token) return [SystemProgram.transfer({ fromPubkey: faucet, toPubkey: to, lamports: units })];
  const mint = new PublicKey(token.mint);
  const { decimals } = token;
  return [createTokenAccount(faucet, to, mint), mintToChecked(faucet, to, { mint, units, decimals })];
};

/**
 * Gives new coin or tokens, all gifts or none. Resolves with the signature of the stored transaction. A different `unitPrice`
 * makes a different transaction. Throws `invalid_input` for a too large amount or an address that cannot receive.
 */
const giveOnSolana = async (
  chain: SolanaChain,
  address: string,
  gifts: readonly Gift[],
  unitPrice: number,
): Promise<string> => {
  const faucet = makeFaucet();
  const [payer, to] = [new PublicKey(faucet.bytes), new PublicKey(address)];
  if (gifts.some(({ units }) => units > MAX_UNITS)) throw new Failure('invalid_input', 'the amount is too large');
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
  throw new Failure('invalid_input', `cannot fund ${address} with this amount: ${JSON.stringify(sent.error)}`);
};
