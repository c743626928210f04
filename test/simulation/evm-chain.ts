import { Transaction } from 'ethers';
import {
  balanceIn,
  type Call,
  type CallResult,
  COIN,
  execute,
  type Fees,
  type Ledger,
  payFee,
  REVERTED,
  transferIn,
  ZERO_ADDRESS,
} from './evm-ledger.ts';

/** A signed transaction as the chain reads it. */
export type SignedTransaction = Call &
  Fees & {
    readonly raw: string;
    readonly hash: string;
    readonly nonce: number;
    readonly chainId: number;
    readonly gasLimit: bigint;
  };

const recovered = new Map<string, SignedTransaction>();

/** More than the number of transactions in a life. */
const MAX_RECOVERED = 1_000;

/** Throws with the message of a node. */
const parsed = (raw: string): Transaction => {
  try {
    return Transaction.from(raw);
  } catch {
    throw new Error('failed to decode the transaction');
  }
};

/** Reads raw bytes; each distinct text is parsed once. Throws if the bytes are no signed transaction. */
export const readSent = (raw: string): SignedTransaction => {
  const known = recovered.get(raw);
  if (known) return known;
  const { hash, from, to, nonce, chainId, value, data, gasLimit, maxFeePerGas, maxPriorityFeePerGas } = parsed(raw);
  if (hash === null || from === null || to === null) throw new Error('no signed transaction with a receiver');
  const sent: SignedTransaction = {
    ...{ raw, hash, from: from.toLowerCase(), to: to.toLowerCase(), nonce, chainId: Number(chainId), value },
    ...{ data: data.toLowerCase(), gasLimit, maxFee: maxFeePerGas ?? 0n, tip: maxPriorityFeePerGas ?? 0n },
  };
  if (recovered.size > MAX_RECOVERED) recovered.clear();
  recovered.set(raw, sent);
  return sent;
};

export const BLOCK_MS = 2_000;

/** The block at virtual time 0. The chain is thirty days older than the life. */
const FIRST_BLOCK = (30 * 24 * 60 * 60_000) / BLOCK_MS;

/** The hash of the transaction of another account that each block has. */
const othersHash = (block: number): string => `0xffffffff${block.toString(16).padStart(56, '0')}`;

/** A block at this depth is final. Newer blocks may be replaced. */
export const FINAL_DEPTH = 32;

/** A token transfer that took effect. */
export type Effect = Pick<SignedTransaction, 'hash' | 'from' | 'nonce'> & {
  readonly token: string;
  readonly to: string;
  readonly units: bigint;
};

type MinedTransaction = { readonly sent: SignedTransaction; readonly block: number; readonly isGood: boolean };

/** Whether a node accepts a replacement: go-ethereum needs both fees to be a tenth higher. */
const mayReplace = (next: SignedTransaction, other: SignedTransaction): boolean =>
  next.maxFee * 10n >= other.maxFee * 11n && next.tip * 10n >= other.tip * 11n;

/**
 * An EVM chain with nonces, a pool, blocks by time, fees, reverts and replaced blocks. The number of a block follows from its
 * time, so that empty blocks take no memory. `funds` are the first balances by `TOKEN OWNER` or `coin OWNER`.
 */
export const newEvmChain = (id: number, funds: ReadonlyMap<string, bigint>) => {
  const tokens = new Set([...funds.keys()].map((key) => key.split(' ')[0] ?? '').filter((asset) => asset !== COIN));
  const mined: MinedTransaction[] = [];
  const pool = new Map<string, SignedTransaction>();
  const headAt = (now: number): number => FIRST_BLOCK + Math.floor(now / BLOCK_MS);

  const mineInto = (ledger: Ledger, sent: SignedTransaction): boolean => {
    payFee(ledger, sent);
    ledger.nonces.set(sent.from, sent.nonce + 1);
    return execute(ledger, tokens, sent).isGood;
  };
  /** The state after a block. */
  const ledgerAt = (block: number): Ledger => {
    const ledger: Ledger = { nonces: new Map(), balances: new Map(funds) };
    for (const { sent, block: own } of mined) if (own <= block) mineInto(ledger, sent);
    return ledger;
  };
  const nonceAt = (block: number, from: string): number => ledgerAt(block).nonces.get(from) ?? 0;

  return {
    id,
    headAt,
    finalAt: (now: number): number => headAt(now) - FINAL_DEPTH,
    /** Adds bytes to the pool. Throws with the message of a node if the pool refuses the bytes. */
    accept: (raw: string, now: number): SignedTransaction => {
      const sent = readSent(raw);
      if (sent.chainId !== id) throw new Error('invalid chain id');
      if (pool.has(sent.hash)) throw new Error('already known');
      const ledger = ledgerAt(headAt(now));
      // This also refuses bytes that are on the chain: a node searches its pool only for their hash.
      if (sent.nonce < (ledger.nonces.get(sent.from) ?? 0)) throw new Error('nonce too low');
      const maxSpent = sent.maxFee * sent.gasLimit + sent.value;
      if (maxSpent > balanceIn(ledger, COIN, sent.from)) throw new Error('insufficient funds for gas * price + value');
      const rival = [...pool.values()].find(({ from, nonce }) => from === sent.from && nonce === sent.nonce);
      if (rival) {
        if (!mayReplace(sent, rival)) throw new Error('replacement transaction underpriced');
        pool.delete(rival.hash);
      }
      pool.set(sent.hash, sent);
      return sent;
    },
    /** Puts executable transactions into the block of this time, the oldest of the pool first. */
    mine: (now: number): readonly MinedTransaction[] => {
      const block = headAt(now);
      const ledger = ledgerAt(block);
      const added: MinedTransaction[] = [];
      const next = (): SignedTransaction | undefined =>
        [...pool.values()].find(({ from, nonce }) => nonce === (ledger.nonces.get(from) ?? 0));
      for (let sent = next(); sent; sent = next()) {
        pool.delete(sent.hash);
        added.push({ sent, block, isGood: mineInto(ledger, sent) });
      }
      mined.push(...added);
      return added;
    },
    /** A transaction from elsewhere uses the next nonce of a wallet, so that other bytes with this nonce never land. */
    useNonce: (from: string, now: number): void => {
      const nonce = nonceAt(headAt(now), from);
      const hash = `0xeeeeeeee${nonce.toString(16).padStart(56, '0')}`;
      const sent = {
        ...{ raw: '', hash, from, to: from, nonce, chainId: id, value: 0n, data: '' },
        ...{ maxFee: 0n, tip: 0n, gasLimit: 0n },
      };
      mined.push({ sent, block: headAt(now), isGood: false });
    },
    isWaiting: () => pool.size > 0,
    /** Replaces the newest blocks. Their transactions return to the pool; returns their number. */
    reorganise: (now: number, depth: number): number => {
      const from = headAt(now) - Math.min(depth, FINAL_DEPTH - 1);
      const lost = mined.filter(({ block }) => block > from);
      for (const entry of lost) {
        mined.splice(mined.indexOf(entry), 1);
        pool.set(entry.sent.hash, entry.sent);
      }
      return lost.length;
    },
    nonceAt,
    /** The next nonce after the transactions in the pool. */
    pendingNonce: (now: number, from: string): number => {
      let nonce = nonceAt(headAt(now), from);
      const waiting = new Set([...pool.values()].filter((sent) => sent.from === from).map((sent) => sent.nonce));
      while (waiting.has(nonce)) nonce += 1;
      return nonce;
    },
    balanceAt: (block: number, asset: string, owner: string): bigint =>
      balanceIn(ledgerAt(block), asset.toLowerCase(), owner.toLowerCase()),
    /** Executes calls one after another on a copy of the state after a block. */
    callsAt: (block: number, calls: readonly Call[]): readonly CallResult[] => {
      const ledger = ledgerAt(block);
      return calls.map((call) => execute(ledger, tokens, call));
    },
    receiptAt: (block: number, hash: string): MinedTransaction | undefined =>
      mined.find((entry) => entry.sent.hash === hash && entry.block <= block),
    inPool: (hash: string): SignedTransaction | undefined => pool.get(hash),
    transactionsOf: (block: number): readonly string[] => [
      othersHash(block),
      ...mined.filter((entry) => entry.block === block).map(({ sent }) => sent.hash),
    ],
    /** The transfers that took effect. */
    effects: (): readonly Effect[] =>
      mined.flatMap(({ sent, isGood }) => {
        const transfer = isGood && tokens.has(sent.to) ? transferIn(sent) : undefined;
        return transfer ? [{ hash: sent.hash, from: sent.from, nonce: sent.nonce, token: sent.to, ...transfer }] : [];
      }),
    /** Whether bytes can never take effect: in a final block they reverted, or another transaction used their nonce. */
    isDead: (sent: SignedTransaction, now: number): boolean => {
      const final = headAt(now) - FINAL_DEPTH;
      const own = mined.find((entry) => entry.sent.hash === sent.hash);
      if (own) return !own.isGood && own.block <= final;
      return nonceAt(final, sent.from) > sent.nonce;
    },
  };
};

export type EvmChain = ReturnType<typeof newEvmChain>;

const hex = (value: number | bigint): string => `0x${value.toString(16)}`;

/** A transaction in the JSON of a node. */
const transactionView = (
  { hash, from, to, data, value, nonce, chainId }: SignedTransaction,
  block: number | undefined,
) => ({
  ...{ hash, from, to, input: data, value: hex(value), nonce: hex(nonce), chainId: hex(chainId) },
  blockNumber: block === undefined ? null : hex(block),
});

type Params = readonly unknown[];
type Request = Readonly<Record<string, string>>;

/** The call in a request, whose data field is `data` or `input`. */
const callIn = ({ from = ZERO_ADDRESS, to = '', data, input = data ?? '0x', value = '0x0' }: Request): Call => ({
  ...{ from: from.toLowerCase(), to: to.toLowerCase(), data: input.toLowerCase(), value: BigInt(value) },
});

const simulatedCall = ({ isGood, returnData, logs }: CallResult): object => ({
  ...{ status: isGood ? '0x1' : '0x0', returnData, logs },
  ...(isGood ? {} : { error: { message: 'execution reverted' } }),
});

/** A JSON-RPC node that lags some blocks behind the chain. Throws with the message of its error. */
export const newNode = (chain: EvmChain, lag: number) => {
  const headOf = (now: number): number => chain.headAt(now) - lag;
  const blockOf = (tag: unknown, now: number): number => {
    if (tag === 'finalized') return chain.finalAt(now) - lag;
    return typeof tag === 'string' && tag.startsWith('0x') ? Number(tag) : headOf(now);
  };
  const nonceOf = (from: string, tag: unknown, now: number): number => {
    if (tag === 'pending' && lag === 0) return chain.pendingNonce(now, from);
    const block = blockOf(tag, now);
    if (block > headOf(now)) throw new Error('header not found');
    return chain.nonceAt(block, from);
  };
  return (method: string, params: Params, now: number): unknown => {
    const [first, second] = params;
    switch (method) {
      case 'eth_chainId':
        return hex(chain.id);
      case 'eth_getTransactionCount':
        return hex(nonceOf(String(first).toLowerCase(), second, now));
      case 'eth_getBalance':
        return hex(chain.balanceAt(blockOf(second, now), COIN, String(first)));
      case 'eth_call': {
        const [called = REVERTED] = chain.callsAt(headOf(now), [callIn(first as Request)]);
        if (!called.isGood) throw new Error('execution reverted');
        return called.returnData;
      }
      case 'eth_simulateV1': {
        const { blockStateCalls } = first as { readonly blockStateCalls: readonly { readonly calls: Request[] }[] };
        const calls = (blockStateCalls[0]?.calls ?? []).map(callIn);
        return [{ calls: chain.callsAt(headOf(now), calls).map(simulatedCall) }];
      }
      case 'eth_getTransactionReceipt': {
        if (String(first).startsWith('0xffffffff')) return { transactionHash: first, status: '0x1' };
        const found = chain.receiptAt(headOf(now), String(first));
        return found
          ? { transactionHash: first, status: found.isGood ? '0x1' : '0x0', blockNumber: hex(found.block) }
          : null;
      }
      case 'eth_getTransactionByHash': {
        const found = chain.receiptAt(headOf(now), String(first));
        const sent = found?.sent ?? (lag === 0 ? chain.inPool(String(first)) : undefined);
        return sent ? transactionView(sent, found?.block) : null;
      }
      case 'eth_getBlockByNumber': {
        const block = blockOf(first, now);
        if (block < 0 || block > headOf(now)) return null;
        const timestamp = hex(Math.floor((GENESIS_MS + (block - FIRST_BLOCK) * BLOCK_MS) / 1000));
        return { number: hex(block), timestamp, transactions: chain.transactionsOf(block) };
      }
      case 'eth_sendRawTransaction':
        return chain.accept(String(first), now).hash;
      default:
        throw new Error(`the method ${method} does not exist`);
    }
  };
};

/** Virtual time 0, in milliseconds since 1970. */
export const GENESIS_MS = Date.UTC(2026, 0, 1);
