import type { Review } from '../../../chain/evm/review.ts';
import { assertPasses } from '../../../chain/review/check.ts';
import type { Outflow } from '../../../chain/review/policy.ts';
import type { SolanaReview } from '../../../chain/solana/review.ts';
import { deploymentOfService } from '../../../client/service.ts';
import { type KeyChain, SOLANA } from '../../../contract/chains.ts';
import { readInbox } from '../../../contract/control/identity.ts';
import { validate } from '../../../contract/define.ts';
import { EXIT, type ExitCode, FAILURES, Failure, isFailure } from '../../../core/failure.ts';
import { isJsonObject, textAt, valueAt } from '../../../core/json.ts';
import { isSameAddress } from '../../../core/text.ts';
import type { SigningKey } from '../../../flows/turn.ts';
import type { CallOutcome, StepCall } from '../../../smoke/call.ts';
import type { SignerId } from '../../../smoke/signer.ts';
import type { CommandContext } from '../../command/command.ts';
import type { addressedControl } from '../../context/sandbox-control.ts';
import { approveReviews } from '../../operations/approving.ts';
import { nameIn } from '../../print/steps.ts';
import { gateOf } from '../../profiles/gate.ts';
import { nodeOfService } from '../pay/plan.ts';
import { printYield, witnessFor } from '../yield/context.ts';
import { statedIn } from '../yield/stated.ts';
import type { WebhookInbox } from './receiver.ts';

/** What the steps of one run share. */
export type SmokeSession = {
  readonly runId: string;
  readonly keys: Readonly<Partial<Record<KeyChain, SigningKey>>>;
  /** The control of the sandbox; `undefined` for a live service. */
  readonly control: Awaited<ReturnType<typeof addressedControl>>;
  /** Reserves an amount of --max-amount before it is signed. Throws `refused_by_review` beyond it. */
  readonly reserve: (outflows: readonly Outflow[]) => void;
  /** The transactions that this run signed: no other bytes are sent. */
  readonly signedHere: Set<string>;
  /** Adds a payment that a flow registered. */
  readonly addPayment: (flow: string, id: string) => void;
  /** Whether a flow, or one that it depends on, registered a payment, or its file or its inputs name it. No other is signed. */
  readonly isOwnPayment: (flow: string, id: string) => boolean;
  /** Adds a text that no report and no record of the run shows. */
  readonly hide: (secret: string) => void;
  readonly webhooks: WebhookInbox | undefined;
  /** Whether the webhooks of a flow go to the receiver of this run. */
  readonly usesReceiver: (flow: string) => boolean;
  /** The intent of a step: `smoke/RUN-ID/FLOW.STEP`, with a number where the step runs again. */
  readonly intentOf: (step: Pick<StepCall, 'flow' | 'step' | 'visits'>) => string;
};

type Body = Readonly<Record<string, unknown>>;

type Answered = { readonly status: string; readonly data: unknown };

const keyFor = ({ keys }: SmokeSession, chain: KeyChain): SigningKey => {
  const key = keys[chain];
  if (key) return key;
  throw new Failure('invalid_input', `no key for ${chain}: --key NAME`, { isUnsent: true });
};

/** An id that an answer chose could be that of another payment. Throws `invalid_input`, and nothing was sent. */
export const assertOwnPayment = (session: SmokeSession, { flow }: StepCall, id: unknown): void => {
  if (typeof id === 'string' && session.isOwnPayment(flow, id)) return;
  throw new Failure(
    'invalid_input',
    `nothing was signed or sent: payment ${String(id)} was not registered by this flow, and its file and inputs do not name it`,
    { isUnsent: true },
  );
};

/** Reviews the transaction of a payment against what the flow registered, and signs it. */
const signPayment = async (
  cli: CommandContext,
  session: SmokeSession,
  step: StepCall,
  body: Body,
): Promise<Answered> => {
  const { typedIn } = await import('../pay/stated.ts');
  const { unsignedOfPayment } = await import('../pay/unsigned.ts');
  const { signUnlocked } = await import('../pay/sign-unlocked.ts');
  const given = { 'pay-at-most': textAt(body, 'pay_at_most') };
  const client = await cli.client();
  assertOwnPayment(session, step, body['payment_id']);
  const unsigned = await unsignedOfPayment(cli, textAt(body, 'payment_id') ?? '', await typedIn(cli, given));
  const chain = textAt(unsigned.cryptoTx, 'chain_name') ?? '';
  const node = await nodeOfService(cli, given, { client, chain });
  let signed: unknown;
  const keep = async (value: unknown): Promise<void> => {
    signed = value;
  };
  const reserve = ({ outflows }: Review) => session.reserve(outflows);
  const toSign = { ...unsigned, node, intent_key: session.intentOf(step), reserve };
  await signUnlocked({ ...cli, printResult: keep }, given, toSign, keyFor(session, 'evm'));
  session.signedHere.add(textAt(signed, 'signed_transaction') ?? '');
  return { status: 'payment_signed', data: signed };
};

/** Reviews the transactions of a yield operation against what the step states, and signs them. */
const signYield = async (cli: CommandContext, session: SmokeSession, step: StepCall, body: Body): Promise<Answered> => {
  const { solanaNetworkFor } = await import('../../../chain/solana/network.ts');
  const { signAlone } = await import('../../../flows/yield/sign.ts');
  const { nodeFrom } = await import('../yield/context.ts');
  const client = await cli.client();
  const key = keyFor(session, SOLANA);
  const { transaction, ...facts } = body;
  const all = [transaction].flat().map(String);
  const stated = statedIn({}, { ...facts, chain_name: SOLANA }, key.address);
  const asked = stated.askedOf(all.length, key.address);
  const node = await nodeFrom(cli, {}, client);
  const reviewing = {
    network: solanaNetworkFor(client.service.kind),
    overrides: {},
    node,
    witness: witnessFor(client, node),
    nameOf: nameIn(cli),
    gate: await gateOf(cli),
    on: printYield(cli),
    approve: async (reviews: readonly SolanaReview[]) => {
      if (!(await approveReviews(cli, { reviews, doubtful: 'Sign it?' }))) return false;
      session.reserve(reviews.flatMap(({ outflows }) => outflows));
      return true;
    },
  };
  const toReview = all.map((each, at) => ({ transaction: each, asked: asked[at], unstated: stated.unstated }));
  const purpose = {
    stated: stated.statement,
    intent_key: session.intentOf(step),
    ...deploymentOfService(client.service),
  };
  const signed = (await signAlone(reviewing, toReview, key, purpose)).map((each) => each.signed);
  const [first] = signed;
  const texts = signed.map(({ signed_transaction }) => signed_transaction);
  for (const text of texts) session.signedHere.add(text);
  const op_signed = texts.length === 1 ? texts[0] : texts;
  return { status: 'yield_signed', data: { op_signed, hash: first?.hash, from: key.address } };
};

/** Reviews a challenge, and signs it if every check passes. */
const signChallenge = async (cli: CommandContext, session: SmokeSession, body: Body): Promise<Answered> => {
  const wallet = textAt(body, 'wallet') ?? '';
  const found = Object.entries(session.keys).find(([, key]) => key && isSameAddress(key.address, wallet));
  if (found === undefined) throw new Failure('invalid_input', `no key of this run is that of ${wallet}`);
  const [chain, key] = found as [KeyChain, SigningKey];
  const { reviewChallenge, signChallenge: sign } = await import('../../../chain/message/challenge.ts');
  const { service } = await cli.client();
  const gate = await gateOf(cli);
  const { address } = key;
  const review = reviewChallenge({
    message: textAt(body, 'message') ?? '',
    wallet,
    walletChain: chain,
    key: { chain, address },
    now: cli.io.clock.now(),
    host: new URL(service.baseUrl).host,
    hosts: (await cli.profile()).challenge_hosts,
    email: undefined,
    policy: await gate.inForce({ chain, address, kind: service.kind }),
  });
  assertPasses(review.checks, 'pass');
  return { status: 'challenge_signed', data: { signed_bytes: sign(review, 'pass', await key.open()) } };
};

/** The code of an e-mail, from the inbox of the sandbox. */
const readCode = async ({ control, hide }: SmokeSession, body: Body): Promise<Answered> => {
  const email = textAt(body, 'email') ?? '';
  if (control === undefined) {
    throw new Failure(
      'invalid_input',
      `only ${email} received the code: run this flow in the sandbox, or kyc start at a terminal`,
    );
  }
  const { emails } = await control.call(readInbox, { to: email });
  const { code } = emails.find((each) => each.code) ?? {};
  if (!code) throw new Failure('not_found', `no e-mail to ${email} has a code`);
  hide(code);
  return { status: 'code_found', data: { code } };
};

const awaitWebhook = async (
  cli: CommandContext,
  { webhooks, usesReceiver }: SmokeSession,
  step: StepCall,
  body: Body,
): Promise<Answered> => {
  const paymentId = textAt(body, 'payment_id') ?? '';
  if (webhooks === undefined || !usesReceiver(step.flow))
    return { status: 'webhook_awaited', data: { state: 'not_checked', statuses: [] } };
  const { deadline } = await cli.client();
  const left = (deadline - cli.io.clock.monotonic()) / 1000;
  const seconds = Math.min(Number(valueAt(body, 'seconds')), left);
  return { status: 'webhook_awaited', data: await webhooks.wait(paymentId, textAt(body, 'status'), seconds) };
};

const answer = (cli: CommandContext, session: SmokeSession, step: StepCall, body: Body): Promise<Answered> => {
  const id = step.operation.endpoint.id as SignerId;
  switch (id) {
    case 'sign.payment':
      return signPayment(cli, session, step, body);
    case 'sign.yield':
      return signYield(cli, session, step, body);
    case 'sign.challenge':
      return signChallenge(cli, session, body);
    case 'read.code':
      return readCode(session, body);
    case 'await.webhook':
      return awaitWebhook(cli, session, step, body);
    default:
      return id satisfies never;
  }
};

/** The HTTP status of a failure of the signer, by its exit code. */
const httpOf = (exit: ExitCode): number => {
  if (exit === EXIT.refusedByReview) return 403;
  return exit === EXIT.usage ? 400 : 502;
};

/** Answers an operation of the signer in process, with an envelope as the service has one. */
export const answerSigner = async (
  cli: CommandContext,
  session: SmokeSession,
  step: StepCall,
): Promise<CallOutcome> => {
  const { endpoint } = step.operation;
  const { body } = step.parts;
  const request = { method: endpoint.method, url: `signer:${endpoint.path}`, request: step.parts };
  const answered = (statusCode: number, fields: object) => ({
    ...request,
    response: { statusCode, header: {}, body: { statusCode, success: statusCode < 300, ...fields } },
  });
  try {
    const checked = validate(endpoint, isJsonObject(body) ? body : {});
    if (!checked.ok) {
      const [problem] = checked.problems;
      throw new Failure('invalid_input', `${problem?.field}: ${problem?.message}`);
    }
    const { status, data } = await answer(cli, session, step, checked.input);
    return { exchange: answered(200, { status, message: '', data }), lines: [] };
  } catch (error) {
    if (!isFailure(error) || error.code === 'interrupted') throw error;
    const http = httpOf(FAILURES[error.code]);
    const { errors = [], namesErrors } = error.details;
    // The message of a review has the messages of its checks.
    const others = namesErrors || error.code === 'refused_by_review' ? [] : errors;
    const wrong = others.map(({ field, message: each }) => `${field}: ${each}`);
    const message = [error.message, ...wrong].join('; ');
    return {
      exchange: answered(http, { status: error.code, message }),
      failure: new Failure(error.code, message, { ...error.details, http }),
      lines: [`> ${endpoint.method} ${endpoint.path} (answered by bursar)`, `< ${message}`],
    };
  }
};
