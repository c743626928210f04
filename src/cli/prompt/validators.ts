import { join } from 'node:path';
import * as z from 'zod';
import { EVM_CHAINS, SOLANA } from '../../contract/chains.ts';
import type { Io } from '../../io/io.ts';
import { assertKeyName } from '../../keystore/key.ts';
import { openKeystore } from '../../keystore/keystore.ts';
import { type AnswerValidator, type ParsedArgs, stringArg } from '../command/options.ts';
import { problemOf } from '../context/failures.ts';
import { paidAmountProblem, yieldAmountProblem } from '../operations/check-amounts.ts';
import { isOneDigit, taxIdProblem } from '../operations/check-payer.ts';
import { evmProblem, keyNameProblem, solanaProblem } from '../operations/check-receivers.ts';

/** Checks an address by the rule of the review. The service checks addresses of unknown chains. */
const walletProblem = (text: string, chain: string | undefined) => {
  if (/^0x0{40}$/.test(text)) return 'is the zero address, which nobody has a key for';
  if (chain === SOLANA) return solanaProblem(text);
  return text.startsWith('0x') || EVM_CHAINS.some(({ name }) => name === chain) ? evmProblem(text) : undefined;
};

const walletCheck =
  (walletOf: (text: string) => string, chainOf: (given: ParsedArgs) => string | undefined): AnswerValidator =>
  async (text, given, { io }) => {
    const wallet = walletOf(text);
    return (await keyNameProblem(io, wallet)) ?? walletProblem(wallet, chainOf(given));
  };

const asTyped = (text: string): string => text;

/** Checks a wallet of any chain. */
export const validateWallet = walletCheck(asTyped, () => undefined);

/** Checks a wallet on Solana. */
export const validateSolanaWallet = walletCheck(asTyped, () => SOLANA);

/** Checks the paying wallet on its chain. */
export const validatePayerWallet = walletCheck(
  asTyped,
  (given) => stringArg(given, 'chain-name') ?? EVM_CHAINS[0].name,
);

/** Checks an address of any chain, where its chain is not known yet. */
const addressProblem = async (text: string): Promise<string | undefined> => {
  if (text.startsWith('0x') || (await solanaProblem(text)) === undefined) return undefined;
  return 'is neither an EVM nor a Solana address';
};

/** Checks a receiver with its share, on the chain of the receivers. The command checks it again for a chain of a file. */
export const validateSplit: AnswerValidator = async (text, given, cli) => {
  const wallet = text.slice(0, text.lastIndexOf('='));
  const chain = stringArg(given, 'to-chain');
  const problem = await walletCheck(asTyped, () => chain)(wallet, given, cli);
  return problem ?? (chain === undefined ? addressProblem(wallet) : undefined);
};

/** Checks that an amount is not zero. */
export const validateAmount: AnswerValidator = (text) => (/[1-9]/.test(text) ? undefined : 'must be greater than zero');

/** Checks the amount of a crypto payment: also its decimals, as far as its token and chain are known. */
export const validatePaidAmount: AnswerValidator = async (text, given, cli) => {
  const problem = await validateAmount(text, given, cli);
  if (problem !== undefined || (stringArg(given, 'transaction-type') ?? 'crypto') !== 'crypto') return problem;
  const [currency, token] = [stringArg(given, 'from-currency-symbol'), stringArg(given, 'payer-token-symbol')];
  const chain = stringArg(given, 'chain-name') ?? stringArg(given, 'to-chain');
  return paidAmountProblem(cli, { amount: text, currency, token, chain });
};

/** Checks the amount of a yield operation: also its decimals, for a known token. */
export const validateYieldAmount: AnswerValidator = async (text, given, cli) =>
  (await validateAmount(text, given, cli)) ?? yieldAmountProblem(cli, text, stringArg(given, 'asset') ?? '');

/** Checks a CPF or a CNPJ. */
export const validateTaxId: AnswerValidator = (text) =>
  isOneDigit(text) ? 'must be a CPF or a CNPJ: nobody has this number' : taxIdProblem(text);

/** Checks an IP address. */
export const validateIp: AnswerValidator = (text) =>
  z.ipv4().safeParse(text).success || z.ipv6().safeParse(text).success
    ? undefined
    : 'must be an IP address, such as 203.0.113.7';

/** Checks the name of a new key. */
export const validateNewKey: AnswerValidator = (name, _, { io }) =>
  problemOf(async () => {
    assertKeyName(name);
    await openKeystore(io).assertFree(name);
  });

/** Checks that a new file does not exist yet. */
export const validateNewFile: AnswerValidator = async (path, _, { io }) =>
  path !== '-' && (await io.files.targetFacts(path)) ? 'already exists; enter another file name' : undefined;

/** Replaces a leading `~/` with the home folder, because no shell reads an answer. */
export const typedPath = ({ env }: Pick<Io, 'env'>, typed: string): string => {
  const path = typed.trim();
  const home = env['HOME'] || env['USERPROFILE'];
  return home && path.startsWith('~/') ? join(home, path.slice(2)) : path;
};

/** The problem of an input path: the file is missing or a folder. */
export const problemInFile = async ({ files }: Pick<Io, 'files'>, path: string): Promise<string | undefined> => {
  const facts = await files.targetFacts(path);
  if (!facts) return 'there is no such file';
  return facts.isFolder ? 'is a folder, not a file' : undefined;
};
