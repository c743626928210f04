import { SOLANA_GENESIS } from '../../src/contract/chains.ts';
import { GENESIS_MS } from './evm-chain.ts';
import type { Account } from './solana-accounts.ts';
import type { Commitment, SolanaChain } from './solana-chain.ts';
import { execute, parsed, readSolana } from './solana-runtime.ts';

/** A JSON-RPC error. */
export type NodeError = { readonly code: number; readonly message: string; readonly data?: object };

type Answer = { readonly result: unknown } | { readonly error: NodeError };

type Options = {
  readonly commitment?: Commitment;
  readonly preflightCommitment?: Commitment;
  readonly replaceRecentBlockhash?: boolean;
  readonly accounts?: { readonly addresses: readonly string[] };
};

const PREFLIGHT = -32_002;
const SIGNATURE = -32_003;
const PARAMETERS = -32_602;

const accountView = (account: Account | undefined): object | null =>
  account === undefined
    ? null
    : { ...account, lamports: Number(account.lamports), data: [account.data.toString('base64'), 'base64'] };

const preflight = (message: string, err: unknown): Answer => ({
  error: { code: PREFLIGHT, message: `Transaction simulation failed: ${message}`, data: { err } },
});

/** A JSON-RPC node that lags behind the chain by `lag` milliseconds. Without a commitment it answers for final blocks. */
export const newSolanaNode = (chain: SolanaChain, lag: number) => {
  const simulated = (raw: string, bank: number, { replaceRecentBlockhash, accounts }: Options) => {
    const transaction = parsed(raw);
    const isKnown = replaceRecentBlockhash === true || chain.isAlive(transaction.blockhash, bank);
    if (!isKnown) return { err: 'BlockhashNotFound', accounts: null };
    const ran = execute(chain.accountsAt(bank), transaction);
    if (ran.error) return { err: ran.error, accounts: null };
    return {
      err: null,
      accounts: (accounts?.addresses ?? []).map((address) => accountView(ran.accounts.get(address))),
    };
  };
  const send = (raw: string, head: number, bank: number): Answer => {
    try {
      readSolana(raw);
    } catch (error) {
      const { message } = error as Error;
      return { error: { code: /signature/.test(message) ? SIGNATURE : PARAMETERS, message } };
    }
    const sent = readSolana(raw);
    if (chain.statusAt(head, sent.hash))
      return preflight('This transaction has already been processed', 'AlreadyProcessed');
    const { err } = simulated(raw, bank, {});
    if (err === 'BlockhashNotFound') return preflight('Blockhash not found', err);
    if (err) return preflight('Error processing Instruction', err);
    return { result: chain.accept(raw).hash };
  };
  return (method: string, params: readonly unknown[], now: number): Answer => {
    const [first, second = {}] = params as readonly [unknown, Options?];
    const time = now - lag;
    const bankOf = (commitment: Commitment | undefined): number => chain.bankAt(time, commitment ?? 'finalized');
    const head = chain.headAt(time);
    const bank = bankOf(second.commitment);
    switch (method) {
      case 'getGenesisHash':
        return { result: SOLANA_GENESIS.live };
      case 'isBlockhashValid':
        return { result: { context: { slot: bank }, value: chain.isAlive(String(first), bank) } };
      case 'getSlot':
        return { result: bankOf((first as Options | undefined)?.commitment) };
      case 'getBlockTime':
        return { result: Math.floor((GENESIS_MS + chain.timeOf(Number(first))) / 1000) };
      case 'getMultipleAccounts': {
        const accounts = chain.accountsAt(bank);
        return {
          result: {
            context: { slot: bank },
            value: (first as string[]).map((address) => accountView(accounts.get(address))),
          },
        };
      }
      case 'getSignatureStatuses': {
        const value = (first as string[]).map((hash) => {
          const found = chain.statusAt(head, hash);
          return found ? { slot: found.slot, err: found.error ?? null, confirmationStatus: found.commitment } : null;
        });
        return { result: { context: { slot: head }, value } };
      }
      case 'simulateTransaction':
        return { result: { context: { slot: bank }, value: simulated(String(first), bank, second) } };
      case 'sendTransaction':
        return send(String(first), head, bankOf(second.preflightCommitment));
      default:
        return { error: { code: -32_601, message: `the method ${method} does not exist` } };
    }
  };
};
