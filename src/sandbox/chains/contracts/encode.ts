import { Interface } from 'ethers/abi';
import { getAddress } from 'ethers/address';
import { SANDBOX_CONTRACTS } from '../../../contract/chains.ts';
import { Failure } from '../../../core/failure.ts';
import { splitter, testToken } from './artifacts.ts';

// To load ethers takes 100 ms, so this file is imported on use.
const TOKEN = new Interface(testToken.abi);
const SPLITTER = new Interface(splitter.abi);

/** One receiver and its amount, in the smallest units. */
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

/** Call data of ERC-20 `transfer`. This and all following functions return hex with a leading 0x. */
export const encodeTransfer = ({ to, units }: Share): string => TOKEN.encodeFunctionData('transfer', [to, units]);

/** Call data that mints units of a test token. */
export const encodeMint = ({ to, units }: Share): string => TOKEN.encodeFunctionData('mint', [to, units]);

/** Call data of ERC-20 `balanceOf`. */
export const encodeBalanceOf = (address: string): string => TOKEN.encodeFunctionData('balanceOf', [address]);

/** Call data that pays receivers in a token; `token` is the token's address. */
export const encodeSplitToken = (token: string, shares: readonly Share[]): string =>
  SPLITTER.encodeFunctionData('splitToken', [token, ...lists(shares)]);

/** Call data that pays receivers in the native coin. The transaction's value must be the sum of the amounts. */
export const encodeSplitNative = (shares: readonly Share[]): string =>
  SPLITTER.encodeFunctionData('splitNative', lists(shares));

/** The data of the transaction that creates a token. */
export const encodeTokenDeployment = (name: string, symbol: string, decimals: number): string =>
  testToken.bytecode + TOKEN.encodeDeploy([name, symbol, decimals, SANDBOX_CONTRACTS.splitter]).slice(2);

/** The data of the transaction that creates the splitter. */
export const encodeSplitterDeployment = (): string => splitter.bytecode;
