import { Failure } from '../core/failure.ts';
import { laneOf, type Wallet, type WalletQueue } from '../flows/turn.ts';
import { statusOf } from '../journal/status.ts';

/** Whether a row can start in a lane: at once, after a doubt is settled, or not in this run. */
export type LaneState = 'open' | 'in_doubt' | 'held';

type Waiting = {
  readonly operationId: string;
  readonly enter: () => void;
  readonly fail: (failure: Failure) => void;
};

/** The operations of one wallet on one chain. */
type Lane = {
  /** The operation whose turn it is. */
  active: string | undefined;
  /** The operations in doubt. Only these may go on. */
  readonly doubts: Set<string>;
  isHeld: boolean;
  readonly waiting: Waiting[];
};

const held = new Failure('not_final', 'an earlier row of this wallet is in doubt, so nothing was signed for this one');

/** Whether a row failed because its wallet is held by an earlier one. */
export const isHeldFailure = (error: unknown): boolean =>
  error === held || (error instanceof Error && error.cause !== undefined && isHeldFailure(error.cause));

/**
 * Lanes of wallets: in each, one operation at a time has its turn. An operation in doubt keeps its lane until its outcome
 * is known: the next nonce would depend on it. `onChange` is called when an operation may go on.
 */
export const openLanes = (onChange: () => void) => {
  const lanes = new Map<string, Lane>();
  let closedBy: Failure | undefined;
  const find = (key: string): Lane => {
    const lane = lanes.get(key) ?? { active: undefined, doubts: new Set(), isHeld: false, waiting: [] };
    lanes.set(key, lane);
    return lane;
  };
  const mayEnter = ({ active, doubts }: Lane, operationId: string): boolean =>
    active === undefined && (doubts.size === 0 || doubts.has(operationId));
  const admitNext = (lane: Lane): void => {
    const at = lane.waiting.findIndex(({ operationId }) => mayEnter(lane, operationId));
    const [next] = at < 0 ? [] : lane.waiting.splice(at, 1);
    if (next) {
      lane.active = next.operationId;
      next.enter();
    }
    onChange();
  };
  const enter = async (lane: Lane, operationId: string): Promise<void> => {
    if (closedBy) throw closedBy;
    if (mayEnter(lane, operationId)) lane.active = operationId;
    else if (lane.isHeld && !lane.doubts.has(operationId)) throw held;
    else await new Promise<void>((resolve, fail) => lane.waiting.push({ operationId, enter: resolve, fail }));
  };
  const failAll = (lane: Lane, failure: Failure, isMeant: (operationId: string) => boolean): void => {
    const left = lane.waiting.filter(({ operationId }) => !isMeant(operationId));
    const failed = lane.waiting.splice(0).filter(({ operationId }) => isMeant(operationId));
    lane.waiting.push(...left);
    for (const { fail } of failed) fail(failure);
  };
  const queue: WalletQueue = async (wallet, operation, work) => {
    const lane = find(laneOf(wallet));
    await enter(lane, operation.id);
    try {
      return await work();
    } finally {
      lane.active = undefined;
      if (statusOf(operation.state()) === 'in_doubt') lane.doubts.add(operation.id);
      else lane.doubts.delete(operation.id);
      admitNext(lane);
    }
  };
  return {
    queue,
    stateOf: (key: string): LaneState => {
      const { isHeld, doubts } = find(key);
      if (isHeld) return 'held';
      return doubts.size > 0 ? 'in_doubt' : 'open';
    },
    /** Keeps the lane of a wallet for an operation in doubt. */
    block: (wallet: Wallet, operationId: string): void => {
      find(laneOf(wallet)).doubts.add(operationId);
    },
    /** The outcome of an operation is known, or a node has its transaction: the next rows may go on. */
    settle: (operationId: string): void => {
      for (const lane of lanes.values()) {
        if (!lane.doubts.delete(operationId)) continue;
        if (lane.doubts.size === 0) lane.isHeld = false;
        admitNext(lane);
      }
    },
    /** Its outcome stays unknown in this run: the rows behind it fail as held. */
    giveUp: (operationId: string): void => {
      for (const lane of lanes.values()) {
        if (!lane.doubts.has(operationId)) continue;
        lane.isHeld = true;
        failAll(lane, held, (waiting) => !lane.doubts.has(waiting));
        onChange();
      }
    },
    /** No further operation enters a lane. Those that have their turn finish it. */
    close: (failure: Failure): void => {
      closedBy = failure;
      for (const lane of lanes.values()) failAll(lane, failure, () => true);
      onChange();
    },
  };
};

/** The lanes of one run. */
export type Lanes = ReturnType<typeof openLanes>;
