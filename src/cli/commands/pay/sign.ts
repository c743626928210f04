import { Failure, isFailure, valueOn, withDetails } from '../../../core/failure.ts';
import { textAt } from '../../../core/json.ts';
import { assertJournalHere } from '../../../journal/open-store.ts';
import type { Command, CommandContext } from '../../command/command.ts';
import { keyOption, PASSWORD_OPTIONS } from '../../command/key-options.ts';
import { assertGiven, type ParsedArgs, stringArg } from '../../command/options.ts';
import { kindOfCryptoTx } from '../../operations/kind-of.ts';
import { addressOfKey, chooseKey, withSigningKey } from '../../operations/signing-key.ts';
import { assertPayerIsKey } from './other-fields.ts';
import { checkReviewOptions, nodeFor, nodeOfService, REVIEW_OPTIONS, RPC_OPTION, UNPAID_ID } from './plan.ts';
import { STATEMENT_OPTIONS, type StatedInput, typedIn } from './stated.ts';
import type { UnsignedOfKind } from './unsigned.ts';

const unsignedFrom = async (cli: CommandContext, given: ParsedArgs, typed: StatedInput): Promise<UnsignedOfKind> => {
  const file = stringArg(given, 'unsigned');
  const paymentId = stringArg(given, 'payment_id');
  if (file !== undefined && paymentId !== undefined) {
    throw new Failure('invalid_input', 'give a PAYMENT_ID or --unsigned FILE, one of them');
  }
  const { unsignedOfFile, unsignedOfPayment } = await import('./unsigned.ts');
  if (file === undefined) return unsignedOfPayment(cli, paymentId ?? '', typed);
  const { cryptoTx } = await cryptoTxFrom(cli, file);
  return unsignedOfFile(cryptoTx, kindOfCryptoTx(cryptoTx), typed);
};

/** Reads a crypto_tx, or an answer of the service that contains one. */
const cryptoTxFrom = async (cli: CommandContext, file: string) => {
  const { readUnsigned } = await import('../review/index.ts');
  const subject = await readUnsigned(cli.io, file).catch(valueOn('invalid_input', undefined));
  if (subject?.family === 'evm') return subject;
  const where = file === '-' ? 'standard input' : file;
  const found = subject === undefined ? 'holds no crypto_tx' : 'holds a Solana transaction';
  throw new Failure('invalid_input', `--unsigned: ${where} ${found}`, {
    hint: subject
      ? 'Sign it by bursar yield sign --transaction FILE.'
      : 'pay transaction --json prints it under crypto_tx.',
  });
};

const FACTS = ['amount-from', 'payer-token-symbol', 'chain-name', 'split'] as const;

/** The options that a file needs without a terminal, because no service shows its payment. */
const unstatedOptions = ({ io }: CommandContext, given: ParsedArgs): readonly string[] => {
  if (io.prompt.isPossible || stringArg(given, 'unsigned') === undefined || given['body'] !== undefined) return [];
  return FACTS.filter((name) => given[name] === undefined).map((name) => `--${name}`);
};

/** Loads the code after the unlocking. It loads meanwhile, because the key derivation has its own thread. */
const loadSigning = () => import('./sign-unlocked.ts');

const run = async (cli: CommandContext, given: ParsedArgs): Promise<void> => {
  const { name = '', problem } = await chooseKey(cli, given, 'evm');
  const source = stringArg(given, 'unsigned') ?? stringArg(given, 'payment_id');
  try {
    assertGiven([
      { anyOf: ['PAYMENT_ID', '--unsigned'], value: source },
      { anyOf: ['--key'], value: name, why: problem },
    ]);
  } catch (error) {
    const unstated = unstatedOptions(cli, given);
    if (!isFailure(error) || unstated.length === 0) throw error;
    const hint = `Without a terminal, or a policy of the key, state what the file pays as well: ${unstated.join(', ')}.`;
    throw withDetails(error, { hint });
  }
  // A wrong option fails before any question.
  await checkReviewOptions(cli, given);
  const typed = await typedIn(cli, given);
  if (stringArg(given, 'unsigned') !== undefined) assertPayerIsKey(typed.input, await addressOfKey(cli, name));
  await assertJournalHere(cli.io);
  const unsigned = await unsignedFrom(cli, given, typed);
  const chain = textAt(unsigned.cryptoTx, 'chain_name') ?? '';
  const node =
    stringArg(given, 'unsigned') !== undefined
      ? await nodeFor(cli, given, chain)
      : await nodeOfService(cli, given, { client: await cli.client(), chain });
  await withSigningKey(cli, given, { name, chain: 'evm', meanwhile: loadSigning }, async (key) => {
    const { signUnlocked } = await loadSigning();
    await signUnlocked(cli, given, { ...unsigned, node }, key);
  });
};

/** `pay sign`. */
export const sign: Command = {
  words: ['pay', 'sign'],
  summary: "Review and sign a payment's transaction, send nothing",
  about: [
    'What is signed is exactly what was reviewed. A terminal is asked about doubts alone, because a signature moves no money. Elsewhere only a review without doubts signs.',
    'Options of pay register and pay transaction state what you expect of the payment; none of them is sent.',
  ],
  arguments: [{ ...UNPAID_ID, isOptional: true }],
  options: [
    {
      flag: '--unsigned',
      value: 'FILE',
      readsStdin: true,
      question: 'File with the crypto_tx',
      description: 'A crypto_tx instead of a payment id, or the whole answer of pay transaction --json',
    },
    keyOption('evm'),
    ...PASSWORD_OPTIONS,
    ...REVIEW_OPTIONS,
    RPC_OPTION,
    ...STATEMENT_OPTIONS,
  ],
  calls: ['pay.status'],
  fails: ['refused_by_review', 'outcome_unknown'],
  examples: ['pay sign pay_0123 --key treasury', 'pay sign --unsigned crypto_tx.json --key treasury --json'],
  run,
};
