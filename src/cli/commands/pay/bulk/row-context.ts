import { setMaxListeners } from 'node:events';
import type { Lanes } from '../../../../bulk/lanes.ts';
import type { Limiter } from '../../../../bulk/rate.ts';
import type { RowChange } from '../../../../bulk/results.ts';
import type { Row } from '../../../../bulk/rows.ts';
import type { Network } from '../../../../chain/evm/network.ts';
import type { Client } from '../../../../client/call.ts';
import { amended, type Failure, interrupted, withDetails } from '../../../../core/failure.ts';
import { textAt } from '../../../../core/json.ts';
import { WIRE_ID } from '../../../../core/wire-names.ts';
import type { SigningKey, WalletQueue } from '../../../../flows/turn.ts';
import { isPaymentIntent } from '../../../../journal/intents.ts';
import type { Batch, CommandContext } from '../../../command/command.ts';
import type { ParsedArgs } from '../../../command/options.ts';
import { silent } from '../../../context/silent.ts';
import type { PlannedRow, RowSettings } from './plan-row.ts';

/** A row that is being worked on. */
export type RunningRow = {
  readonly row: Row;
  /** Whether an interrupt waits for it: its transaction or card is being sent. */
  readonly isSending: () => boolean;
  /** The failures that the row would end with if the program ended now. */
  readonly ifEndedNow: () => readonly Failure[];
};

/** What the rows of a run share. */
export type BulkRun = {
  readonly cli: CommandContext;
  readonly given: ParsedArgs;
  readonly client: Client;
  readonly network: Network;
  readonly settings: RowSettings;
  readonly keys: ReadonlyMap<string, SigningKey>;
  readonly lanes: Lanes;
  readonly limiter: Limiter;
  readonly doubtWaitMs: number;
  readonly running: Set<RunningRow>;
  /** The operations of earlier runs that this run settled by themselves: their rows may come later. */
  readonly settled: Set<string>;
  readonly report: (change: RowChange) => Promise<void>;
  readonly warn: (row: Row, text: string) => Promise<void>;
  /** Prints a line of progress. */
  readonly note: (line: string) => Promise<void>;
  /** Starts no further row: the failure concerns all of them. */
  readonly stop: (failure: Failure) => void;
  /** The same, for an error of bursar. Rows that wait for their wallet end too. */
  readonly fail: (error: unknown) => void;
};

/** A row, or an operation of an earlier run, that is brought to its end. */
export type Subject = Pick<PlannedRow, 'row' | 'intent' | 'name'> & Pick<Batch, 'others'>;

/** A service that asks for a longer pause ends the run, because rows would be neither paid nor reported for so long. */
export const MAX_PAUSE_MS = 10 * 60_000;

/** How long a charge may go on after an interrupt: its call must not be cut off. */
const CHARGE_GRACE_MS = 30_000;

/** A path of the sandbox that is not of the service: its chains and its control. */
const isOwnPath = (url: string): boolean => new URL(url).pathname.startsWith('/_');

/** Signed bytes leave by this call, and their wallet waits for it. */
const isExecute = (url: string): boolean => new URL(url).pathname.includes('/execute/');

/**
 * The context of one row: silent, limited in its calls, with a time of its own. The time stands still while the row waits for
 * its wallet. An interrupt ends it where nothing is signed or sent.
 */
export const contextOf = (run: BulkRun, { row, intent, others }: Subject, onSent: () => void) => {
  const { cli, client, keys, lanes, limiter, running } = run;
  const { clock, interrupted: outer } = client.io;
  const start = clock.monotonic();
  let [waited, hasTurn] = [0, false];
  const ending = new AbortController();
  // All calls of the row wait for it.
  setMaxListeners(0, ending.signal);
  const isCharge = !isPaymentIntent(intent);
  const onInterrupt = (): void => {
    if (isCharge) void clock.sleep(CHARGE_GRACE_MS, client.io.forceQuit).finally(() => ending.abort());
    else if (!hasTurn) ending.abort();
  };
  outer.addEventListener('abort', onInterrupt, { once: true });
  if (outer.aborted) onInterrupt();
  const queue: WalletQueue = async (wallet, operation, work) => {
    const since = clock.monotonic();
    return lanes.queue(wallet, operation, async () => {
      waited += clock.monotonic() - since;
      hasTurn = true;
      try {
        const result = await work();
        onSent();
        return result;
      } finally {
        hasTurn = false;
        if (outer.aborted) ending.abort();
      }
    });
  };
  const http: Client['io']['http'] = {
    send: (request) => {
      const outlivesInterrupt = runningRow.isSending();
      const send = () => client.io.http.send({ ...request, ...(outlivesInterrupt && { outlivesInterrupt }) });
      if (isOwnPath(request.url)) return send();
      return limiter.run(send, { isUrgent: isExecute(request.url) }).catch(
        amended((failure) => {
          const isOfPause = outer.aborted && failure.details.isUnsent === true;
          return isOfPause ? withDetails(interrupted(), { isUnsent: true }) : failure;
        }, 'unavailable'),
      );
    },
  };
  const own: Client = {
    ...client,
    io: { ...client.io, http, interrupted: ending.signal },
    get deadline() {
      return start + cli.globals.timeoutMs + waited;
    },
  };
  const inner = silent(cli, own);
  const interruptSummaries: CommandContext['interruptSummaries'] = new Set();
  const runningRow: RunningRow = {
    row,
    isSending: () => hasTurn || isCharge,
    ifEndedNow: () => {
      // A call of signed bytes is not over, and its outcome is not known.
      ending.abort();
      return [...interruptSummaries].map((summary) => summary());
    },
  };
  running.add(runningRow);
  const context: CommandContext = {
    ...inner.cli,
    get deadline() {
      return own.deadline;
    },
    interruptSummaries,
    impliedOptions: new Map(),
    warn: (text) => run.warn(row, text),
    batch: { keys, queue, others },
  };
  return {
    cli: context,
    result: inner.result,
    /** The id of the operation that was started. */
    operationId: (): string | undefined =>
      [...interruptSummaries].map((summary) => textAt(summary().details.data, WIRE_ID)).find(Boolean),
    close: () => {
      outer.removeEventListener('abort', onInterrupt);
      running.delete(runningRow);
    },
  };
};
