import * as z from 'zod';
import { EVM_CHAINS } from '../../contract/chains.ts';
import { SOLANA } from '../../contract/solana.ts';
import { DECIMAL } from '../../core/decimal.ts';

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
