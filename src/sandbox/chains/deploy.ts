import { type EvmChain, SANDBOX_CONTRACTS } from '../../contract/chains.ts';
import { Failure } from '../../core/failure.ts';
import { isSameText } from '../../core/same-text.ts';
import { mineOwn } from './mine.ts';
import { ask, type Rpc } from './rpc.ts';

type Created = { readonly status: string; readonly contractAddress: string };

const deploy = async (rpc: Rpc, data: string, expected: string): Promise<void> => {
  const mined = await mineOwn(rpc, { data });
  if (!mined.ok) throw new Failure('internal', `a contract of the sandbox was refused: ${mined.message}`);
  const created = (await ask(rpc, 'eth_getTransactionReceipt', [mined.hash])) as Created;
  if (created.status === '0x1' && isSameText(created.contractAddress, expected)) return;
  throw new Failure('internal', `a contract of the sandbox could not be deployed at ${expected}`);
};

/** Deploys the splitter and the tokens to a new chain, in the order that gives them their addresses. */
export const deployContracts = async (rpc: Rpc, { stableDecimals }: EvmChain): Promise<void> => {
  const { encodeSplitterDeployment, encodeTokenDeployment } = await import('./contracts/encode.ts');
  await deploy(rpc, encodeSplitterDeployment(), SANDBOX_CONTRACTS.splitter);
  await deploy(rpc, encodeTokenDeployment('Tether USD', 'USDT', stableDecimals), SANDBOX_CONTRACTS.USDT);
  await deploy(rpc, encodeTokenDeployment('USD Coin', 'USDC', stableDecimals), SANDBOX_CONTRACTS.USDC);
};
