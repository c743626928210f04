import { join } from 'node:path';
import * as z from 'zod';
import { EVM_CHAINS } from '../../contract/chains.ts';
import { SOLANA } from '../../contract/solana.ts';
import { isTaxId } from '../../core/tax-id.ts';
import type { Io } from '../../io/io.ts';
import { assertKeyName } from '../../keystore/key-name.ts';
import { openKeystore } from '../../keystore/keystore.ts';
import { type Judge, stringArg } from '../command/options.ts';
import { problemOf } from '../command/problem-of.ts';
import { evmProblem, solanaProblem } from '../operations/check-receivers.ts';

/** An address by the rule of the review. One of a chain that nobody here knows is the service's to judge. */
const walletProblem = (text: string, chain: string | undefined) => {
  if (chain === SOLANA) return solanaProblem(text);
  return text.startsWith('0x') || EVM_CHAINS.some(({ name }) => name === chain) ? evmProblem(text) : undefined;
};

/** A wallet of any chain. */
export const judgeWallet: Judge = (text) => walletProblem(text, undefined);

/** A wallet on Solana. */
export const judgeSolanaWallet: Judge = (text) => walletProblem(text, SOLANA);

/** The wallet that pays, on the chain that it pays from. */
export const judgePayerWallet: Judge = (text, given) =>
  walletProblem(text, stringArg(given, 'chain-name') ?? EVM_CHAINS[0].name);

/** A receiver with its share, on the chain of the receivers. */
export const judgeSplit: Judge = (text, given) =>
  walletProblem(text.slice(0, text.lastIndexOf('=')), stringArg(given, 'to-chain'));

/** An amount that something is paid with. */
export const judgeAmount: Judge = (text) => (/[1-9]/.test(text) ? undefined : 'must be greater than zero');

/** One digit over and over passes the sums, and is nobody's. */
const isOneDigit = (id: string): boolean => /^(\d)\1*$/.test(id);

const bare = (text: string): string => text.replaceAll(/[\s./-]/g, '').toUpperCase();

const isNumberOf = (text: string, length: number): boolean => {
  const id = bare(text);
  return id.length === length && isTaxId(id) && !isOneDigit(id);
};

/** A CPF or a CNPJ. */
export const judgeTaxId: Judge = (text) =>
  isNumberOf(text, 11) || isNumberOf(text, 14) ? undefined : 'must be a CPF or a CNPJ: its check digits are wrong';

/** An address of the internet. */
export const judgeIp: Judge = (text) =>
  z.ipv4().safeParse(text).success || z.ipv6().safeParse(text).success
    ? undefined
    : 'must be an IP address, such as 203.0.113.7';

/** The name of a key that is to be made. */
export const judgeNewKey: Judge = (name, _, { io }) =>
  problemOf(async () => {
    assertKeyName(name);
    await openKeystore(io).assertFree(name);
  });

/** A file that is to be made. */
export const judgeNewFile: Judge = async (path, _, { io }) =>
  path !== '-' && (await io.files.targetFacts(path)) ? 'is there already, and nothing is overwritten' : undefined;

/** A path as a person types it where no shell reads it: a `~/` before it is their home. */
export const typedPath = ({ env }: Pick<Io, 'env'>, typed: string): string => {
  const path = typed.trim();
  const home = env['HOME'] || env['USERPROFILE'];
  return home && path.startsWith('~/') ? join(home, path.slice(2)) : path;
};

/** What is wrong with a path that is to be read. */
export const problemInFile = async ({ files }: Pick<Io, 'files'>, path: string): Promise<string | undefined> => {
  const facts = await files.targetFacts(path);
  if (!facts) return 'there is no such file';
  return facts.isFolder ? 'that is a folder' : undefined;
};
