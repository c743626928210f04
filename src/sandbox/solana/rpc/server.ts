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

/** The fee for each signature, in lamports. */
const SIGNATURE_FEE = 5_000n;
/** The compute units of a transaction without a limit: for each instruction of the runtime, and of other programs. */
const RUNTIME_UNITS = 3_000n;
const PROGRAM_UNITS = 200_000n;
const MAX_UNITS = 1_400_000n;
/** Millionths of a lamport in a lamport. */
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

/** The fee of a message in lamports: its signatures, and its compute units at their price, rounded up. */
const feeOf = (message: VersionedMessage): bigint => {
  const calls = message.compiledInstructions.map(({ programIdIndex, data }) => {
    const program = message.staticAccountKeys[programIdIndex]?.toBase58() ?? '';
    return { program, data: Buffer.from(data) };
  });
  const budgets = calls.filter(({ program }) => program === BUDGET).map(({ data }) => budgetIn(data));
  const { limit, price = 0n }: Budget = Object.assign({}, ...budgets);
  const defaults = calls.map(({ program }) => (RUNTIME.includes(program) ? RUNTIME_UNITS : PROGRAM_UNITS));
  const requested = limit ?? defaults.reduce((sum, units) => sum + units, 0n);
  const units = requested < MAX_UNITS ? requested : MAX_UNITS;
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
  if (!message) return invalidParams('the first parameter must be a message in base64');
  const isRecent = chain.slots.recentSlotOf(message.recentBlockhash) !== undefined;
  return atSlot(chain, isRecent ? exactNumber(feeOf(message).toString()) : null);
};

/** The priority fees of recent slots: always 0, because every slot has room for all transactions. */
const prioritizationFees: Method = ({ slots }, [param]) => {
  const addresses = z.array(z.string().refine(isSolanaAddress)).max(128).nullish().safeParse(param);
  if (!addresses.success) return invalidParams('the first parameter must be a list of at most 128 addresses');
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

/** The methods about the chain as a whole, and about fees. */
const CLUSTER: Readonly<Record<string, Method>> = {
  getEpochInfo: epochInfo,
  getEpochSchedule: () => result(epochSchedule),
  getTransactionCount: ({ count }) => result(count()),
  getFeeForMessage: feeForMessage,
  getRecentPrioritizationFees: prioritizationFees,
};

/** Gives new lamports to an address. Resolves with the signature of the transaction. */
export type Airdrop = (address: string, lamports: bigint) => Promise<string>;

/** The maximum of one airdrop: 1,000 SOL. Like on Solana's test networks, an airdrop needs no API key. */
const MAX_LAMPORTS = 1_000_000_000_000n;

const airdropWith = (airdrop: Airdrop): Method =>
  withAddress(async (_, address, [, param]) => {
    const lamports = typeof param === 'number' && Number.isSafeInteger(param) ? BigInt(param) : 0n;
    if (lamports < 1n || lamports > MAX_LAMPORTS) {
      return invalidParams(`the second parameter must be lamports from 1 to ${MAX_LAMPORTS}`);
    }
    return result(await airdrop(address, lamports));
  });

const dispatchOn = ({ chain, airdrop, together }: Pick<RpcOptions, 'chain' | 'airdrop' | 'together'>): Dispatch => {
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
    return found && together(async () => found(chain, params));
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

const closeServer = (server: Server): Promise<void> =>
  new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });

const MAX_ATTEMPTS = 30;

/** Listens on two adjacent ports: `lastPort` and the next one if both are free, otherwise any two free ports. */
const listenOnBoth = async (http: () => Server, ws: () => Server, lastPort: number) => {
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
    const [httpServer, wsServer] = [http(), ws()];
    try {
      const port = await listenOn(httpServer, attempt === 0 ? lastPort : 0);
      await listenOn(wsServer, port + 1);
      return { port, servers: [httpServer, wsServer] as const };
    } catch {
      await Promise.all([closeServer(httpServer), closeServer(wsServer)]);
    }
  }
  throw new Failure('sandbox_unavailable', 'the Solana JSON-RPC needs two adjacent free ports, and none were found');
};

/** The settings of the JSON-RPC. */
export type RpcOptions = {
  readonly chain: SolanaChain;
  readonly airdrop: Airdrop;
  /** The port of the last start; 0 for a free one. */
  readonly lastPort: number;
  readonly onRequest: () => void;
  /** Runs a method. It never overlaps with a snapshot or a restore. */
  readonly together: <T>(work: () => Promise<T>) => Promise<T>;
};

/**
 * Starts the JSON-RPC: HTTP on a port, and WebSocket on the next port, as @solana/web3.js expects. It uses the port of the
 * last start if that is free. `onRequest` is called for each request. Throws `sandbox_unavailable` without free ports.
 */
export const startSolanaRpc = async ({ chain, airdrop, lastPort, onRequest, together }: RpcOptions) => {
  const dispatch = dispatchOn({ chain, airdrop, together });
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
  const { port, servers } = await listenOnBoth(http, ws, lastPort);
  return {
    port,
    /** The methods, for requests that arrive on another path. */
    dispatch,
    url: `http://127.0.0.1:${port}`,
    close: async () => {
      sockets.close();
      await Promise.all(servers.map(closeServer));
    },
  };
};
