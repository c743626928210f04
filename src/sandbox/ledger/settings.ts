import { isLoopback } from '../../core/web-address.ts';
import { KYC_MONTHLY_QUOTA } from '../assumptions.ts';
import type { Ledger } from './ledger.ts';

const CLOCK_OFFSET = 'clock_offset_ms';
const DISABLED_CHAINS = 'disabled_chains';
const KYC_QUOTA = 'kyc_quota';
const WEBHOOK_TARGETS = 'webhook_targets';
const SOLANA_GENESIS = 'solana_genesis_ms';
const SOLANA_PORT = 'solana_rpc_port';

const read = async (ledger: Ledger, name: string): Promise<string | undefined> =>
  (await ledger.selectFrom('settings').select('value').where('name', '=', name).executeTakeFirst())?.value;

const write = async (ledger: Ledger, name: string, value: string): Promise<void> => {
  await ledger
    .insertInto('settings')
    .values({ name, value })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
    .execute();
};

/** Milliseconds by which the sandbox's clock is ahead of the machine's. */
export const readClockOffset = async (ledger: Ledger): Promise<number> =>
  Number((await read(ledger, CLOCK_OFFSET)) ?? 0);

/** As `readClockOffset`. */
export const writeClockOffset = (ledger: Ledger, milliseconds: number): Promise<void> =>
  write(ledger, CLOCK_OFFSET, String(milliseconds));

/** Verification sessions that may be opened in a month. */
export const readKycQuota = async (ledger: Ledger): Promise<number> =>
  Number((await read(ledger, KYC_QUOTA)) ?? KYC_MONTHLY_QUOTA);

/** As `readKycQuota`. */
export const writeKycQuota = (ledger: Ledger, quota: number): Promise<void> => write(ledger, KYC_QUOTA, String(quota));

/** Names of the chains that are switched off. */
export const readDisabledChains = async (ledger: Ledger): Promise<readonly string[]> =>
  ((await read(ledger, DISABLED_CHAINS)) ?? '').split(' ').filter(Boolean);

/** Switches a chain on or off by its name. */
export const writeChainEnabled = (ledger: Ledger, name: string, enabled: boolean): Promise<void> =>
  ledger.transaction().execute(async (step) => {
    const others = (await readDisabledChains(step)).filter((each) => each !== name);
    await write(step, DISABLED_CHAINS, [...others, ...(enabled ? [] : [name])].join(' '));
  });

/** Where webhooks may go; by default only to this machine. */
export const readWebhookTargets = async (ledger: Ledger): Promise<Targets> =>
  (await read(ledger, WEBHOOK_TARGETS)) === 'any' ? 'any' : 'loopback';

/** As `readWebhookTargets`. */
export const writeWebhookTargets = (ledger: Ledger, targets: Targets): Promise<void> =>
  write(ledger, WEBHOOK_TARGETS, targets);
/** When the Solana chain began, in milliseconds since 1970. */
export const readSolanaGenesis = async (ledger: Ledger): Promise<number | undefined> => {
  const kept = await read(ledger, SOLANA_GENESIS);
  return kept === undefined ? undefined : Number(kept);
};

/** As `readSolanaGenesis`. */
export const writeSolanaGenesis = (ledger: Ledger, genesisMs: number): Promise<void> =>
  write(ledger, SOLANA_GENESIS, String(genesisMs));

/** The port of the Solana JSON-RPC when it last ran; 0 when it never did. */
export const readSolanaPort = async (ledger: Ledger): Promise<number> => Number((await read(ledger, SOLANA_PORT)) ?? 0);

/** As `readSolanaPort`. */
export const writeSolanaPort = (ledger: Ledger, port: number): Promise<void> =>
  write(ledger, SOLANA_PORT, String(port));

/** Where webhooks may go: to this machine alone, or anywhere. */
export type Targets = 'loopback' | 'any';

/** Whether a webhook may be sent to an address. What is no address at all never may. */
export const isAllowed = (address: string, targets: Targets): boolean => {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (!url || !/^https?:$/.test(url.protocol)) return false;
  return targets === 'any' || isLoopback(url.hostname);
};
