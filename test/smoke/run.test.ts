import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Journey, startJourney } from '../support/journey.ts';

type Flow = { readonly name: string; readonly status: string };

let journey: Journey;
beforeAll(async () => {
  journey = await startJourney();
});
afterAll(() => journey.end());

describe('a smoke test without faults', () => {
  it('runs all flows, and stores the run before its first call', async () => {
    const { code, data } = await journey.json(['smoke', 'run']);
    expect(code).toBe(0);
    const flows = data['flows'] as unknown as readonly Flow[];
    expect(flows.map(({ name, status }) => [name, status])).toEqual(
      ['crypto-payment', 'checkout-payment', 'kyc-email', 'kyc-wallet', 'yield', 'reads'].map((name) => [
        name,
        'passed',
      ]),
    );
    const record = await readFile(join(journey.home, 'state', 'smoke', `${String(data['run'])}.ndjson`), 'utf8');
    expect(JSON.parse(record.split('\n')[0] ?? '')).toMatchObject({ event: 'started', kind: 'sandbox' });
    expect(record).not.toMatch(/"code"|signed/);
  });
});
