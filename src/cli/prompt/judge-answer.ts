import * as z from 'zod';
import { EVM_CHAINS } from '../../contract/chains.ts';
import { SOLANA } from '../../contract/solana.ts';
import { isTaxId } from '../../core/tax-id.ts';
import type { Command } from '../command/command.ts';
import { type ParsedArgs, stringArg } from '../command/options.ts';
import { evmProblem, solanaProblem } from '../operations/check-receivers.ts';

/** What is wrong with an answer, beside what the contract says of the field alone. */
type Judge = (text: string, command: Command, given: ParsedArgs) => Promise<string | undefined> | string | undefined;

/** An address by the rule of the review. One of a chain that nobody here knows is the service's to judge. */
const walletProblem = (text: string, chain: string | undefined) => {
  if (chain === SOLANA) return solanaProblem(text);
  return text.startsWith('0x') || EVM_CHAINS.some(({ name }) => name === chain) ? evmProblem(text) : undefined;
};

const splitProblem: Judge = (text, _, given) =>
  walletProblem(text.slice(0, text.lastIndexOf('=')), stringArg(given, 'to-chain'));

/** One digit over and over passes the sums, and is nobody's. */
const isOneDigit = (id: string): boolean => /^(\d)\1*$/.test(id);

const bare = (text: string): string => text.replaceAll(/[\s./-]/g, '').toUpperCase();

const isNumberOf = (text: string, length: number): boolean => {
  const id = bare(text);
  return id.length === length && isTaxId(id) && !isOneDigit(id);
};

const amountProblem = (text: string) => (/[1-9]/.test(text) ? undefined : 'must be greater than zero');

const isIp = (text: string): boolean => z.ipv4().safeParse(text).success || z.ipv6().safeParse(text).success;

const JUDGES: Readonly<Record<string, Judge>> = {
  '--split': splitProblem,
  '--amount-from': amountProblem,
  '--amount': amountProblem,
  '--payer-wallet': (text, _, given) => walletProblem(text, stringArg(given, 'chain-name') ?? EVM_CHAINS[0].name),
  '--wallet': (text, { words: [area] }) => walletProblem(text, area === 'yield' ? SOLANA : undefined),
  '--payer-cpf': (text) =>
    isNumberOf(text, 11) || isNumberOf(text, 14) ? undefined : 'must be a CPF or a CNPJ: its check digits are wrong',
  '--payer-ip': (text) => (isIp(text) ? undefined : 'must be an IP address, such as 203.0.113.7'),
};

/** Holds an answer against what the service or the review would say of it later. */
export const judgeAnswer: (flag: string, ...about: Parameters<Judge>) => ReturnType<Judge> = (flag, ...about) =>
  JUDGES[flag]?.(...about);
