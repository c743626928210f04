import { type EvmChain, SANDBOX_CONTRACTS } from '../../contract/chains.ts';
import { Failure } from '../../core/failure.ts';
import { isSameText } from '../../core/text.ts';
import { archiveUpTo } from './archive.ts';
import { type AppliedChange, applyChanges, DEPLOYER, mineOwn, setBaseFee } from './mine.ts';
import { ask, fromHex, type Rpc, toHex } from './rpc.ts';
import { damagedFile, type Store, type StoredChain } from './store.ts';

/** The deployer's balance in wei: enough for the gas of all later mints. */
const DEPLOYER_WEI = 10n ** 27n;

/** Groups changes by the block that they shared. */
const groupByBlock = (changes: readonly AppliedChange[]): readonly (readonly AppliedChange[])[] => {
  const blocks: AppliedChange[][] = [];
  for (const each of changes) {
    if (each.joined && blocks.length > 0) blocks.at(-1)?.push(each);
    else blocks.push([each]);
  }
  return blocks;
};

/**
 * Applies the changes of one block again, at the time of that block. Throws `sandbox_unavailable` for a different outcome:
 * the file is damaged then. Returns the number of the newest block.
 */
const replayBlock = async (
  rpc: Rpc,
  block: readonly AppliedChange[],
  height: number,
  place: string,
): Promise<number> => {
  const at = block[0]?.at;
  if (at !== undefined) await ask(rpc, 'evm_setNextBlockTimestamp', [at]);
  const changes = block.map(({ change }) => change);
  const { applied, made, height: newest } = await applyChanges(rpc, changes, height);
  for (const [index, recorded] of block.entries()) {
    const outcome = applied[index];
    const repeated = made[index];
    if (!outcome?.ok) throw damagedFile(place, `the node refuses a change of its log: ${outcome?.message}`);
    const isSame =
      repeated?.hash === recorded.hash && (recorded.block === undefined || repeated?.block === recorded.block);
    if (!isSame) throw damagedFile(place, `a change of its log is now ${repeated?.hash}, and was ${recorded.hash}`);
  }
  return newest;
};

/** The node's time in seconds. */
const timeOf = async (rpc: Rpc): Promise<number> => {
  const pending = (await ask(rpc, 'eth_getBlockByNumber', ['pending', false])) as { readonly timestamp: string };
  return Number(fromHex(pending.timestamp));
};

/** Sends one call after the other. Transactions of one request could change their order within a block. */
const oneByOne = (rpc: Rpc): Rpc => {
  let last: Promise<unknown> = Promise.resolve();
  return (method, params) => {
    const answer = last.then(() => rpc(method, params));
    last = answer.catch(() => undefined);
    return answer;
  };
};

type Replay = {
  readonly rpc: Rpc;
  readonly stored: StoredChain;
  readonly place: string;
  readonly archiveEvery: number;
};

/** Applies the changes of the log again. Each block gets its earlier time, and so its earlier hash. */
const replay = async ({ rpc, stored, place, archiveEvery }: Replay, from: number): Promise<number> => {
  const first = stored.changes.find(({ at }) => at !== undefined)?.at;
  const start = { nodeTime: await timeOf(rpc), startedAt: performance.now() };
  if (first !== undefined) await ask(rpc, 'evm_setTime', [first]);
  const ordered = oneByOne(rpc);
  let height = from;
  for (const block of groupByBlock(stored.changes)) {
    height = await replayBlock(ordered, block, height, place);
    if (height - stored.history.newest() >= archiveEvery) await archiveUpTo(rpc, stored.history, height);
  }
  const now = start.nodeTime + Math.floor((performance.now() - start.startedAt) / 1000);
  const last = stored.changes.reduce((latest, { at }) => Math.max(latest, at ?? 0), 0);
  if (first !== undefined) await ask(rpc, 'evm_setTime', [Math.max(now, last)]);
  return height;
};

/** Throws `sandbox_unavailable` if the newest block of the history is not on the node's chain: a file is damaged then. */
const checkHistory = async (rpc: Rpc, { history }: StoredChain, path: string): Promise<void> => {
  const newest = history.newest();
  if (newest < 0) return;
  const block = (await ask(rpc, 'eth_getBlockByNumber', [toHex(newest), false])) as { readonly hash: string } | null;
  if (block?.hash === history.newestHash()) return;
  throw damagedFile(path, `block ${newest} is ${block ? 'different' : 'missing'} on the chain`);
};

const heightOf = async (rpc: Rpc): Promise<number> => Number(fromHex(await ask(rpc, 'eth_blockNumber')));

type Options = { readonly chain: EvmChain; readonly store: Store; readonly archiveEvery: number };

/**
 * Restores the chain in a node that has just loaded the stored state, or creates a new chain. `height` is the number of the
 * newest block. `isDue`: the caller must store a state before the next change.
 */
export const restore = async (rpc: Rpc, stored: StoredChain, { chain, store, archiveEvery }: Options) => {
  await prepareNode(rpc);
  if (stored.state === undefined) {
    await ask(rpc, 'anvil_setBalance', [DEPLOYER, toHex(DEPLOYER_WEI)]);
    await deployContracts(rpc, chain);
  }
  const startHeight = await heightOf(rpc);
  // A state of an earlier version has blocks that are not in the history. Mining removes them from the node.
  await archiveUpTo(rpc, stored.history, startHeight);
  const { place, historyPlace } = store;
  const height = await replay({ rpc, stored, place, archiveEvery }, startHeight);
  await checkHistory(rpc, stored, historyPlace);
  // A new state starts a new log, so the next change does not follow an incomplete line.
  return { height, isDue: stored.state === undefined || stored.changes.length > 0 || stored.isTorn };
};

/** Applies the settings that a node loses when it starts or loads a state. */
export const prepareNode = async (rpc: Rpc): Promise<void> => {
  await ask(rpc, 'anvil_setLoggingEnabled', [false]);
  await ask(rpc, 'anvil_impersonateAccount', [DEPLOYER]);
  await setBaseFee(rpc);
};

type Created = { readonly status: string; readonly contractAddress: string };

const deploy = async (rpc: Rpc, data: string, expected: string): Promise<void> => {
  const mined = await mineOwn(rpc, { data });
  if (!mined.ok) throw new Failure('internal', `a contract of the sandbox was refused: ${mined.message}`);
  const created = (await ask(rpc, 'eth_getTransactionReceipt', [mined.hash])) as Created;
  if (created.status === '0x1' && isSameText(created.contractAddress, expected)) return;
  throw new Failure('internal', `a contract of the sandbox could not be deployed at ${expected}`);
};

/** Deploys the splitter and the tokens to a new chain. The order decides their addresses. */
const deployContracts = async (rpc: Rpc, { tokens }: EvmChain): Promise<void> => {
  const { encodeSplitterDeployment, encodeTokenDeployment } = await import('./contracts/encode.ts');
  await deploy(rpc, encodeSplitterDeployment(), SANDBOX_CONTRACTS.splitter);
  await deploy(rpc, encodeTokenDeployment('Tether USD', 'USDT', tokens.USDT.decimals), SANDBOX_CONTRACTS.USDT);
  await deploy(rpc, encodeTokenDeployment('USD Coin', 'USDC', tokens.USDC.decimals), SANDBOX_CONTRACTS.USDC);
};
