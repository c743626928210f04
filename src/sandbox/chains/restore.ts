import { type EvmChain, SANDBOX_CONTRACTS } from '../../contract/chains.ts';
import { Failure } from '../../core/failure.ts';
import { isSameText } from '../../core/text.ts';
import { archiveUpTo } from './archive.ts';
import { type AppliedChange, applyChanges, DEPLOYER, mineOwn, setBaseFee } from './mine.ts';
import { ask, fromHex, type Rpc, toHex } from './rpc.ts';
import { damagedFile, type Kept, type Store } from './store.ts';

/** Enough for the gas of every mint to come. */
const DEPLOYER_WEI = 10n ** 27n;

/** Changes that shared a block, by block. */
const blocksOf = (changes: readonly AppliedChange[]): readonly (readonly AppliedChange[])[] => {
  const blocks: AppliedChange[][] = [];
  for (const made of changes) {
    if (made.joined && blocks.length > 0) blocks.at(-1)?.push(made);
    else blocks.push([made]);
  }
  return blocks;
};

/**
 * Makes changes again that shared a block, at the time of that block. They have the same outcome, or the file is not what
 * was written. Returns the number of the newest block.
 */
const repeat = async (rpc: Rpc, block: readonly AppliedChange[], height: number, place: string): Promise<number> => {
  const at = block[0]?.at;
  if (at !== undefined) await ask(rpc, 'evm_setNextBlockTimestamp', [at]);
  const changes = block.map(({ change }) => change);
  const { applied, made, height: newest } = await applyChanges(rpc, changes, height);
  for (const [index, then] of block.entries()) {
    const outcome = applied[index];
    const now = made[index];
    if (!outcome?.ok) throw damagedFile(place, `a change of its log is refused now: ${outcome?.message}`);
    const isSame = now?.hash === then.hash && (then.block === undefined || now?.block === then.block);
    if (!isSame) throw damagedFile(place, `a change of its log is now ${now?.hash}, and was ${then.hash}`);
  }
  return newest;
};

/** The node's time in seconds. */
const timeOf = async (rpc: Rpc): Promise<number> => {
  const pending = (await ask(rpc, 'eth_getBlockByNumber', ['pending', false])) as { readonly timestamp: string };
  return Number(fromHex(pending.timestamp));
};

/** Sends one call after the other: transactions of one request could change their order within a block. */
const oneByOne = (rpc: Rpc): Rpc => {
  let last: Promise<unknown> = Promise.resolve();
  return (method, params) => {
    const answer = last.then(() => rpc(method, params));
    last = answer.catch(() => undefined);
    return answer;
  };
};

type Replay = { readonly rpc: Rpc; readonly kept: Kept; readonly place: string; readonly archiveEvery: number };

/** Makes the changes of the log again. Blocks get their earlier times, and so their earlier hashes. */
const replay = async ({ rpc, kept, place, archiveEvery }: Replay, from: number): Promise<number> => {
  const first = kept.changes.find(({ at }) => at !== undefined)?.at;
  const start = { time: await timeOf(rpc), moment: performance.now() };
  if (first !== undefined) await ask(rpc, 'evm_setTime', [first]);
  const ordered = oneByOne(rpc);
  let height = from;
  for (const block of blocksOf(kept.changes)) {
    height = await repeat(ordered, block, height, place);
    if (height - kept.history.newest() >= archiveEvery) await archiveUpTo(rpc, kept.history, height);
  }
  const now = start.time + Math.floor((performance.now() - start.moment) / 1000);
  const last = kept.changes.reduce((latest, { at }) => Math.max(latest, at ?? 0), 0);
  if (first !== undefined) await ask(rpc, 'evm_setTime', [Math.max(now, last)]);
  return height;
};

/** The history ends on the node's chain, or one of the two files is not what was written. */
const checkHistory = async (rpc: Rpc, { history }: Kept, path: string): Promise<void> => {
  const newest = history.newest();
  if (newest < 0) return;
  const block = (await ask(rpc, 'eth_getBlockByNumber', [toHex(newest), false])) as { readonly hash: string } | null;
  if (block?.hash === history.newestHash()) return;
  throw damagedFile(path, `block ${newest} is ${block ? 'another one' : 'not'} on the chain`);
};

const heightOf = async (rpc: Rpc): Promise<number> => Number(fromHex(await ask(rpc, 'eth_blockNumber')));

type Options = { readonly chain: EvmChain; readonly store: Store; readonly archiveEvery: number };

/**
 * Brings a node that has just started with the kept state to where its chain was, or makes a new chain. Returns the number
 * of the newest block, and whether a state must be stored before the next change.
 */
export const restore = async (rpc: Rpc, kept: Kept, { chain, store, archiveEvery }: Options) => {
  await prepareNode(rpc);
  if (kept.state === undefined) {
    await ask(rpc, 'anvil_setBalance', [DEPLOYER, toHex(DEPLOYER_WEI)]);
    await deployContracts(rpc, chain);
  }
  const begin = await heightOf(rpc);
  // A state of an earlier version has blocks that are not in the history, and mining makes the node forget them.
  await archiveUpTo(rpc, kept.history, begin);
  const { place, historyPlace } = store;
  const height = await replay({ rpc, kept, place, archiveEvery }, begin);
  await checkHistory(rpc, kept, historyPlace);
  // A new state, and with it a new log: the next change is not written behind half a line.
  return { height, isDue: kept.state === undefined || kept.changes.length > 0 || kept.isTorn };
};

/** What a node forgets when it starts or loads a state. */
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

/** Deploys the splitter and the tokens to a new chain, in the order that gives them their addresses. */
const deployContracts = async (rpc: Rpc, { tokens }: EvmChain): Promise<void> => {
  const { encodeSplitterDeployment, encodeTokenDeployment } = await import('./contracts/encode.ts');
  await deploy(rpc, encodeSplitterDeployment(), SANDBOX_CONTRACTS.splitter);
  await deploy(rpc, encodeTokenDeployment('Tether USD', 'USDT', tokens.USDT.decimals), SANDBOX_CONTRACTS.USDT);
  await deploy(rpc, encodeTokenDeployment('USD Coin', 'USDC', tokens.USDC.decimals), SANDBOX_CONTRACTS.USDC);
};
