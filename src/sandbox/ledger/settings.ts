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

/** The functions that read and write a setting. `parse` gets the stored text, or `undefined` for an unset one. */
const setting = <T>(name: string, parse: (text: string | undefined) => T) =>
  [
    async (ledger: Ledger): Promise<T> => parse(await read(ledger, name)),
    (ledger: Ledger, value: NonNullable<T>): Promise<void> => write(ledger, name, String(value)),
  ] as const;

/** The milliseconds by which the sandbox's clock is ahead of the machine's; 0 by default. */
export const [readClockOffset, writeClockOffset] = setting('clock_offset_ms', (text) => Number(text ?? 0));

/** The verification sessions that may be opened in a month. */
export const [readKycQuota, writeKycQuota] = setting('kyc_quota', (text) => Number(text ?? KYC_MONTHLY_QUOTA));

const [readDisabled, writeDisabled] = setting('disabled_chains', (text = '') => text);

/** The names of the chains that are switched off. */
export const readDisabledChains = async (ledger: Ledger): Promise<readonly string[]> =>
  (await readDisabled(ledger)).split(' ').filter(Boolean);

/** Switches a chain on or off by its name. */
export const writeChainEnabled = (ledger: Ledger, name: string, enabled: boolean): Promise<void> =>
  ledger.transaction().execute(async (step) => {
    const others = (await readDisabledChains(step)).filter((each) => each !== name);
    await writeDisabled(step, [...others, ...(enabled ? [] : [name])].join(' '));
  });

/** The allowed addresses of webhooks; by default only this machine. */
export const [readWebhookTargets, writeWebhookTargets] = setting(
  'webhook_targets',
  (text): Targets => (text === 'any' ? 'any' : 'loopback'),
);

/** The start of the Solana chain, in milliseconds since 1970; `undefined` before its first start. */
export const [readSolanaGenesis, writeSolanaGenesis] = setting('solana_genesis_ms', (text) =>
  text === undefined ? undefined : Number(text),
);

/** The last port of the Solana JSON-RPC; 0 before its first start. */
export const [readSolanaPort, writeSolanaPort] = setting('solana_rpc_port', (text) => Number(text ?? 0));

/** The allowed addresses of webhooks: only this machine, or any address. */
export type Targets = 'loopback' | 'any';

/** Why a webhook may not be sent to an address; `undefined` if it may. */
export const whyNotSent = (address: string, targets: Targets): string | undefined => {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (!url || !/^https?:$/.test(url.protocol)) return 'not sent: the address is not an http or https URL';
  if (targets === 'any' || isLoopback(url.hostname)) return undefined;
  return 'not sent: the address is not on this machine, and webhooks to others are off';
};
