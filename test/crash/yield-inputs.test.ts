import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { killedAt, type Place } from '../support/kill-at.ts';
import { type CrashYard, startCrashYard } from '../support/yield-crash.ts';

let yard: CrashYard;

beforeAll(async () => {
  yard = await startCrashYard();
});

afterAll(() => yard.end());

const ALL = ['yield', 'resume', '--all', '--yes', '--timeout', '120'];

/** The program stores the inputs between `begun` and `building`. */
const PLACES: readonly Place[] = ['journal:begun:synced', 'journal:building:before', 'journal:building:synced'];

it.each(PLACES)(
  'a resume after a kill at %s sends a field that only the body file had, and deposits once',
  async (place) => {
    const saver = await yard.saver();
    const field = `referral_of_${saver.name}`;
    const body = join(yard.home, `${saver.name}.json`);
    const request = { provider: 'provider_a', chain_name: 'solana', asset: 'USDC', amount: '4', [field]: 'yes' };
    await writeFile(body, JSON.stringify(request));
    const command = ['yield', 'deposit', '--body', body, '--key', saver.name, '--broadcast', '--yes', '--json'];
    expect((await yard.bursar(command, killedAt(place))).code).toBeNull();

    const built = yard.faults.set({ names: field, about: saver, isLasting: true });
    const { code, data } = await yard.json(ALL);

    expect({ code, data, built: built.met() }).toMatchObject({ code: 0, data: [{ status: 'settled' }], built: 1 });
    expect(await yard.position(saver, 'provider_a')).toBe('3.996');
    expect(await yard.journal.leftovers()).toEqual([]);
  },
);

it('an operation that is killed before its first journal line leaves no inputs', async () => {
  const saver = await yard.saver();
  const command = ['yield', 'deposit', '--provider', 'provider_a', '--chain-name', 'solana', '--asset', 'USDC'];
  const killed = await yard.bursar(
    [...command, '--amount', '4', '--key', saver.name, '--broadcast', '--yes', '--json'],
    killedAt('journal:begun:before'),
  );
  expect(killed.code).toBeNull();
  expect((await yard.json(ALL)).data).toEqual([]);
  expect(await yard.journal.leftovers()).toEqual([]);
  expect(await yard.position(saver, 'provider_a')).toBe('0.000');
});
