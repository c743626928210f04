import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { ComputeBudgetProgram, SystemProgram, VersionedMessage } from '@solana/web3.js';
import * as z from 'zod';
import { Failure } from '../../../core/failure.ts';
import { exactNumber } from '../../../core/json.ts';
import { BLOCKHASH_SLOTS, FIRST_SLOT } from '../../assumptions.ts';
import { isOwnHost, isOwnOrigin, listenOn } from '../../http/listen.ts';
import { readBytes } from '../../http/read-input.ts';
import { isWebSocket, openSockets } from '../../http/websocket.ts';
import { answerText, type Dispatch, FAULT, invalidParams, result, TOO_LARGE } from '../../json-rpc.ts';
import { isSolanaAddress } from '../address.ts';
import type { SolanaChain } from '../chain.ts';
import { HISTORY } from './history.ts';
import { atSlot, type Method, READS, withAddress } from './reads.ts';
import { openSubscriptions } from './subscriptions.ts';
import { TRANSACTIONS } from './transactions.ts';

/** The number of slots of an epoch on Solana's main network. */
const SLOTS_IN_EPOCH = 432_000;

const epochInfo: Method = ({ slots, count }) => {
  const slot = slots.now();
  return result({
    absoluteSlot: slot,
    blockHeight: slot,
    epoch: Math.floor(slot / SLOTS_IN_EPOCH),
    slotIndex: slot % SLOTS_IN_EPOCH,
    slotsInEpoch: SLOTS_IN_EPOCH,
    transactionCount: count(),
  });
};

/** Lamports for a signature. */
const SIGNATURE_FEE = 5_000n;
/** Compute units that a transaction pays for where it sets no limit: for an instruction of the runtime, and of others. */
const RUNTIME_UNITS = 3_000n;
const PROGRAM_UNITS = 200_000n;
const MAX_UNITS = 1_400_000n;
const MICRO = 1_000_000n;

const BUDGET = ComputeBudgetProgram.programId.toBase58();
const RUNTIME: readonly string[] = [BUDGET, SystemProgram.programId.toBase58()];
const SET_LIMIT = 2;
const SET_PRICE = 3;

type Budget = { readonly limit?: bigint; readonly price?: bigint };

const budgetIn = (data: Buffer): Budget => {
  if (data[0] === SET_LIMIT && data.length === 5) return { limit: BigInt(data.readUInt32LE(1)) };
  return data[0] === SET_PRICE && data.length === 9 ? { price: data.readBigUInt64LE(1) } : {};
};

/** The cost of a message in lamports: its signatures, and its price of compute units, rounded up. */
const feeOf = (message: VersionedMessage): bigint => {
  const calls = message.compiledInstructions.map(({ programIdIndex, data }) => {
    const program = message.staticAccountKeys[programIdIndex]?.toBase58() ?? '';
    return { program, data: Buffer.from(data) };
  });
  const budgets = calls.filter(({ program }) => program === BUDGET).map(({ data }) => budgetIn(data));
  const { limit, price = 0n }: Budget = Object.assign({}, ...budgets);
  const usual = calls.map(({ program }) => (RUNTIME.includes(program) ? RUNTIME_UNITS : PROGRAM_UNITS));
  const asked = limit ?? usual.reduce((sum, units) => sum + units, 0n);
  const units = asked < MAX_UNITS ? asked : MAX_UNITS;
  return BigInt(message.header.numRequiredSignatures) * SIGNATURE_FEE + (units * price + MICRO - 1n) / MICRO;
};

const readMessage = (text: unknown): VersionedMessage | undefined => {
  try {
    return typeof text === 'string' ? VersionedMessage.deserialize(Buffer.from(text, 'base64')) : undefined;
  } catch {
    return undefined;
  }
};

const feeForMessage: Method = (chain, [text]) => {
  const message = readMessage(text);
  if (!message) return invalidParams('the first is no message in base64');
  const isRecent = chain.slots.recentSlotOf(message.recentBlockhash) !== undefined;
  return atSlot(chain, isRecent ? exactNumber(feeOf(message).toString()) : null);
};

/** Nobody has to outbid anybody: no slot has less room than it needs. */
const prioritizationFees: Method = ({ slots }, [given]) => {
  const addresses = z.array(z.string().refine(isSolanaAddress)).max(128).nullish().safeParse(given);
  if (!addresses.success) return invalidParams('the first is no list of at most 128 addresses');
  const last = slots.now();
  const first = Math.max(FIRST_SLOT, last - BLOCKHASH_SLOTS + 1);
  return result(Array.from({ length: last - first + 1 }, (_, at) => ({ slot: first + at, prioritizationFee: 0 })));
};

const epochSchedule = {
  slotsPerEpoch: SLOTS_IN_EPOCH,
  leaderScheduleSlotOffset: SLOTS_IN_EPOCH,
  warmup: false,
  firstNormalEpoch: 0,
  firstNormalSlot: 0,
};

/** The calls about the chain as a whole, and about fees. */
const CLUSTER: Readonly<Record<string, Method>> = {
  getEpochInfo: epochInfo,
  getEpochSchedule: () => result(epochSchedule),
  getTransactionCount: ({ count }) => result(count()),
  getFeeForMessage: feeForMessage,
  getRecentPrioritizationFees: prioritizationFees,
};

/** Gives lamports out of nothing, and resolves with the signature of the transaction that does it. */
export type Airdrop = (address: string, lamports: bigint) => Promise<string>;

/** One request gets at most 1,000 SOL. It is test money, and needs no key, as on Solana's test networks. */
const MAX_LAMPORTS = 1_000_000_000_000n;

const airdropWith = (airdrop: Airdrop): Method =>
  withAddress(async (_, address, [, asked]) => {
    const lamports = typeof asked === 'number' && Number.isSafeInteger(asked) ? BigInt(asked) : 0n;
    if (lamports < 1n || lamports > MAX_LAMPORTS) {
      return invalidParams(`the second must be lamports from 1 to ${MAX_LAMPORTS}`);
    }
    return result(await airdrop(address, lamports));
  });

const dispatchOn = (chain: SolanaChain, airdrop: Airdrop): Dispatch => {
  const requestAirdrop = airdropWith(airdrop);
  const methods: Readonly<Record<string, Method>> = {
    ...READS,
    ...CLUSTER,
    ...HISTORY,
    ...TRANSACTIONS,
    requestAirdrop,
  };
  return (method, params) => {
    const found = Object.hasOwn(methods, method) ? methods[method] : undefined;
    return found && Promise.resolve(found(chain, params));
  };
};

const isOwn = (request: IncomingMessage): boolean => isOwnHost(request) && isOwnOrigin(request);

const serve = async (dispatch: Dispatch, request: IncomingMessage, response: ServerResponse): Promise<void> => {
  const end = (http: number, text: string) =>
    void response.writeHead(http, { 'content-type': 'application/json' }).end(text);
  if (!isOwn(request)) return end(403, FAULT);
  if (request.method !== 'POST') return end(405, FAULT);
  const body = await readBytes(request);
  return body ? end(200, await answerText(dispatch, new TextDecoder().decode(body))) : end(413, TOO_LARGE);
};

const closed = (server: Server): Promise<void> =>
  new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });

const TRIES = 30;

/** Two ports that follow each other: the last ones, or else free ones. */
const listenOnBoth = async (http: () => Server, ws: () => Server, last: number) => {
  for (let attempt = 0; attempt < TRIES; attempt += 1) {
    const [one, two] = [http(), ws()];
    try {
      const port = await listenOn(one, attempt === 0 ? last : 0);
      await listenOn(two, port + 1);
      return { port, servers: [one, two] as const };
    } catch {
      await Promise.all([closed(one), closed(two)]);
    }
  }
  throw new Failure(
    'sandbox_unavailable',
    'no two free ports that follow each other were found for the Solana JSON-RPC',
  );
};

type Options = {
  readonly chain: SolanaChain;
  readonly airdrop: Airdrop;
  readonly last: number;
  readonly onRequest: () => void;
};

/**
 * Starts the JSON-RPC, HTTP on a port and WebSocket on the next, as @solana/web3.js expects. The port is the one it had
 * last, where that is free. `onRequest` is called for every one.
 */
export const startSolanaRpc = async ({ chain, airdrop, last, onRequest }: Options) => {
  const dispatch = dispatchOn(chain, airdrop);
  const sockets = openSockets(onRequest);
  const http = () =>
    createServer((request, response) => {
      onRequest();
      serve(dispatch, request, response).catch(() => response.writableEnded || response.end(FAULT));
    });
  const ws = () =>
    createServer((_, response) => void response.writeHead(426).end()).on('upgrade', (request, socket, head) => {
      onRequest();
      if (!isOwn(request) || !isWebSocket(request)) {
        return void socket.end('HTTP/1.1 403 Forbidden\r\nConnection: close\r\nContent-Length: 0\r\n\r\n');
      }
      sockets.welcome({ request, socket, head }, (send) => openSubscriptions(chain, dispatch, send));
    });
  const { port, servers } = await listenOnBoth(http, ws, last);
  return {
    port,
    /** Its methods, for who has another way to them. */
    dispatch,
    url: `http://127.0.0.1:${port}`,
    close: async () => {
      sockets.close();
      await Promise.all(servers.map(closed));
    },
  };
};
