import { Interface } from 'ethers/abi';
import { getAddress } from 'ethers/address';
import { SANDBOX_CONTRACTS } from '../../../contract/chains.ts';
import { Failure } from '../../../core/failure.ts';
import { splitter, testToken } from './artifacts.ts';

// Loading ethers takes 100 ms: this file is imported on use.
const TOKEN = new Interface(testToken.abi);
const SPLITTER = new Interface(splitter.abi);

/** One receiver and what it gets, in the smallest units. */
export type Share = { readonly to: string; readonly units: bigint };

/** An address with its checksum (EIP-55). Throws `invalid_input` for other text. */
export const checksummed = (address: string): string => {
  try {
    return getAddress(address);
  } catch {
    throw new Failure('invalid_input', `${address} is not an EVM address`);
  }
};

const lists = (shares: readonly Share[]) => [shares.map(({ to }) => to), shares.map(({ units }) => units)] as const;

/** Call data of ERC-20 `transfer`, as 0x and hex; so are all below. */
export const encodeTransfer = ({ to, units }: Share): string => TOKEN.encodeFunctionData('transfer', [to, units]);

/** Call data that makes new units of a test token. */
export const encodeMint = ({ to, units }: Share): string => TOKEN.encodeFunctionData('mint', [to, units]);

/** Call data of ERC-20 `balanceOf`. */
export const encodeBalanceOf = (address: string): string => TOKEN.encodeFunctionData('balanceOf', [address]);

/** Call data that pays receivers in a token; `token` is its address. */
export const encodeSplitToken = (token: string, shares: readonly Share[]): string =>
  SPLITTER.encodeFunctionData('splitToken', [token, ...lists(shares)]);

/** Call data that pays receivers in the native coin: the transaction's value must be their sum. */
export const encodeSplitNative = (shares: readonly Share[]): string =>
  SPLITTER.encodeFunctionData('splitNative', lists(shares));

/** What the deployer sends to create a token; the splitter needs no arguments. */
export const encodeTokenDeployment = (name: string, symbol: string, decimals: number): string =>
  testToken.bytecode + TOKEN.encodeDeploy([name, symbol, decimals, SANDBOX_CONTRACTS.splitter]).slice(2);

/** What the deployer sends to create the splitter. */
export const encodeSplitterDeployment = (): string => splitter.bytecode;
