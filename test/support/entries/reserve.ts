import { openGate } from '../../../src/flows/policy/gate.ts';
import { keepingRefusal } from '../../../src/flows/policy/key-policy.ts';
import { systemIo } from '../../../src/io/system.ts';
import { beginOperation } from '../../../src/journal/operation.ts';

/**
 * A process that passes the gate of a policy several times, as a signature does, and prints how often the gate allowed it.
 * Arguments: how often, the amount, the limit of the day, and the start in milliseconds since 1970.
 */
const io = systemIo(process.argv[1] ?? '');
const [times = '1', amount = '1', limit = '1', start = '0'] = process.argv.slice(2);
const service = { profile: 'acme', kind: 'live', baseUrl: 'https://acme.example', apiKey: undefined } as const;
const { profile, baseUrl } = service;
const gate = openGate({ io, service, policies: [{ profile, baseUrl, policy: { most_per_day: { USDT: limit } } }] });
const signing = { chain: 'evm', address: '0x', kind: 'live' } as const;
await io.clock.sleep(Math.max(0, Number(start) - Date.now()));
let passed = 0;
for (let at = 0; at < Number(times); at += 1) {
  const { kind } = service;
  const intent = { operation: 'sign', chain: 'polygon', wallet: '0x' } as const;
  const operation = await beginOperation(io, { profile, kind, baseUrl, intent });
  const [digest, outflows] = [`${process.pid} ${at}`, [{ token: 'USDT', amount }]];
  try {
    await keepingRefusal(operation, undefined, async () => {
      await operation.record({ step: 'reviewed', verdict: 'pass', digest, allowed: [], moves: outflows });
      await gate.assertDay(signing, operation, [{ digest, outflows }]);
    });
    passed += 1;
    await operation.record({
      step: 'signed',
      part: 1,
      payment_id: '',
      signed_transaction: '',
      hash: digest,
      from: '0x',
    });
  } catch (error) {
    if (!String(error).includes('policy.most_per_day')) throw error;
  }
}
await io.stdout.write(String(passed));
process.exit();
