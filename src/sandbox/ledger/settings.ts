import { isLoopback } from '../../core/web-address.ts';
import { KYC_MONTHLY_QUOTA } from '../assumptions.ts';
import type { Ledger } from './ledger.ts';

const read = async (ledger: Ledger, name: string): Promise<string | undefined> =>
  (await ledger.selectFrom('settings').select('value').where('name', '=', name).executeTakeFirst())?.value;

const write = async (ledger: Ledger, name: string, value: string): Promise<void> => {
  await ledger
    .insertInto('settings')
    .values({ name, value })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
    .execute();
};

/** How a setting is read and written; `parse` gets its text, or `undefined` where it was never written. */
const setting = <T>(name: string, parse: (text: string | undefined) => T) =>
  [
    async (ledger: Ledger): Promise<T> => parse(await read(ledger, name)),
    (ledger: Ledger, value: NonNullable<T>): Promise<void> => write(ledger, name, String(value)),
  ] as const;

/** Milliseconds by which the sandbox's clock is ahead of the machine's. */
export const [readClockOffset, writeClockOffset] = setting('clock_offset_ms', (text) => Number(text ?? 0));

/** Verification sessions that may be opened in a month. */
export const [readKycQuota, writeKycQuota] = setting('kyc_quota', (text) => Number(text ?? KYC_MONTHLY_QUOTA));

const [readDisabled, writeDisabled] = setting('disabled_chains', (text = '') => text);

/** Names of the chains that are switched off. */
export const readDisabledChains = async (ledger: Ledger): Promise<readonly string[]> =>
  (await readDisabled(ledger)).split(' ').filter(Boolean);

/** Switches a chain on or off by its name. */
export const writeChainEnabled = (ledger: Ledger, name: string, enabled: boolean): Promise<void> =>
  ledger.transaction().execute(async (step) => {
    const others = (await readDisabledChains(step)).filter((each) => each !== name);
    await writeDisabled(step, [...others, ...(enabled ? [] : [name])].join(' '));
  });

/** Where webhooks may go; by default only to this machine. */
export const [readWebhookTargets, writeWebhookTargets] = setting(
  'webhook_targets',
  (text): Targets => (text === 'any' ? 'any' : 'loopback'),
);

/** When the Solana chain began, in milliseconds since 1970. */
export const [readSolanaGenesis, writeSolanaGenesis] = setting('solana_genesis_ms', (text) =>
  text === undefined ? undefined : Number(text),
);

/** The port of the Solana JSON-RPC when it last ran; 0 when it never did. */
export const [readSolanaPort, writeSolanaPort] = setting('solana_rpc_port', (text) => Number(text ?? 0));

/** Where webhooks may go: to this machine alone, or anywhere. */
export type Targets = 'loopback' | 'any';

/** Why a webhook may not be sent to an address; `undefined` if it may. */
export const whyNotSent = (address: string, targets: Targets): string | undefined => {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (!url || !/^https?:$/.test(url.protocol)) return 'not sent: the address is not an http or https URL';
  if (targets === 'any' || isLoopback(url.hostname)) return undefined;
  return 'not sent: the address is not on this machine, and webhooks to others are off';
};
