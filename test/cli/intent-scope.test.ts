import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { run } from '../../src/cli/commands/pay/run.ts';
import { secret } from '../../src/core/secret.ts';
import { systemHttp } from '../../src/io/http.ts';
import { ANNA } from '../chain/evm/given.ts';
import { newEvmKey } from '../support/cheap-key.ts';
import { testIo } from '../support/io.ts';
import { PAYMENT } from '../support/journey.ts';
import { livePayments } from '../support/live-service.ts';
import { LIVE, profiled } from '../support/profiled.ts';
import { startServer } from '../support/server.ts';

const WARNING = 'the journal is new: --intent march does not know of runs that used another folder';

describe('--intent on a live service', () => {
  it('is warned about in a journal that the run itself makes, on stderr and in the result, and only there', async () => {
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
});
