import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { run } from '../../../../src/cli/commands/pay/run.ts';
import { secret } from '../../../../src/core/secret.ts';
import { systemHttp } from '../../../../src/io/http/http.ts';
import { ANNA } from '../../../chain/evm/given.ts';
import { newEvmKey, newSolanaKey } from '../../../support/cheap-key.ts';
import { newHomeInProcess } from '../../../support/in-process.ts';
import { testIo } from '../../../support/io.ts';
import { PAYMENT, startJourney } from '../../../support/journey.ts';
import { livePayments } from '../../../support/live-service.ts';
import { LIVE, profiled } from '../../../support/profiled.ts';
import { startServer } from '../../../support/server.ts';

const WARNING = 'the journal is new: --intent march does not know of runs that used another folder';

/** The sandbox under an address that no built-in profile has: bursar treats it as a live service. */
const service = { url: '', apiKey: '', end: async (): Promise<void> => undefined };

beforeAll(async () => {
  const journey = await startJourney();
  const { url, api_key } = JSON.parse(await readFile(join(journey.home, 'sandbox', 'server.json'), 'utf8'));
  Object.assign(service, { url, apiKey: api_key, end: journey.end });
});

afterAll(() => service.end());

describe('--intent on a live service', () => {
  it('warns on stderr and in the result of the run that creates the journal, and only there', async () => {
    const test = await testIo({ env: { BURSAR_KEY_PASSWORD: 'pw' } });
    const { address } = await newEvmKey(test.home, 'k');
    const { url } = await startServer(livePayments(address));
    const body = join(test.home, 'payment.json');
    const split = [{ receiver_wallet: ANNA, receiver_percent: 100 }];
    await writeFile(body, JSON.stringify({ ...PAYMENT, amount_from: '1500', split_payment_config: split }));
    const http = systemHttp(new AbortController().signal);
    const io = { ...test.io, http, random: { ...test.io.random, fraction: () => 0 } };
    const pay = async (intent: string) => {
      test.said.stdout = '';
      test.said.stderr = '';
      const given = { json: true, yes: true, quiet: true, key: 'k', body, intent };
      await run.run(profiled(io, given, {}, { ...LIVE, baseUrl: url, apiKey: secret('a key of a test') }), given);
      return { warnings: JSON.parse(test.said.stdout).warnings, stderr: test.said.stderr };
    };
    expect(await pay('march')).toEqual({ warnings: [WARNING], stderr: expect.stringContaining(`warning: ${WARNING}`) });
    const second = await pay('april');
    expect(second.warnings).toBeUndefined();
    expect(second.stderr).not.toContain('--intent');
  });

  it.each<[string, (home: string) => Promise<readonly string[]>]>([
    [
      'a Pix',
      async (home) => {
        const body = join(home, 'pix.json');
        const allowed = { ...PAYMENT.payment_method_allowed, pixcrypto: true };
        const order = {
          executor_id: 'order_transaction',
          from_currency_symbol: 'BRL',
          payment_method_allowed: allowed,
        };
        const payer = { transaction_type: 'pixcrypto', payer_cpf: '52998224725' };
        await writeFile(body, JSON.stringify({ ...PAYMENT, ...order, ...payer }));
        return ['pay', 'run', '--body', body, '--no-wait'];
      },
    ],
    [
      'a withdrawal',
      async (home) => {
        await newSolanaKey(home, 'saver');
        const from = ['--provider', 'provider_a', '--chain-name', 'solana', '--asset', 'USDC', '--amount', '1'];
        return ['yield', 'withdraw', ...from, '--key', 'saver', '--broadcast'];
      },
    ],
  ])('warns for %s too, in a result or a failure', async (what, args) => {
    const { home, bursar } = await newHomeInProcess();
    const env = { BURSAR_BASE_URL: service.url, BURSAR_API_KEY: service.apiKey, BURSAR_KEY_PASSWORD: 'pw' };
    const run = [...(await args(home)), '--yes', '--intent', 'march', '--timeout', '10'];
    const { stdout, stderr } = await bursar([...run, '--json'], { env });
    expect(stderr).toContain(`warning: ${WARNING}`);
    const { error, ...result } = JSON.parse(stdout);
    expect(error === undefined, 'the withdrawal of an empty wallet fails').toBe(what === 'a Pix');
    expect((error?.data ?? result).warnings).toEqual([WARNING]);
  });
});
