import { type EvmChain, SANDBOX_CONTRACTS } from '../../contract/chains.ts';
import { Failure } from '../../core/failure.ts';
import { isSameText } from '../../core/text.ts';
import { applyChanges, type Made } from './changes.ts';
import { toHex } from './hex.ts';
import { DEPLOYER, mineOwn, setBaseFee } from './mine.ts';
import { ask, type Rpc } from './rpc.ts';
import { damagedFile, type Kept, type Store } from './store.ts';

/** Enough for the gas of every mint to come. */
const DEPLOYER_WEI = 10n ** 27n;

/** The whole state of a chain, past transactions and receipts included, in hex. */
export const dumpState = async (rpc: Rpc): Promise<string> => String(await ask(rpc, 'anvil_dumpState'));

/** Changes that shared a block, by block. */
const blocksOf = (changes: readonly Made[]): readonly (readonly Made[])[] => {
  const blocks: Made[][] = [];
  for (const made of changes) {
    if (made.joined && blocks.length > 0) blocks.at(-1)?.push(made);
    else blocks.push([made]);
  }
  return blocks;
};

/** A change has the same outcome as when it was first made, or the file is not what was written. */
const repeat = async (rpc: Rpc, block: readonly Made[], place: string): Promise<void> => {
  const { applied } = await applyChanges(
    rpc,
    block.map(({ change }) => change),
  );
  for (const [at, { hash }] of block.entries()) {
    const now = applied[at];
    if (!now?.ok) throw damagedFile(place, `a change of its log is refused now: ${now?.message}`);
    if (now.mined?.hash === hash) continue;
    throw damagedFile(place, `a change of its log is now ${now.mined?.hash}, and was ${hash}`);
  }
};

const prepare = async (rpc: Rpc): Promise<void> => {
  await ask(rpc, 'anvil_setLoggingEnabled', [false]);
  await ask(rpc, 'anvil_impersonateAccount', [DEPLOYER]);
};

/** Brings a node that has just started with the kept state to where its chain was, or makes a new chain. */
export const restore = async (rpc: Rpc, chain: EvmChain, kept: Kept, store: Store): Promise<void> => {
  await prepare(rpc);
  if (kept.state === undefined) await ask(rpc, 'anvil_setBalance', [DEPLOYER, toHex(DEPLOYER_WEI)]);
  await setBaseFee(rpc);
  if (kept.state === undefined) await deployContracts(rpc, chain);
  for (const block of blocksOf(kept.changes)) await repeat(rpc, block, store.place);
  // A new state, and with it a new log: the next change is not written behind half a line.
  if (kept.changes.length > 0 || kept.isTorn) await store.replace(await dumpState(rpc));
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
