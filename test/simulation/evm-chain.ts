import { Transaction } from 'ethers';

/** A signed transaction as the chain reads it. Each distinct text is recovered once. */
export type Sent = {
  readonly raw: string;
  readonly hash: string;
  readonly from: string;
  readonly to: string;
  readonly nonce: number;
  readonly chainId: number;
  readonly value: bigint;
  readonly data: string;
  readonly maxFee: bigint;
};

const recovered = new Map<string, Sent>();

/** Reads raw bytes. Throws for bytes that are no signed transaction. */
export const readSent = (raw: string): Sent => {
  const known = recovered.get(raw);
  if (known) return known;
  const { hash, from, to, nonce, chainId, value, data, maxFeePerGas, gasLimit } = Transaction.from(raw);
  if (hash === null || from === null || to === null) throw new Error('no signed transaction with a receiver');
  const sent: Sent = {
    ...{ raw, hash, from: from.toLowerCase(), to: to.toLowerCase(), nonce, chainId: Number(chainId), value },
    ...{ data: data.toLowerCase(), maxFee: (maxFeePerGas ?? 0n) * gasLimit },
  };
  recovered.set(raw, sent);
  return sent;
};

export const BLOCK_MS = 2_000;

/** The block of the virtual time 0. The chain is thirty days older than the life. */
const FIRST_BLOCK = (30 * 24 * 60 * 60_000) / BLOCK_MS;

/** A transaction of somebody else, which each block has, by the number of the block. */
const othersHash = (block: number): string => `0xffffffff${block.toString(16).padStart(56, '0')}`;

/** A block that is this deep stays. Younger blocks may be replaced. */
export const FINAL_DEPTH = 32;

/** A token transfer that took effect. */
export type Effect = Pick<Sent, 'hash' | 'from' | 'nonce'> & {
  readonly token: string;
  readonly to: string;
  readonly units: bigint;
};

type Mined = { readonly sent: Sent; readonly block: number; readonly isGood: boolean };

const TRANSFER = '0xa9059cbb';

/** The receiver and the units of an ERC-20 transfer. */
const transferIn = ({ data }: Pick<Sent, 'data'>): { readonly to: string; readonly units: bigint } | undefined =>
  data.startsWith(TRANSFER) && data.length === 138
    ? { to: `0x${data.slice(34, 74)}`, units: BigInt(`0x${data.slice(74)}`) }
    : undefined;

/** Replays mined transactions: nonces and balances are a projection of the chain. */
type Ledger = {
  readonly nonces: Map<string, number>;
  readonly tokens: Map<string, bigint>;
};

/**
 * An EVM chain: nonces, a pool, blocks by time, reverts, replaced blocks. A block has the number of its time, and empty
 * blocks take no memory.
 */
export const newEvmChain = (id: number, funds: ReadonlyMap<string, bigint>) => {
  const mined: Mined[] = [];
  const pool = new Map<string, Sent>();
  const headAt = (now: number): number => FIRST_BLOCK + Math.floor(now / BLOCK_MS);

  /** The state after a block. */
  const ledgerAt = (block: number): Ledger => {
    const ledger: Ledger = { nonces: new Map(), tokens: new Map(funds) };
    for (const { sent, block: of, isGood } of mined) {
      if (of > block) continue;
      ledger.nonces.set(sent.from, sent.nonce + 1);
      if (isGood) move(ledger.tokens, sent);
    }
    return ledger;
  };
  const keyOf = (token: string, owner: string): string => `${token} ${owner}`;
  const canMove = (tokens: Ledger['tokens'], { from, to: token, data }: Sent): boolean => {
    const transfer = transferIn({ data });
    return transfer !== undefined && (tokens.get(keyOf(token, from)) ?? 0n) >= transfer.units;
  };
  const move = (tokens: Ledger['tokens'], { from, to: token, data }: Sent): void => {
    const transfer = transferIn({ data });
    if (!transfer) return;
    const { to, units } = transfer;
    tokens.set(keyOf(token, from), (tokens.get(keyOf(token, from)) ?? 0n) - units);
    tokens.set(keyOf(token, to), (tokens.get(keyOf(token, to)) ?? 0n) + units);
  };
  const nonceAt = (block: number, from: string): number => ledgerAt(block).nonces.get(from) ?? 0;

  return {
    id,
    headAt,
    finalAt: (now: number): number => headAt(now) - FINAL_DEPTH,
    /** Adds bytes to the pool. Throws with the text of a node for bytes that it refuses. */
    accept: (raw: string, now: number): Sent => {
      const sent = readSent(raw);
      if (sent.chainId !== id) throw new Error('invalid chain id');
      if (mined.some((each) => each.sent.hash === sent.hash) || pool.has(sent.hash)) throw new Error('already known');
      if (sent.nonce < nonceAt(headAt(now), sent.from)) throw new Error('nonce too low');
      const rival = [...pool.values()].find(({ from, nonce }) => from === sent.from && nonce === sent.nonce);
      if (rival) {
        if (sent.maxFee <= rival.maxFee) throw new Error('replacement transaction underpriced');
        pool.delete(rival.hash);
      }
      pool.set(sent.hash, sent);
      return sent;
    },
    /** Puts what can be executed into the block of this time. */
    mine: (now: number): readonly Mined[] => {
      const block = headAt(now);
      const ledger = ledgerAt(block);
      const added: Mined[] = [];
      for (const sent of [...pool.values()].toSorted((a, b) => a.nonce - b.nonce)) {
        if (sent.nonce !== (ledger.nonces.get(sent.from) ?? 0)) continue;
        const isGood = canMove(ledger.tokens, sent);
        if (isGood) move(ledger.tokens, sent);
        ledger.nonces.set(sent.from, sent.nonce + 1);
        pool.delete(sent.hash);
        added.push({ sent, block, isGood });
      }
      mined.push(...added);
      return added;
    },
    /** A transaction from elsewhere takes the next nonce of a wallet, so that what was signed with it can never land. */
    useNonce: (from: string, now: number): void => {
      const nonce = nonceAt(headAt(now), from);
      const sent = {
        raw: '',
        hash: othersHash(headAt(now)),
        from,
        to: from,
        nonce,
        chainId: id,
        value: 0n,
        data: '',
        maxFee: 0n,
      };
      mined.push({ sent, block: headAt(now), isGood: false });
    },
    isWaiting: () => pool.size > 0,
    /** Replaces young blocks: their transactions are in the pool again. Returns how many. */
    reorganise: (now: number, depth: number): number => {
      const from = headAt(now) - Math.min(depth, FINAL_DEPTH - 1);
      const lost = mined.filter(({ block }) => block > from);
      for (const each of lost) {
        mined.splice(mined.indexOf(each), 1);
        pool.set(each.sent.hash, each.sent);
      }
      return lost.length;
    },
    nonceAt,
    /** The next nonce, after what is in the pool. */
    pendingNonce: (now: number, from: string): number => {
      let nonce = nonceAt(headAt(now), from);
      const waiting = new Set([...pool.values()].filter((each) => each.from === from).map((each) => each.nonce));
      while (waiting.has(nonce)) nonce += 1;
      return nonce;
    },
    balanceAt: (block: number, token: string, owner: string): bigint =>
      ledgerAt(block).tokens.get(keyOf(token.toLowerCase(), owner.toLowerCase())) ?? 0n,
    receiptAt: (block: number, hash: string): Mined | undefined =>
      mined.find((each) => each.sent.hash === hash && each.block <= block),
    inPool: (hash: string): Sent | undefined => pool.get(hash),
    transactionsOf: (block: number): readonly string[] => [
      othersHash(block),
      ...mined.filter((each) => each.block === block).map(({ sent }) => sent.hash),
    ],
    /** The transfers that took effect. */
    effects: (): readonly Effect[] =>
      mined.flatMap(({ sent, isGood }) => {
        const transfer = isGood ? transferIn(sent) : undefined;
        return transfer ? [{ hash: sent.hash, from: sent.from, nonce: sent.nonce, token: sent.to, ...transfer }] : [];
      }),
    /** Whether bytes can never take effect: they reverted, or another transaction used their nonce, in a final block. */
    isDead: (sent: Sent, now: number): boolean => {
      const final = headAt(now) - FINAL_DEPTH;
      const own = mined.find((each) => each.sent.hash === sent.hash);
      if (own) return !own.isGood && own.block <= final;
      return nonceAt(final, sent.from) > sent.nonce;
    },
  };
};

export type EvmChain = ReturnType<typeof newEvmChain>;

const hex = (value: number | bigint): string => `0x${value.toString(16)}`;

const word = (value: bigint): string => `0x${value.toString(16).padStart(64, '0')}`;

const topic = (address: string): string => `0x${address.slice(2).padStart(64, '0')}`;

const TRANSFERRED = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';

/** Enough of the coin for any fee. */
const COIN_UNITS = 10n ** 20n;

type Params = readonly unknown[];
type Calls = readonly Readonly<Record<string, string>>[];

/** A node of the chain that is some blocks behind it. Answers JSON-RPC; throws with the text of its error. */
export const newNode = (chain: EvmChain, lag: number) => {
  const headOf = (now: number): number => chain.headAt(now) - lag;
  const blockOf = (tag: unknown, now: number): number => {
    if (tag === 'finalized') return chain.finalAt(now) - lag;
    return typeof tag === 'string' && tag.startsWith('0x') ? Number(tag) : headOf(now);
  };
  const looked = (now: number, { to, data }: { readonly to: string; readonly data: string }): string =>
    word(chain.balanceAt(headOf(now), to, `0x${data.slice(-40)}`));
  const simulated = (now: number, calls: Calls) => {
    const [own] = calls.filter(({ input = '' }) => input.startsWith(TRANSFER));
    const transfer = own && transferIn({ data: (own['input'] ?? '').toLowerCase() });
    let isDone = false;
    return calls.map((call) => {
      const [from, to, input] = [call['from'] ?? '', call['to'] ?? '', call['input'] ?? ''].map((text) =>
        text.toLowerCase(),
      ) as [string, string, string];
      if (call !== own) {
        const owner = `0x${input.slice(-40)}`;
        const before = chain.balanceAt(headOf(now), to, owner);
        const isSpent =
          isDone && transfer && own && to === (own['to'] ?? '').toLowerCase() && owner === own['from']?.toLowerCase();
        return { status: '0x1', returnData: word(isSpent ? before - transfer.units : before), logs: [] };
      }
      isDone = true;
      if (!transfer || chain.balanceAt(headOf(now), to, from) < transfer.units) {
        return { status: '0x0', returnData: '0x', logs: [], error: { message: 'execution reverted' } };
      }
      const log = { address: to, topics: [TRANSFERRED, topic(from), topic(transfer.to)], data: word(transfer.units) };
      return { status: '0x1', returnData: word(1n), logs: [log] };
    });
  };
  return (method: string, params: Params, now: number): unknown => {
    const [first, second] = params;
    switch (method) {
      case 'eth_chainId':
        return hex(chain.id);
      case 'eth_getTransactionCount': {
        const from = String(first).toLowerCase();
        return hex(
          second === 'pending' && lag === 0 ? chain.pendingNonce(now, from) : chain.nonceAt(blockOf(second, now), from),
        );
      }
      case 'eth_getBalance':
        return hex(COIN_UNITS);
      case 'eth_call':
        return looked(now, first as { readonly to: string; readonly data: string });
      case 'eth_simulateV1': {
        const { blockStateCalls } = first as { readonly blockStateCalls: readonly { readonly calls: Calls }[] };
        return [{ calls: simulated(now, blockStateCalls[0]?.calls ?? []) }];
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
        if (found) return { hash: first, blockNumber: hex(found.block) };
        return lag === 0 && chain.inPool(String(first)) ? { hash: first, blockNumber: null } : null;
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

/** The virtual time 0, in milliseconds since 1970. */
export const GENESIS_MS = Date.UTC(2026, 0, 1);
