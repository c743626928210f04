import * as z from 'zod';
import { EVM_CHAINS } from '../../contract/chains.ts';
import { email, oneOf, text, whole } from '../../contract/fields.ts';
import { atLeastOne } from '../../contract/rules.ts';
import { SOLANA } from '../../contract/solana.ts';
import { DECIMAL } from '../../core/decimal.ts';
import { SPAN } from '../clock.ts';
import { DECISIONS } from '../identity/decide.ts';

const payment_id = z.string('must be text').min(1, 'must not be empty');

/** What the calls about webhooks, Pix and cards take. */
export const MONEY_INPUTS = {
  events: z.object({ payment_id: payment_id.optional(), limit: z.coerce.number().int().min(1).max(500).default(50) }),
  deliveries: z.object({ id: z.coerce.number('must be the number of an event').int().min(1) }),
  resend: z.object({ id: z.int('must be the number of an event').min(1) }),
  webhooks: z.object({ targets: z.enum(['loopback', 'any'], 'must be loopback or any') }),
  pixOf: z.object({ payment_id }),
  pix: z.object({ payment_id, outcome: z.enum(['pay', 'refuse', 'expire'], 'must be pay, refuse or expire') }),
  card: z.object({ payment_id, outcome: z.enum(['approve', 'refuse'], 'must be approve or refuse') }),
} as const;

/** A webhook: which change it tells of, where it goes, and what came of it. */
const event = z.object({
  id: z.number(),
  payment_id: z.string(),
  payment_status: z.string(),
  state: z.enum(['pending', 'delivered', 'failed', 'not_sent']),
  attempts: z.number(),
  url: z.string(),
  created_at: z.string(),
  last_at: z.string().nullable(),
  last_http: z.number().nullable(),
  last_answer: z.string().nullable(),
});

/** One attempt to deliver a webhook; without `http` no answer came, and `answer` says why. */
const delivery = z.object({ at: z.string(), http: z.number().nullable(), answer: z.string() });

/** What they answer with. */
export const MONEY_OUTPUTS = {
  event,
  events: z.object({ events: z.array(event) }),
  deliveries: z.object({ deliveries: z.array(delivery) }),
  webhooks: z.object({ targets: z.enum(['loopback', 'any']) }),
  acted: z.object({ payment_id: z.string(), status: z.string() }),
  pix: z.object({
    payment_id: z.string(),
    txid: z.string(),
    code: z.string(),
    amount: z.string(),
    expires_at: z.string(),
  }),
} as const;

export type SentEvent = z.infer<typeof event>;
export type Delivery = z.infer<typeof delivery>;
export type Targets = z.infer<typeof MONEY_INPUTS.webhooks>['targets'];
export type PixAct = z.infer<typeof MONEY_INPUTS.pix>;
export type CardAct = z.infer<typeof MONEY_INPUTS.card>;
export type ActedOn = z.infer<typeof MONEY_OUTPUTS.acted>;
export type PixShown = z.infer<typeof MONEY_OUTPUTS.pix>;

const named = { email: email('E-mail address of a user').optional(), wallet: text('Wallet of a user').optional() };
const emailOrWallet = atLeastOne(['email', 'wallet']);

/** What the control takes about users. */
export const IDENTITY_INPUTS = {
  inbox: z.object({ to: email('Only e-mails to this address').optional() }),
  kyc: z.object({ ...named, decision: oneOf(DECISIONS, 'What is decided') }).superRefine((input, context) => {
    for (const { field, message } of emailOrWallet.check(input))
      context.addIssue({ code: 'custom', path: [field], message });
  }),
  quota: z.object({ quota: whole(0, 1_000_000, 'Sessions a month') }),
} as const;

export type DecisionInput = z.infer<typeof IDENTITY_INPUTS.kyc>;

/** What the control answers with. */
export const IDENTITY_OUTPUTS = {
  inbox: z.object({
    emails: z.array(
      z.object({
        to: z.string(),
        subject: z.string(),
        text: z.string(),
        code: z.string().nullable(),
        sent_at: z.string(),
      }),
    ),
  }),
  kyc: z.looseObject({ status: z.string(), approved: z.boolean(), is_blocklisted: z.boolean() }),
  quota: z.object({ quota: z.number() }),
} as const;

export type InboxEmail = z.infer<typeof IDENTITY_OUTPUTS.inbox>['emails'][number];
export type DecidedKyc = z.infer<typeof IDENTITY_OUTPUTS.kyc>;

/** Whether the key is to belong to no tenant. */
export const tenantInput = z.object({ without_tenant: z.boolean('must be true or false').default(false) });

/** A key, shown this once, and whose it is. */
export const tenantShape = z.object({ tenant: z.string().nullable(), api_key: z.string() });

export type NewKey = z.infer<typeof tenantShape>;

/** A fault for the next calls of an endpoint. */
export const faultInput = z.object({
  endpoint: z.string('must be text'),
  kind: z.union([z.string(), z.int()], 'must be text or a number').transform(String),
  count: z.int('must be a whole number').min(1, 'must be at least 1').max(10_000, 'must be at most 10000').default(1),
  retry_after: z.int('must be whole seconds').min(0).max(86_400).optional(),
});

const fault = z.object({
  endpoint: z.string(),
  kind: z.string(),
  count: z.number(),
  retry_after: z.number().optional(),
});

export const faultsShape = z.object({ faults: z.array(fault) });

export type FaultInput = z.input<typeof faultInput>;
export type WaitingFault = z.infer<typeof fault>;

/** What moves the clock: a span of time such as +10m or 1h30m. */
export const advanceInput = z.object({
  advance: z.string('must be text').regex(SPAN, 'must be a span of time such as +10m or 1d12h'),
});

/** The sandbox's time, and by how many milliseconds it is ahead of the machine's. */
export const clockShape = z.object({ now: z.string(), offset_ms: z.number() });

export type ClockState = z.infer<typeof clockShape>;

const NAMES = [...EVM_CHAINS.map(({ name }) => name), SOLANA] as const;
const chain = z.enum(NAMES, `must be one of ${NAMES.join(', ')}`);
const address = z.string('must be text');

/** What each call of the control takes, in its body or its query. */
export const INPUTS = {
  fund: z.object({
    address,
    chain: chain.optional(),
    token: z.string('must be text').optional(),
    amount: z
      .string('must be a decimal written as text')
      .max(40, 'is too long')
      .regex(DECIMAL, 'must be a decimal')
      .optional(),
  }),
  balances: z.object({ address, chain: chain.optional() }),
  chain: z.object({ name: chain, enabled: z.boolean('must be true or false') }),
} as const;

export type FundInput = z.infer<typeof INPUTS.fund>;
export type ChainInput = z.infer<typeof INPUTS.chain>;

/** An amount of one asset on one chain, as decimal text. */
const balance = z.object({ chain: z.string(), symbol: z.string(), amount: z.string() });

/** A chain, and what a foreign client has to know of it. */
const shownChain = z.object({
  name: z.string(),
  /** `null` on Solana, which has none. */
  chain_id: z.number().nullable(),
  coin: z.string(),
  /** Whether the service takes it. */
  enabled: z.boolean(),
  running: z.boolean(),
  /** An EVM chain starts with the first call. `null` until the Solana chain is in use. */
  rpc_url: z.string().nullable(),
  websocket_url: z.string().nullable(),
  tokens: z.array(z.object({ symbol: z.string(), address: z.string(), decimals: z.number() })),
});

/** What each call of the control answers with. */
export const OUTPUTS = {
  health: z.object({
    version: z.string(),
    pid: z.number(),
    uptime_ms: z.number(),
    chains: z.array(z.string()),
    /** Where the Solana JSON-RPC answers, its WebSocket on the next port; `null` while the chain is not in use. */
    solana_rpc: z.string().nullable(),
    /**
     * Who can connect to the EVM nodes beside the sandbox: only who enters their network namespace (`private`), or every
     * program on this machine (`loopback`). `null` while none runs, and from a sandbox without the field.
     */
    evm_access: z.enum(['private', 'loopback']).nullable().default(null),
    idle_ms: z.number(),
    ephemeral: z.boolean(),
  }),
  balances: z.object({ address: z.string(), balances: z.array(balance) }),
  chain: z.object({ name: z.string(), enabled: z.boolean() }),
  chains: z.object({ chains: z.array(shownChain) }),
  solana: z.object({ rpc_url: z.string(), websocket_url: z.string() }),
} as const;

export type Health = z.infer<typeof OUTPUTS.health>;
/** As `balance`. */
export type Balance = z.infer<typeof balance>;
export type ShownChain = z.infer<typeof shownChain>;
export type Balances = z.infer<typeof OUTPUTS.balances>;
