import { checkInput, type Input, prepare as requestOf } from '../../../client/call.ts';
import type { Service } from '../../../client/service.ts';
import { challenge } from '../../../contract/kyc/challenge.ts';
import { create } from '../../../contract/kyc/create.ts';
import { prepare } from '../../../contract/kyc/prepare.ts';
import { prepareWallet } from '../../../contract/kyc/prepare-wallet.ts';
import { sendOtp } from '../../../contract/kyc/send-otp.ts';
import { verifyOtp as endpoint } from '../../../contract/kyc/verify-otp.ts';
import { Failure } from '../../../core/failure.ts';
import { valueAt } from '../../../core/json.ts';
import { type NextStep, nextStep } from '../../../core/next.ts';
import type { ProofRequest } from '../../../flows/kyc/prove.ts';
import type { CallResult } from '../../../flows/read-back.ts';
import { openKeystore } from '../../../keystore/keystore.ts';
import { isDryRun } from '../../argv/command-line.ts';
import { namingOptions } from '../../command/build-input.ts';
import type { Command, CommandContext } from '../../command/command.ts';
import { derive } from '../../command/derive.ts';
import { KEY, PASSWORD_OPTIONS } from '../../command/key-options.ts';
import { eitherOf, type ParsedArgs, required, sourceOption, stringArg } from '../../command/options.ts';
import { undefinedOnFailure } from '../../context/failures.ts';
import { showRequests } from '../../print/dry-run.ts';
import { printNext } from '../../print/steps.ts';
import { assertPiped, codeIn, isCodeStdin, MAX_CODE_BYTES, MISSING, rememberCode } from './codes.ts';
import { start } from './start.ts';
import { KYC_FIELDS, noteInbox, requireUser, status } from './status.ts';
import { proofRequestFrom, proveByKey } from './subject.ts';
import { PUBLIC_KYC } from './walk.ts';

/** The second request needs the challenge of the first response, so only the first one can be shown. */
const showFirst = async (cli: CommandContext, service: Service, { address }: ProofRequest): Promise<void> => {
  await cli.printNote(
    `then ${prepareWallet.method} ${prepareWallet.path} with the text of the response and its signature`,
  );
  return showRequests(cli, service, [requestOf(service, challenge, { wallet: address })]);
};

/** The key of the profile, if it names only one: with two, the wallet would be ambiguous. */
const profileKey = async (cli: CommandContext): Promise<string | undefined> => {
  const { evm, solana } = (await cli.profile()).keys ?? {};
  return evm === undefined || solana === undefined ? (evm ?? solana) : undefined;
};

const run = async (cli: CommandContext, given: ParsedArgs): Promise<void> => {
  // With several names in BURSAR_KEY, the wallet would be ambiguous.
  const [only, ...others] = (cli.io.env['BURSAR_KEY'] ?? '').split(',').filter(Boolean);
  const defaultKey = others.length > 0 ? undefined : only?.trim() || (await profileKey(cli));
  const { '--key': name } = required({ '--key': stringArg(given, 'key') || defaultKey });
  const request = await proofRequestFrom(cli, name, stringArg(given, 'email'));
  const client = await cli.client();
  if (isDryRun(cli)) return showFirst(cli, client.service, request);
  const proof = await proveByKey(cli, given, client, name, request);
  await cli.printCommitted({ ...proof, ...(request.email && { email: request.email }) });
};

/** `kyc wallet-prove`. */
export const walletProve: Command = {
  words: ['kyc', 'wallet-prove'],
  supportsDryRun: true,
  summary: 'Prove to the service that you own the wallet of a key',
  about: [
    'Gets a challenge, reviews it, signs it, and sends the signature.',
    'A recognised proof of this wallet is signed at once: a sign-in at the service (EIP-4361, Sign-In with Solana),',
    'or plain lines that name no other site, key or chain.',
    'Any other text needs your yes at a terminal. Without a terminal the command exits with 10, even with --yes.',
  ],
  options: [
    {
      ...KEY,
      usual: 'BURSAR_KEY, or the only key of the profile',
      description: 'Key of the wallet, EVM or Solana',
      question: 'Key of the wallet',
      ask: async () => (await import('../../prompt/ask-key.ts')).askKey(),
    },
    { flag: '--email', value: 'ADDRESS', description: 'E-mail address to link to the wallet' },
    ...PASSWORD_OPTIONS,
  ],
  calls: ['kyc.challenge', 'kyc.prepare-wallet'],
  fails: ['refused_by_review'],
  examples: ['kyc wallet-prove --key treasury', 'kyc wallet-prove --key payer --email payer@example.com --json'],
  run: (cli, given) => namingOptions(run(cli, given), (field) => ({ anyOf: [field === 'email' ? '--email' : field] })),
};

const OPTION = '--code-stdin';

const withCode = async (cli: CommandContext, given: ParsedArgs, input: Input): Promise<Input> => {
  // Only a code on the command line is visible to others; an answer to a prompt is not.
  if (cli.typed.given['code'] !== undefined) {
    await cli.warn(`--code is visible to other users of this machine; ${OPTION} is not`);
  }
  if (!isCodeStdin(given)) {
    if (input['code'] !== undefined || cli.io.prompt.isPossible || isDryRun(cli)) return input;
    const hasEmail = input['email'] !== undefined;
    const email = { field: 'email', message: 'required', option: '--email', ...MISSING };
    const anyOf = [OPTION, '--code'];
    const code = { field: 'code', message: 'required: the e-mailed code', option: eitherOf(anyOf), anyOf, ...MISSING };
    throw new Failure(
      'invalid_input',
      hasEmail ? 'the code is missing' : 'the e-mail address and the code are missing',
      {
        errors: hasEmail ? [code] : [email, code],
        ...(hasEmail && { next: nextStep('kyc.verify_otp', String(input['email'])) }),
      },
    );
  }
  if (input['code'] !== undefined) throw new Failure('invalid_input', `give only one of --code and ${OPTION}`);
  const { email } = input;
  assertPiped(cli.io, typeof email === 'string' ? nextStep('kyc.verify_otp', email) : undefined);
  const code = codeIn(await cli.io.stdin.readAll(MAX_CODE_BYTES));
  if (code === '') throw new Failure('invalid_input', `${OPTION}: standard input has no code`);
  return { ...input, code };
};

const WALLET = '0x1111111111111111111111111111111111111111';

/** The options that name the user of a request in a next command. */
const userIn = ({ email, wallet }: Input): readonly string[] =>
  [
    ['--email', email],
    ['--wallet', wallet],
  ].flatMap(([flag, value]) => (typeof value === 'string' && value !== '' ? [String(flag), value] : []));

/** For `after`: prints the next step, which may depend on the answer. */
const thenNext =
  (nextOf: (input: Input, data: unknown) => NextStep) =>
  (cli: CommandContext, _: ParsedArgs, { data }: CallResult, input: Input): Promise<void> =>
    printNext(cli, nextOf(input, data));

/** The text of a challenge is signed by the key of its wallet. If this machine has it, one command does the rest. */
const nextOfChallenge = async (cli: CommandContext, _: ParsedArgs, __: CallResult, { wallet }: Input) => {
  const key = await undefinedOnFailure(openKeystore(cli.io).find(String(wallet)));
  if (key) await printNext(cli, nextStep('kyc.start', { key: key.name }));
};

/** `kyc verify-otp`. */
const verifyOtp = derive(endpoint, {
  options: [
    sourceOption(OPTION, 'Read the code from standard input'),
    sourceOption('--otp-stdin', 'The same as --code-stdin'),
  ],
  fields: KYC_FIELDS,
  complete: withCode,
  after: thenNext(({ email }) => nextStep('kyc.create', ['--email', String(email)])),
  examples: [
    'kyc verify-otp --email payer@example.com --code-stdin < code.txt',
    'kyc verify-otp --email payer@example.com --code 123456',
  ],
});

/** The commands of `kyc`, in the order of the help. */
export const kyc: readonly Command[] = [
  derive(prepare, {
    fields: KYC_FIELDS,
    examples: ['kyc prepare --email payer@example.com', 'kyc prepare --email payer@example.com --json'],
    after: thenNext(({ email }, data) =>
      valueAt(data, 'email_verified') === true
        ? nextStep('kyc.create', ['--email', String(email)])
        : nextStep('kyc.send_otp', String(email)),
    ),
  }),
  derive(sendOtp, {
    fields: KYC_FIELDS,
    examples: ['kyc send-otp --email payer@example.com', 'kyc send-otp --email payer@example.com --json'],
    // A later kyc start then offers this code instead of sending a new one.
    after: async (cli, _, __, input) => {
      const { email } = checkInput(sendOtp, input);
      const service = await cli.service();
      await rememberCode(cli.io, service, String(email));
      await noteInbox(cli, service.kind, String(email));
      await printNext(cli, nextStep('kyc.verify_otp', String(email)));
    },
  }),
  verifyOtp,
  derive(challenge, {
    fields: {
      ...KYC_FIELDS,
      wallet: { ...KYC_FIELDS['wallet'], ask: async () => (await import('../../prompt/ask-key.ts')).askWallet() },
    },
    after: nextOfChallenge,
    examples: [`kyc challenge --wallet ${WALLET}`, `kyc challenge --wallet ${WALLET} --jq .message`],
  }),
  derive(prepareWallet, {
    fields: KYC_FIELDS,
    after: thenNext(({ wallet }) => nextStep('kyc.create', ['--wallet', String(wallet)])),
    examples: [
      `kyc prepare-wallet --wallet ${WALLET} --message "$MESSAGE" --signed-bytes "$SIGNATURE"`,
      'kyc prepare-wallet --body proof.json',
    ],
  }),
  walletProve,
  derive(create, {
    fields: KYC_FIELDS,
    arguments: {
      kyc_type: {
        name: 'KYC_TYPE',
        usual: `${PUBLIC_KYC}, the public one`,
        description: 'Kind of verification',
        isOptional: true,
      },
    },
    complete: requireUser,
    defaults: { kyc_type: PUBLIC_KYC },
    // An approved user gets no session.
    after: thenNext((input, data) =>
      nextStep(valueAt(data, 'session') === null ? 'kyc.status' : 'kyc.status.wait', userIn(input)),
    ),
    examples: ['kyc create --email payer@example.com', `kyc create ${PUBLIC_KYC} --wallet ${WALLET}`],
  }),
  status,
  start,
];
