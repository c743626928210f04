import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { Leaf } from '../../src/cli/command.ts';
import { loadPay } from '../../src/cli/commands/pay/index.ts';
import type { Given } from '../../src/cli/options.ts';
import { secret } from '../../src/core/secret.ts';
import { systemHttp } from '../../src/io/http.ts';
import { CARD_FIELDS, IN_REAIS } from '../support/charge.ts';
import { testIo } from '../support/io.ts';
import { LIVE, profiled } from '../support/profiled.ts';
import { envelope, type Responder, startServer } from '../support/server.ts';

const CARD: Given = {
  ...{ 'transaction-type': 'cardcrypto', 'card-token': 'tok_1', 'payer-ip': '203.0.113.7', 'session-id': 's' },
  ...{ 'payer-name': 'Ana Souza', 'payer-document': '52998224725', 'payer-document-type': 'CPF' },
  ...Object.fromEntries(
    CARD_FIELDS.flatMap((word, at) => (at % 2 === 0 ? [[word.slice(2), CARD_FIELDS[at + 1]]] : [])),
  ),
};

type Answers = { readonly create: Responder; readonly status: Responder };

/** Runs `pay` commands of one home, in process, on a live service that answers a creation and a reading as said. */
const yard = async ({ create, status }: Answers) => {
  const { url, received } = await startServer((one, response) => {
    if (one.path.endsWith('create-order')) {
      return envelope(201, 'payment_registered', { data: { payment_id: 'pay_1' } })(one, response);
    }
    return (one.method === 'GET' ? status : create)(one, response);
  });
  const { io: plain, home, said } = await testIo();
  const random = { ...plain.random, fraction: () => 0 };
  const io = { ...plain, random, http: systemHttp(new AbortController().signal) };
  await writeFile(join(home, 'reais.json'), JSON.stringify(IN_REAIS));
  const leaves: readonly Leaf[] = await loadPay();
  const run = async (verb: string, given: Given, apiKey = 'a key of a test', profile = LIVE.profile) => {
    const all: Given = { json: true, yes: true, ...(verb === 'run' && { body: join(home, 'reais.json') }), ...given };
    const service = { ...LIVE, profile, baseUrl: url, apiKey: secret(apiKey) };
    const leaf = leaves.find(({ words }) => words[1] === verb);
    said.stdout = '';
    const failed = await leaf?.run(profiled(io, all, {}, service), all).then(
      () => undefined,
      (thrown: unknown) => thrown as { code: string; message: string; details: { hint?: string } },
    );
    return { failed, answer: said.stdout === '' ? undefined : JSON.parse(said.stdout) };
  };
  const creations = () => received.filter(({ path }) => path.endsWith('create-transaction')).length;
  return { io, run, received, creations };
};

const shown = (more: object = {}): Responder =>
  envelope(200, 'payment_found', { data: { id: 'pay_1', status: 'registered', ...more } });

it('a card in doubt is not sent again because another API key is in use', async () => {
  const { run, creations } = await yard({ create: envelope(429, 'too_many_requests'), status: shown() });
  expect((await run('run', CARD)).failed?.code).toBe('outcome_unknown');
  const again = await run('run', CARD, 'another key');
  expect([again.failed?.code, creations()]).toEqual(['outcome_unknown', 1]);
  expect(again.failed?.message).toContain('The same payment was begun');
});
