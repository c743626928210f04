import { mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isFailure } from '../../src/core/failure.ts';
import { readFlows } from '../../src/smoke/read-flows.ts';
import { startBursar } from '../support/bursar.ts';
import { SANDBOX_ENV } from '../support/cheap-key.ts';
import { temporaryFolder } from '../support/io.ts';
import { type Journey, type Meddler, PAYMENT, RECEIVERS, startJourney } from '../support/journey.ts';
import { livePayments } from '../support/live-service.ts';
import { envelope, type Received, startServer } from '../support/server.ts';

type Fields = Readonly<Record<string, unknown>>;

const document = (...workflows: readonly Fields[]): string =>
  JSON.stringify({
    arazzo: '1.0.1',
    info: { title: 'Test', version: '1.0.0' },
    sourceDescriptions: [{ name: 'service', type: 'openapi', url: './openapi.json' }],
    workflows,
  });

const inputs = (...names: readonly string[]): Fields => ({
  inputs: { type: 'object', properties: Object.fromEntries(names.map((name) => [name, { type: 'string' }])) },
});

const step = (stepId: string, operationId: string, payload?: Fields, more: Fields = {}): Fields => ({
  stepId,
  operationId,
  ...(payload && { requestBody: { contentType: 'application/json', payload } }),
  ...more,
});

const id = { outputs: { payment_id: '$response.body#/data/payment_id' } };
const bytes = {
  outputs: { signed_transaction: '$response.body#/data/signed_transaction', hash: '$response.body#/data/hash' },
};
const PAYMENT_ID = '$steps.register.outputs.payment_id';

/** The steps of a payment of 1 USDT by the key `payer`. */
const paying = (wallet: string, execute: Fields = {}): readonly Fields[] => [
  step(
    'register',
    'payRegister',
    {
      executor_id: 'api_transaction',
      tenant_data: { public_client_id: `client_${'0'.repeat(32)}`, webhook_url: 'https://shop.example/hook' },
      payment_method_allowed: { pixcrypto: false, cardcrypto: false, cardfiat: false, cryptopix: false, crypto: true },
      split_payment_config: [{ receiver_wallet: RECEIVERS[0], receiver_percent: 100 }],
      gateway_method: 'direct',
      from_currency_symbol: 'USDT',
      amount_from: '1',
      to_currency_symbol: 'USDT',
      to_chain: 'polygon',
      on_ramp: false,
    },
    id,
  ),
  step('transaction', 'payTransaction', {
    payment_id: PAYMENT_ID,
    transaction_type: 'crypto',
    payer_email: 'payer@example.com',
    payer_wallet: wallet,
    chain_name: 'polygon',
    payer_token_symbol: 'USDT',
  }),
  step('sign', 'signPayment', { payment_id: PAYMENT_ID }, bytes),
  step(
    'execute',
    'payExecute',
    {
      executor_id: 'api_transaction',
      payment_id: PAYMENT_ID,
      signed_transaction: '$steps.sign.outputs.signed_transaction',
    },
    execute,
  ),
];

let journey: Journey;
beforeAll(async () => {
  journey = await startJourney();
  await writeFile(join(journey.home, 'payment.json'), JSON.stringify(PAYMENT));
});
afterAll(() => journey.end());

const write = async (name: string, text: string): Promise<string> => {
  const path = join(journey.home, `${name}.arazzo.json`);
  await writeFile(path, text);
  return path;
};

type Report = {
  readonly run: string;
  readonly flows: readonly { name: string; status: string; steps: readonly Fields[]; cleanup?: readonly Fields[] }[];
};

const smoke = async (args: readonly string[]) => {
  const { code, data } = await journey.json(['smoke', 'run', ...args]);
  const failure = data['error'] as unknown as { data: Report; message: string } | undefined;
  return { code, report: (failure?.data ?? data) as unknown as Report, text: JSON.stringify(data) };
};

const received = () => journey.balance(RECEIVERS[0]);

/** Answers each call of execute with a refusal, before it reaches the service: the signed bytes stay live. */
const refusing =
  (message: string): Meddler =>
  async ({ path }, forward) =>
    path.endsWith('/on-chain')
      ? { status: 400, body: JSON.stringify({ statusCode: 400, success: false, status: 'invalid_chain', message }) }
      : forward();

/** Drops each call of execute before it reaches the service. */
const dropping: Meddler = async ({ path }, forward, response) => {
  if (!path.endsWith('/on-chain')) return forward();
  response.destroy();
  return undefined;
};

const problemsOf = async (...workflows: readonly Fields[]): Promise<string> => {
  try {
    await readFlows(document(...workflows), 'f');
    return '';
  } catch (error) {
    if (!isFailure(error)) throw error;
    return (error.details.errors ?? []).map(({ message }) => message).join('\n');
  }
};

describe('a flow sends only what was signed in its run', () => {
  it('does not sign by itself in a step of execute without a signature', async () => {
    const [register, transaction] = paying(journey.address);
    const execute = step('execute', 'payExecute', { executor_id: 'api_transaction', payment_id: PAYMENT_ID });
    const file = await write('unsigned', document({ workflowId: 'unsigned', steps: [register, transaction, execute] }));
    const before = await received();
    const { code, text } = await smoke([file, '--key', 'payer']);
    expect([code, await received()]).toEqual([13, before]);
    expect(text).toContain('a flow sends only the transactions that a step of the signer has signed');
  });

  it('does not send bytes, a file or standard input that a flow names', async () => {
    for (const signed_transaction of ['@/etc/hostname', '-', '0x02f8']) {
      const execute = step('execute', 'payExecute', {
        executor_id: 'api_transaction',
        payment_id: 'pay_1',
        signed_transaction,
      });
      const { code, text } = await smoke([await write('bytes', document({ workflowId: 'bytes', steps: [execute] }))]);
      expect([code, text]).toEqual([13, expect.stringContaining('a flow sends only')]);
    }
  });

  it('does not send signed bytes in a list, which would sign another payment', async () => {
    const [register, transaction, sign] = paying(journey.address);
    const other = { ...register, stepId: 'other', outputs: id.outputs };
    const create = step('create', 'payTransaction', {
      ...((transaction as { requestBody: { payload: Fields } }).requestBody.payload as Fields),
      payment_id: '$steps.other.outputs.payment_id',
    });
    const execute = step('execute', 'payExecute', {
      executor_id: 'api_transaction',
      payment_id: '$steps.other.outputs.payment_id',
      signed_transaction: ['$steps.sign.outputs.signed_transaction'],
    });
    const steps = [register, transaction, sign, other, create, execute];
    const before = await received();
    const { code, text } = await smoke([
      await write('list', document({ workflowId: 'list', steps })),
      '--key',
      'payer',
    ]);
    expect([code, text, await received()]).toEqual([13, expect.stringContaining('a flow sends only'), before]);
  });

  it('does not sign a payment that the service names in place of its own', async () => {
    const earlier = await journey.json(['pay', 'register', '--body', join(journey.home, 'payment.json')]);
    const other = String(earlier.data['payment_id']);
    const [register, transaction] = paying(journey.address);
    const status = step('status', 'payStatus', undefined, {
      parameters: [{ name: 'id', in: 'path', value: PAYMENT_ID }],
      outputs: { id: '$response.body#/data/id' },
    });
    const sign = step('sign', 'signPayment', { payment_id: '$steps.status.outputs.id' });
    const steps = [register, transaction, status, sign];
    const file = await write('swapped', document({ workflowId: 'swapped', steps }));
    const swapping: Meddler = async ({ path }, forward) => {
      const answer = await forward();
      if (!path.endsWith('/status')) return answer;
      return { ...answer, body: answer.body.replace(/"id":"pay_[0-9a-f]+"/, `"id":"${other}"`) };
    };
    const before = await journey.signatures();
    const { code, text } = await journey.through(swapping, () => smoke([file, '--key', 'payer']));
    expect([code, text]).toEqual([13, expect.stringContaining(`payment ${other} was not registered by this flow`)]);
    expect(await journey.signatures()).toBe(before);
  });

  it('states nothing by a parameter, which no check of the file reads', async () => {
    const [register = {}] = paying(journey.address);
    const { amount_from: _, ...payload } = (register['requestBody'] as { payload: Fields }).payload as Fields & {
      amount_from: string;
    };
    const steps = [
      step('register', 'payRegister', payload, { parameters: [{ name: 'amount_from', in: 'query', value: '7' }] }),
    ];
    const { code, text } = await smoke([await write('query', document({ workflowId: 'query', steps }))]);
    expect([code, text]).toEqual([13, expect.stringContaining('amount_from')]);
  });

  it('ends with 11 for an unknown outcome, whatever its criteria accept', async () => {
    const execute = { successCriteria: [{ condition: '$statusCode >= 500' }] };
    const file = await write('accepts', document({ workflowId: 'accepts', steps: paying(journey.address, execute) }));
    const failing: Meddler = async ({ path }, forward) =>
      path.endsWith('/on-chain')
        ? {
            status: 503,
            body: JSON.stringify({ statusCode: 503, success: false, status: 'server_error', message: '' }),
          }
        : forward();
    const { code } = await journey.through(failing, () => smoke([file, '--key', 'payer']));
    expect(code).toBe(11);
    expect((await smoke([file, '--key', 'payer'])).code).toBe(0);
  });
});

describe('a run in doubt', () => {
  it('in a called workflow is settled, and nothing of the flow is run again', async () => {
    const file = await write(
      'called',
      document(
        { workflowId: 'main', steps: [{ stepId: 'call', workflowId: 'payer' }] },
        { workflowId: 'payer', steps: paying(journey.address) },
      ),
    );
    const before = await received();
    const first = await journey.through(dropping, () => smoke([file, '--key', 'payer']));
    expect([first.code, await received()], first.text).toEqual([11, before]);
    const second = await smoke([file, '--key', 'payer']);
    expect([second.code, second.report.run, await received()]).toEqual([13, first.report.run, before + 1]);
    expect(second.text).toContain('the rest of the flow was not run');
    const third = await smoke([file, '--key', 'payer']);
    expect([third.code, await received()]).toEqual([0, before + 2]);
    expect(third.report.run).not.toBe(first.report.run);
  });

  it('is left alone by another command, which names it, and by another file of the same name', async () => {
    const file = await write('doubt', document({ workflowId: 'doubt', steps: paying(journey.address) }));
    const before = await received();
    const first = await journey.through(dropping, () => smoke([file, '--key', 'payer']));
    expect(first.code).toBe(11);
    const other = await journey.bursar(['smoke', 'run', 'reads']);
    expect([other.code, await received()]).toEqual([0, before]);
    expect(other.stdout).toContain('reads: passed');
    expect(other.stderr).toContain(`run ${first.report.run} of doubt is in doubt`);
    const again = await smoke([file, '--key', 'payer']);
    expect([again.code, again.report.run, await received()]).toEqual([0, first.report.run, before + 1]);
  });

  it('follows a refusal that leaves signed bytes live', async () => {
    const file = await write('live-bytes', document({ workflowId: 'live-bytes', steps: paying(journey.address) }));
    const before = await received();
    const first = await journey.through(refusing('no such chain'), () => smoke([file, '--key', 'payer']));
    expect([first.code, await received()], first.text).toEqual([11, before]);
    const second = await smoke([file, '--key', 'payer']);
    expect([second.code, second.report.run, await received()]).toEqual([0, first.report.run, before + 1]);
  });

  it('stays in doubt while the service refuses bytes that stay live', async () => {
    const file = await write('refused', document({ workflowId: 'refused', steps: paying(journey.address) }));
    const before = await received();
    const run = () => smoke([file, '--key', 'payer']);
    const codes = await journey.through(refusing('no such chain'), async () => [
      (await run()).code,
      (await run()).code,
      (await run()).code,
    ]);
    expect([codes, await received()]).toEqual([[11, 11, 11], before]);
    expect([(await run()).code, await received()]).toEqual([0, before + 1]);
  });

  it('is the same run in whatever order its inputs are given', async () => {
    const main = { workflowId: 'ordered', ...inputs('one', 'two'), steps: paying(journey.address) };
    const args = [await write('ordered', document(main)), '--key', 'payer'];
    const before = await received();
    const first = await journey.through(dropping, () => smoke([...args, '--input', 'one=1', '--input', 'two=2']));
    expect(first.code).toBe(11);
    const second = await smoke([...args, '--input', 'two=2', '--input', 'one=1']);
    expect([second.code, second.report.run, await received()]).toEqual([0, first.report.run, before + 1]);
  });

  it('of a yield operation is settled by the same command', async () => {
    const lost: Meddler = async ({ path }, forward, response) => {
      const answer = await forward();
      if (!path.endsWith('/yield/broadcast')) return answer;
      response.destroy();
      return undefined;
    };
    const first = await journey.through(lost, () => smoke(['yield']));
    expect(first.code, first.text).toBe(11);
    const second = await smoke(['yield']);
    expect([second.code, second.report.run]).toEqual([13, first.report.run]);
    expect(second.text).toContain('the rest of the flow was not run');
    expect((await smoke(['yield'])).code).toBe(0);
  });

  it('is found behind half a line of a crash, and in a record without what later versions add', async () => {
    const file = await write('torn', document({ workflowId: 'torn', steps: paying(journey.address) }));
    const first = await journey.through(dropping, () => smoke([file, '--key', 'payer']));
    const path = join(journey.home, 'state', 'smoke', `${first.report.run}.ndjson`);
    const lines = (await readFile(path, 'utf8')).split('\n').filter((line) => !line.includes('"ended"'));
    const older = lines.map((line) => line.replace(/,"doubts":\[.*?\](?=\})/, ''));
    await writeFile(path, `${older.join('\n')}{"event":"flo`);
    const before = await received();
    const second = await smoke([file, '--key', 'payer']);
    expect([second.code, second.report.run, await received()]).toEqual([0, first.report.run, before + 1]);
    expect((await smoke([file, '--key', 'payer'])).report.run).not.toBe(first.report.run);
  });

  it('that another command settled is reported by the same command, which pays nothing', async () => {
    const file = await write('elsewhere', document({ workflowId: 'elsewhere', steps: paying(journey.address) }));
    const before = await received();
    const first = await journey.through(dropping, () => smoke([file, '--key', 'payer']));
    expect(first.code).toBe(11);
    expect((await journey.bursar(['pay', 'resume', '--all', '--yes'])).code).toBe(0);
    expect((await journey.bursar(['smoke', 'run', 'reads'])).code).toBe(0);
    const second = await smoke([file, '--key', 'payer']);
    expect([second.code, second.report.run, await received()]).toEqual([0, first.report.run, before + 1]);
    expect((await smoke([file, '--key', 'payer'])).report.run).not.toBe(first.report.run);
  });

  it('that another command settled waits for the same command, also while other inputs are run', async () => {
    const main = { workflowId: 'waits', ...inputs('note'), steps: paying(journey.address) };
    const file = await write('waits', document(main));
    const run = (note: string) => smoke([file, '--key', 'payer', '--input', `note=${note}`]);
    const before = await received();
    const first = await journey.through(dropping, () => run('one'));
    expect(first.code).toBe(11);
    expect((await journey.bursar(['pay', 'resume', '--all', '--yes'])).code).toBe(0);
    expect([(await run('two')).code, await received()]).toEqual([0, before + 2]);
    const second = await run('one');
    expect([second.code, second.report.run, await received()]).toEqual([0, first.report.run, before + 2]);
    expect([(await run('one')).code, await received()]).toEqual([0, before + 3]);
  });

  it('is found where its flow has the name of a property that every object has', async () => {
    const file = await write('named', document({ workflowId: '__proto__', steps: paying(journey.address) }));
    const before = await received();
    const first = await journey.through(dropping, () => smoke([file, '--key', 'payer']));
    expect(first.code).toBe(11);
    const second = await smoke([file, '--key', 'payer']);
    expect([second.code, second.report.run, await received()]).toEqual([0, first.report.run, before + 1]);
  });

  it('keeps a doubt of its flow that has no operation, beside one that has', async () => {
    const file = await write('double', document({ workflowId: 'double', steps: paying(journey.address) }));
    const first = await journey.through(dropping, () => smoke([file, '--key', 'payer']));
    const path = join(journey.home, 'state', 'smoke', `${first.report.run}.ndjson`);
    const doubt = '{"flow":"double","step":"charge","text":"no answer","next":""}';
    await writeFile(path, (await readFile(path, 'utf8')).replace('"doubts":[', `"doubts":[${doubt},`));
    const before = await received();
    const second = await smoke([file, '--key', 'payer']);
    expect([second.code, second.report.run, await received()]).toEqual([11, first.report.run, before + 1]);
    const third = await smoke([file, '--key', 'payer']);
    expect([third.code, third.text]).toEqual([11, expect.stringContaining('cannot settle step charge of double')]);
    expect([(await smoke([file, '--key', 'payer'])).code, await received()]).toEqual([0, before + 2]);
  });

  it('over a payment that failed although money moved is reported once more before a new one', async () => {
    const file = await write('moved', document({ workflowId: 'moved', steps: paying(journey.address) }));
    const lying: Meddler = async ({ path }, forward) => {
      const answer = await forward();
      if (path.endsWith('/on-chain'))
        return { status: 500, body: '{"statusCode":500,"success":false,"status":"x","message":""}' };
      return path.endsWith('/status')
        ? { ...answer, body: answer.body.replace('"status":"success"', '"status":"error"') }
        : answer;
    };
    const before = await received();
    const first = await journey.through(lying, () => smoke([file, '--key', 'payer']));
    expect([first.code, await received()], first.text).toEqual([11, before + 1]);
    const second = await smoke([file, '--key', 'payer']);
    expect([second.code, second.report.run, await received()], second.text).toEqual([13, first.report.run, before + 1]);
    const third = await smoke([file, '--key', 'payer']);
    expect([third.code, await received()]).toEqual([0, before + 2]);
  });

  it('is resumed by its flows in another order, also with secret inputs', async () => {
    const flow = (workflowId: string, steps: readonly Fields[]) => ({
      workflowId,
      ...inputs(`${workflowId}_secret`),
      steps,
    });
    const one = await write('first', document(flow('first', paying(journey.address))));
    const two = await write('second', document(flow('second', [step('products', 'productsList')])));
    const given = ['--key', 'payer', '--input', 'first_secret=aaaa', '--input', 'second_secret=bbbb'];
    const first = await journey.through(dropping, () => smoke([one, two, ...given]));
    expect(first.code).toBe(11);
    const second = await smoke([two, one, ...given]);
    expect([second.code, second.report.run]).toEqual([0, first.report.run]);
  });

  it('does not go on with a step that reads a wallet of the sandbox, which is another one now', async () => {
    const steps = (wallet: string): readonly Fields[] => [
      ...paying('$inputs.wallet'),
      step('challenge', 'kycChallenge', { wallet }),
    ];
    const properties = { wallet: { type: 'string' }, who: { type: 'string', default: '$inputs.wallet' } };
    for (const wallet of ['$inputs.wallet', '$inputs.who']) {
      const main = {
        workflowId: 'wallets',
        inputs: { type: 'object', properties },
        'x-bursar-inputs': { wallet: { from: 'evm-key' } },
        steps: steps(wallet),
      };
      const file = await write('wallets', document(main));
      const first = await journey.through(dropping, () => smoke([file]));
      expect(first.code, first.text).toBe(11);
      const second = await smoke([file]);
      expect([second.code, second.text]).toEqual([13, expect.stringContaining('the rest of the flow was not run')]);
    }
  });

  it('goes on with a step that reads an address of the user, which its record does not have', async () => {
    const main = {
      workflowId: 'addressed',
      ...inputs('hook'),
      'x-bursar-inputs': { hook: { from: 'receiver' } },
      steps: [
        ...paying(journey.address),
        step('products', 'productsList', undefined, {
          parameters: [{ name: 'x-note', in: 'header', value: '$inputs.hook' }],
        }),
      ],
    };
    const hook = 'https://user:plainsecret9@shop.example/hook';
    const args = [await write('addressed', document(main)), '--key', 'payer', '--input', `hook=${hook}`];
    const first = await journey.through(dropping, () => smoke(args));
    expect(first.code, first.text).toBe(11);
    const record = join(journey.home, 'state', 'smoke', `${first.report.run}.ndjson`);
    expect(await readFile(record, 'utf8')).not.toContain('plainsecret9');
    const second = await smoke(args);
    expect([second.code, second.report.flows[0]?.steps.length]).toEqual([0, 2]);
  });

  it('shows no secret of its inputs that the service repeats to the resume', async () => {
    const properties = { box: { type: 'string', format: 'password' } };
    const main = { workflowId: 'repeats', inputs: { type: 'object', properties }, steps: paying(journey.address) };
    const args = [await write('repeats', document(main)), '--key', 'payer', '--input', 'box=plainsecret9'];
    const texts = await journey.through(refusing('bad plainsecret9'), async () => [
      await smoke(args),
      await smoke(args),
    ]);
    const record = join(journey.home, 'state', 'smoke', `${texts[0]?.report.run}.ndjson`);
    expect(texts.map(({ code }) => code)).toEqual([11, 11]);
    for (const text of [...texts.map((one) => one.text), await readFile(record, 'utf8')])
      expect(text).not.toContain('plainsecret9');
    expect((await smoke(args)).code).toBe(0);
  });

  it('skips the other flows of its wallet, which would use its nonce', async () => {
    const flows = ['one', 'two'].map((workflowId) => ({ workflowId, steps: paying(journey.address) }));
    const file = await write('lanes', document(...flows));
    const before = await received();
    const first = await journey.through(dropping, () => smoke([file, '--key', 'payer']));
    const statuses = ({ flows: all }: Report) => all.map(({ status }) => status);
    expect([first.code, statuses(first.report)]).toEqual([11, ['in_doubt', 'skipped']]);
    expect(first.text).toContain('an operation of its wallet is in doubt');
    const second = await smoke([file, '--key', 'payer']);
    expect([second.code, statuses(second.report), await received()]).toEqual([13, ['passed', 'skipped'], before + 1]);
    const third = await smoke([file, '--key', 'payer']);
    expect([third.code, await received()]).toEqual([0, before + 3]);
  });

  it('does not go on where an action decides by the lost answer', async () => {
    const goto = { onSuccess: [{ name: 'x', type: 'goto', stepId: 'happy' }] };
    const ends = ['sad', 'happy'].map((name) => step(name, 'productsList'));
    const file = await write(
      'branch',
      document({ workflowId: 'branch', steps: [...paying(journey.address, goto), ...ends] }),
    );
    expect((await journey.through(dropping, () => smoke([file, '--key', 'payer']))).code).toBe(11);
    const { code, text } = await smoke([file, '--key', 'payer']);
    expect([code, text]).toEqual([13, expect.stringContaining('the rest of the flow was not run')]);
    expect(text).not.toContain('"sad"');
  });

  it('is not resumed with other secret inputs, and its next command settles it', async () => {
    const main = { workflowId: 'guarded', ...inputs('my_secret'), steps: paying(journey.address) };
    const file = await write('guarded', document(main));
    const run = (value: string) => smoke([file, '--key', 'payer', '--input', `my_secret=${value}`]);
    const before = await received();
    expect(await journey.through(dropping, () => run('one'))).toMatchObject({ code: 11 });
    const { code, text } = await run('two');
    expect([code, text]).toEqual([11, expect.stringContaining('it had other secret inputs')]);
    const next = /bursar pay resume (\S+?)"/.exec(text)?.[1] ?? '';
    expect((await journey.bursar(['pay', 'resume', next, '--yes'])).code).toBe(0);
    expect([(await run('two')).code, await received()]).toEqual([0, before + 2]);
  });

  it('without an operation of its own is shown once more, before the same command pays again', async () => {
    const charge = step('charge', 'payTransaction', {
      payment_id: PAYMENT_ID,
      transaction_type: 'cardfiat',
      payer_email: 'payer@example.com',
      payer_cpf: '52998224725',
      payer_name: 'Anna Payer',
      card_data: {
        card: {
          number: '4111111111111111',
          exp_month: 12,
          exp_year: 2030,
          security_code: '123',
          holder: { name: 'Anna Payer' },
        },
      },
    });
    const [register = {}] = paying(journey.address);
    const payload = (register['requestBody'] as { payload: Fields }).payload;
    const methods = { ...(payload['payment_method_allowed'] as Fields), cardfiat: true };
    const order = step('register', 'payRegister', { ...payload, payment_method_allowed: methods }, id);
    const file = await write('card', document({ workflowId: 'card', steps: [order, charge] }));
    const dropped: Meddler = async ({ path }, forward, response) => {
      if (!path.endsWith('intents-create-transaction')) return forward();
      response.destroy();
      return undefined;
    };
    expect((await journey.through(dropped, () => smoke([file]))).code).toBe(11);
    expect((await journey.bursar(['smoke', 'run', 'reads'])).code).toBe(0);
    const calls = async () =>
      (await journey.bursar(['sandbox', 'logs', '--json'])).stdout.split('intents-create-order').length;
    const before = await calls();
    const { code, text } = await smoke([file]);
    expect([code, text, await calls()]).toEqual([
      11,
      expect.stringContaining('bursar cannot settle step charge'),
      before,
    ]);
    await smoke([file]);
    expect(await calls()).toBe(before + 1);
  });

  it('reports flows that failed beside it, and those that never ran, after its resume', async () => {
    const file = await write(
      'beside',
      document(
        { workflowId: 'pays', steps: paying(journey.address) },
        {
          workflowId: 'bad',
          steps: [
            step('products', 'productsList', undefined, { successCriteria: [{ condition: '$statusCode == 0' }] }),
          ],
        },
        { workflowId: 'late', dependsOn: ['bad'], steps: [step('products', 'productsList')] },
      ),
    );
    expect((await journey.through(dropping, () => smoke([file, '--key', 'payer']))).code).toBe(11);
    const { code, report } = await smoke([file, '--key', 'payer']);
    expect([code, report.flows.map(({ name, status }) => `${name} ${status}`)]).toEqual([
      13,
      ['pays passed', 'bad failed', 'late skipped'],
    ]);
  });
});

describe('a file is refused before anything is sent', () => {
  const [register = {}, ...others] = paying('$inputs.wallet');
  const payload = (register['requestBody'] as { payload: Fields }).payload;
  const withPayload = (more: Fields): Fields => ({
    ...register,
    requestBody: { contentType: 'application/json', payload: { ...payload, ...more } },
  });
  const quote = step('quote', 'quoteMarket', undefined, { outputs: { price: '$response.body#/data/price' } });
  const flow = (steps: readonly Fields[]): Fields => ({ workflowId: 'test', ...inputs('wallet', 'amount'), steps });

  it.each([
    ['an amount', { amount_from: '$steps.quote.outputs.price' }],
    [
      'a receiver',
      { split_payment_config: [{ receiver_wallet: '$steps.quote.outputs.price', receiver_percent: 100 }] },
    ],
    ['a chain', { to_chain: '{$steps.quote.outputs.price}' }],
  ])('if %s comes from an answer', async (_, more) => {
    expect(await problemsOf(flow([quote, withPayload(more), ...others]))).toContain('states what is paid');
    expect(await problemsOf(flow([quote, withPayload({ amount_from: '$inputs.amount' }), ...others]))).toBe('');
  });

  it('if a called workflow that pays takes an input from an answer', async () => {
    const call = {
      stepId: 'call',
      workflowId: 'test',
      parameters: [{ name: 'amount', value: '$steps.quote.outputs.price' }],
    };
    const main = { workflowId: 'main', steps: [quote, call] };
    expect(await problemsOf(main, flow([register, ...others]))).toContain(
      'test pays, and an input of it states what is paid',
    );
  });

  it('if a called workflow registers what an answer chose, and its caller signs it', async () => {
    const call = {
      stepId: 'call',
      workflowId: 'registers',
      parameters: [{ name: 'amount', value: '$steps.quote.outputs.price' }],
    };
    const main = { workflowId: 'main', steps: [quote, call] };
    const registers = { ...flow([withPayload({ amount_from: '$inputs.amount' })]), workflowId: 'registers' };
    expect(await problemsOf(main, registers)).toContain('registers pays, and an input of it states what is paid');
  });

  it('if a cleanup registers what an answer chose', async () => {
    const main = { workflowId: 'main', ...inputs('amount'), 'x-bursar-cleanup': 'tidy', steps: [quote] };
    const tidy = { ...flow([withPayload({ amount_from: '$inputs.price' })]), ...inputs('price'), workflowId: 'tidy' };
    expect(await problemsOf(main, tidy)).toContain('the cleanup tidy may move money or states what is paid');
  });

  it('if a goto leads back over a workflow that spends a quota', async () => {
    const spends = { workflowId: 'spends', steps: [step('send', 'kycSendOtp', { email: 'a@b.example' })] };
    const goto = { onFailure: [{ name: 'x', type: 'goto', stepId: 'call' }] };
    const main = {
      workflowId: 'main',
      steps: [
        { stepId: 'call', workflowId: 'spends' },
        { ...quote, ...goto },
      ],
    };
    expect(await problemsOf(main, spends)).toContain('a goto leads back over step call');
  });

  it.each([
    [
      'a goto leads back over a payment',
      flow([
        register,
        ...others.slice(0, 2),
        { ...others[2], onSuccess: [{ name: 'x', type: 'goto', stepId: 'register' }] },
      ]),
      'a goto leads back over step sign',
    ],
    [
      'an action of the workflow leads back over a payment',
      {
        ...flow([register, ...others]),
        successActions: [
          { name: 'x', type: 'goto', stepId: 'register', criteria: [{ condition: '$statusCode == 200' }] },
        ],
      },
      'a goto leads back over step sign',
    ],
    [
      'a goto repeats a code',
      flow([
        step(
          'send',
          'kycSendOtp',
          { email: 'a@b.example' },
          { onFailure: [{ name: 'x', type: 'goto', stepId: 'send' }] },
        ),
      ]),
      'a goto leads back over step send',
    ],
    [
      'an action leads to a workflow',
      flow([{ ...quote, onSuccess: [{ name: 'x', type: 'goto', workflowId: 'test' }] }]),
      'an action to a workflow is not supported',
    ],
    ['a field is misspelt', flow([{ ...quote, sucessCriteria: [] }]), 'a step has no field sucessCriteria'],
    [
      'a list is none',
      flow([{ ...quote, successCriteria: { condition: '$statusCode == 0' } }]),
      'successCriteria must be a list',
    ],
    ['a workflow needs itself', { ...flow([quote]), dependsOn: ['test'] }, 'needs itself in a circle'],
    [
      'a payload reads an answer that is not there',
      flow([step('x', 'kycPrepare', { email: '$response.body#/x' })]),
      'there is no answer here',
    ],
    ['a path lacks its parameter', flow([step('x', 'payStatus')]), 'step x lacks the parameter id'],
    [
      'an output of the workflow is not captured',
      { ...flow([quote]), outputs: { x: '$steps.quote.outputs.y' } },
      'step quote has no output y',
    ],
  ])('if %s', async (_, workflow, problem) => {
    expect(await problemsOf(workflow)).toContain(problem);
  });
});

describe('a step of a flow', () => {
  it('cannot set headers of the transport, and cannot leave its path', async () => {
    const cases: readonly (readonly [Fields, string])[] = [
      [
        step('x', 'productsList', undefined, { parameters: [{ name: 'Host', in: 'header', value: 'evil.example' }] }),
        'cannot set the header host',
      ],
      [
        step('x', 'productsList', undefined, { parameters: [{ name: 'x-a', in: 'header', value: 'a\r\nb: c' }] }),
        'must be printable ASCII',
      ],
      [
        step('x', 'payStatus', undefined, { parameters: [{ name: 'id', in: 'path', value: '..' }] }),
        'the parameter id of the path is',
      ],
    ];
    for (const [one, message] of cases) {
      const { code, text } = await smoke([await write('wire', document({ workflowId: 'wire', steps: [one] }))]);
      expect([code, text]).toEqual([13, expect.stringContaining(message)]);
    }
  });

  it('gives the inputs of the user to a called workflow, before its defaults', async () => {
    const called = {
      workflowId: 'called',
      inputs: { type: 'object', properties: { from: { type: 'string', default: 'BTC' } } },
      steps: [
        step('quote', 'quoteMarket', undefined, {
          parameters: [
            { name: 'from', in: 'query', value: '$inputs.from' },
            { name: 'to', in: 'query', value: 'USDT' },
          ],
          successCriteria: [{ condition: "$response.body#/data/requested/from == 'ETH'" }],
        }),
      ],
    };
    const main = { workflowId: 'main', ...inputs('from'), steps: [{ stepId: 'call', workflowId: 'called' }] };
    expect((await smoke([await write('inherit', document(main, called)), '--input', 'from=ETH'])).code).toBe(0);
  });

  it('whose pattern takes too long fails, and the cleanup of its flow runs', async () => {
    const slow = { context: '$inputs.text', type: 'regex', condition: '^(a+)+$' };
    const main = {
      workflowId: 'main',
      ...inputs('text'),
      'x-bursar-cleanup': 'tidy',
      steps: [step('products', 'productsList', undefined, { successCriteria: [slow] })],
    };
    const file = await write('slow', document(main, { workflowId: 'tidy', steps: [step('products', 'productsList')] }));
    const { code, report, text } = await smoke([file, '--input', `text=${'a'.repeat(40)}b`]);
    expect([code, report.flows[0]?.cleanup?.map(({ status }) => status)]).toEqual([13, ['passed']]);
    expect(text).toContain('was not checked within 200 ms');
  });
});

describe('a called workflow', () => {
  const called = (properties: Fields) => ({
    workflowId: 'called',
    inputs: { type: 'object', properties },
    steps: [
      step('quote', 'quoteMarket', undefined, {
        parameters: [
          { name: 'from', in: 'query', value: '$inputs.from' },
          { name: 'to', in: 'query', value: 'USDT' },
        ],
        successCriteria: [{ condition: "$response.body#/data/requested/from == 'BTC'" }],
      }),
    ],
  });
  const calling = (value: string) => ({
    workflowId: 'main',
    inputs: { type: 'object', properties: { coin: { type: 'string', default: 'BTC' } } },
    steps: [{ stepId: 'call', workflowId: 'called', parameters: [{ name: 'from', value }] }],
  });

  it('gets no value that its schema refuses', async () => {
    const file = await write(
      'schema',
      document(calling('$inputs.coin'), called({ from: { type: 'string', enum: ['ETH'] } })),
    );
    const { code, text } = await smoke([file]);
    expect([code, text]).toEqual([13, expect.stringContaining('nothing was sent: input from of called')]);
  });

  it('has its defaults with their values', async () => {
    const properties = { coin: { type: 'string' }, from: { type: 'string', default: '{$inputs.coin}' } };
    const main = { ...calling(''), steps: [{ stepId: 'call', workflowId: 'called' }] };
    expect((await smoke([await write('defaults', document(main, called(properties)))])).code).toBe(0);
  });
});

describe('an interrupt', () => {
  it('runs the cleanup once, and ends with 130', async () => {
    const main = {
      workflowId: 'main',
      'x-bursar-cleanup': 'tidy',
      steps: [
        step('wait', 'productsList', undefined, {
          successCriteria: [{ condition: '$statusCode == 0' }],
          onFailure: [{ name: 'again', type: 'retry', retryAfter: 30, retryLimit: 9 }],
        }),
      ],
    };
    const file = await write(
      'stopped',
      document(main, { workflowId: 'tidy', steps: [step('products', 'productsList')] }),
    );
    const started = startBursar(journey.home, ['smoke', 'run', file, '--reporter', 'ndjson'], { env: SANDBOX_ENV });
    const logged = async () =>
      (await journey.bursar(['sandbox', 'logs', '--json'])).stdout.split('/config/products').length - 1;
    const before = await logged();
    while ((await logged()) === before) await new Promise((resolve) => setTimeout(resolve, 50));
    started.child.kill('SIGINT');
    const { code, stdout } = await started.ended;
    const cleanup = stdout.split('\n').filter((line) => line.includes('"main cleanup"'));
    expect([code, cleanup.length]).toEqual([130, 1]);
    expect(JSON.parse(cleanup[0] ?? '{}')).toMatchObject({ status: 'passed', http: 200 });
  });
});

describe('secrets', () => {
  it('stand in no report and in no record of a run', async () => {
    const secrets = ['mysecretinput', 'deepsecretvalue', '481516'];
    const condition = ['my_password', 'otp_code', 'box'].map((name) => `$inputs.${name} == 'x'`).join(' || ');
    const main = {
      workflowId: 'main',
      inputs: {
        type: 'object',
        properties: {
          my_password: { type: 'string' },
          otp_code: { type: 'string' },
          box: { type: 'object', format: 'password' },
        },
      },
      steps: [step('products', 'productsList', undefined, { successCriteria: [{ condition }] })],
    };
    const file = await write('secrets', document(main));
    const folder = await temporaryFolder();
    const paths = ['terminal', 'tap', 'junit', 'github', 'ndjson'].map((name) => join(folder, `secret.${name}`));
    const out = paths.flatMap((path) => ['--reporter', `${extname(path).slice(1)}=${path}`]);
    const given = [
      '--input',
      'my_password=mysecretinput',
      '--input',
      'otp_code=481516',
      '--input',
      'box={"k":"deepsecretvalue"}',
    ];
    const { code, report, text } = await smoke([file, ...given, ...out]);
    expect(code).toBe(13);
    const record = join(journey.home, 'state', 'smoke', `${report.run}.ndjson`);
    const files = await Promise.all([...paths, record].map((path) => readFile(path, 'utf8')));
    for (const content of [text, ...files]) for (const secret of secrets) expect(content).not.toContain(secret);
  });
});

describe('secrets in calls', () => {
  it('stand in no report: in a query, in a body, in an answer, as a number, and as an output', async () => {
    const secrets = ['query-secret', 'body-secret', '914816'];
    const properties = {
      asset_key: { type: 'string' },
      box: { type: 'string', format: 'password' },
      otp_code: { type: 'integer' },
    };
    const steps = [
      step('kept', 'productsList', undefined, { outputs: { word: '$inputs.box' } }),
      step('quote', 'quoteMarket', undefined, {
        parameters: [
          { name: 'from', in: 'query', value: '$inputs.asset_key' },
          { name: 'to', in: 'query', value: '$inputs.otp_code' },
        ],
        onFailure: [{ name: 'x', type: 'goto', stepId: 'prepare' }],
      }),
      step('prepare', 'kycPrepare', { email: '$steps.kept.outputs.word' }),
    ];
    const main = { workflowId: 'calls', inputs: { type: 'object', properties }, steps };
    const folder = await temporaryFolder();
    const paths = ['terminal', 'tap', 'junit', 'github', 'ndjson'].map((name) => join(folder, `calls.${name}`));
    const given = [`asset_key=${secrets[0]}`, `box=${secrets[1]}`, `otp_code=${secrets[2]}`];
    const { code, report, text } = await smoke([
      await write('calls', document(main)),
      ...given.flatMap((input) => ['--input', input]),
      ...paths.flatMap((path) => ['--reporter', `${extname(path).slice(1)}=${path}`]),
    ]);
    expect([code, report.flows[0]?.steps.map(({ status }) => status)]).toEqual([13, ['passed', 'handled', 'failed']]);
    const record = join(journey.home, 'state', 'smoke', `${report.run}.ndjson`);
    const files = await Promise.all([...paths, record].map((path) => readFile(path, 'utf8')));
    for (const content of [text, ...files]) for (const one of secrets) expect(content).not.toContain(one);
  });

  it('stand in no status of an answer that repeats them', async () => {
    const properties = { box: { type: 'string', format: 'password' } };
    const main = {
      workflowId: 'echo',
      inputs: { type: 'object', properties },
      steps: [step('products', 'productsList', undefined, { successCriteria: [{ condition: '$statusCode == 400' }] })],
    };
    const body = { statusCode: 400, success: false, status: 'plainsecret9', message: '' };
    const echo: Meddler = async ({ path }, forward) =>
      path.startsWith('/config/') ? { status: 400, body: JSON.stringify(body) } : forward();
    const args = [await write('echo', document(main)), '--input', 'box=plainsecret9'];
    const { code, text } = await journey.through(echo, () => smoke(args));
    expect([code, text.includes('plainsecret9'), text.includes('"code":"********"')]).toEqual([0, false, true]);
  });

  it('stand in no next command, under whatever name a file declares them', async () => {
    const properties = { box: { type: 'string', format: 'password' } };
    const main = { workflowId: 'boxed', inputs: { type: 'object', properties }, steps: paying(journey.address) };
    const args = [await write('boxed', document(main)), '--key', 'payer', '--input', 'box=plainsecret9'];
    const { code, text } = await journey.through(dropping, () => smoke(args));
    expect([code, text]).toEqual([11, expect.stringContaining('smoke run')]);
    expect(text).not.toContain('plainsecret9');
    expect((await smoke(args)).code).toBe(0);
  });
});

describe('a key of the sandbox', () => {
  it('has money on the chain that an input names, wherever it comes from', async () => {
    const inputsFile = join(journey.home, 'inputs.json');
    await writeFile(inputsFile, '{"chain":"base"}');
    expect((await smoke(['crypto-payment', '--inputs', inputsFile])).code).toBe(0);
  });
});

describe('a bound of the sandbox', () => {
  it('counts as it does elsewhere, and a token has one', async () => {
    const file = await write('bound', document({ workflowId: 'bound', steps: paying(journey.address) }));
    const before = await received();
    const { code, text } = await smoke([file, '--key', 'payer', '--max-amount', '0.5=USDT']);
    expect([code, text, await received()]).toEqual([13, expect.stringContaining('Nothing was signed now'), before]);
    expect(await smoke([file, '--max-amount', '5=USDT', '--max-amount', '1=usdt'])).toMatchObject({
      code: 2,
      text: expect.stringContaining('usdt has two limits'),
    });
  });
});

describe('a lower bound of a resume', () => {
  it('holds for the bytes that it would send, and names the command that settles them', async () => {
    const file = await write('lower', document({ workflowId: 'lower', steps: paying(journey.address) }));
    const run = (bound: string) => smoke([file, '--key', 'payer', '--max-amount', bound]);
    const before = await received();
    const first = await journey.through(dropping, () => run('1=USDT'));
    expect(first.code).toBe(11);
    const { code, text } = await run('0.5=USDT');
    expect([code, text, await received()]).toEqual([
      11,
      expect.stringContaining('--max-amount is 0.5 USDT. Nothing was signed now'),
      before,
    ]);
    expect(text).toMatch(/"next":"bursar pay resume [^"]+"\}*$/);
    const again = await run('1=USDT');
    expect([again.code, again.report.run, await received()]).toEqual([0, first.report.run, before + 1]);
  });
});

describe('a report file', () => {
  it('that cannot be written stops no payment, and the run says so', async () => {
    const folder = await temporaryFolder();
    const file = await write('unwritten', document({ workflowId: 'unwritten', steps: paying(journey.address) }));
    const removing: Meddler = async ({ path }, forward) => {
      if (path.endsWith('/on-chain')) {
        await rm(folder, { recursive: true });
        await writeFile(folder, 'no folder');
      }
      return forward();
    };
    const before = await received();
    const args = [file, '--key', 'payer', '--reporter', `ndjson=${join(folder, 'x.ndjson')}`];
    const { code, text } = await journey.through(removing, () => smoke(args));
    expect([code, text, await received()]).toEqual([
      13,
      expect.stringContaining('but a report is missing'),
      before + 1,
    ]);
  });

  it('is no file that the run reads, none of bursar, and in a folder that exists', async () => {
    const file = await write('kept', document({ workflowId: 'kept', steps: [step('products', 'productsList')] }));
    const text = await readFile(file, 'utf8');
    for (const path of [file, join(journey.home, 'keys', 'payer.json'), '/nonexistent/folder/x.tap'])
      expect((await smoke([file, '--reporter', `tap=${path}`])).code, path).toBe(2);
    expect(await readFile(file, 'utf8')).toBe(text);
  });

  it('replaces a file, and neither a link nor a folder', async () => {
    const own = await temporaryFolder();
    const target = join(own, 'target.txt');
    await writeFile(target, 'kept');
    const link = join(own, 'link.tap');
    await symlink(target, link);
    const folder = join(own, 'folder.tap');
    await mkdir(folder);
    for (const path of [link, folder]) expect((await smoke(['reads', '--reporter', `tap=${path}`])).code).toBe(2);
    expect(await readFile(target, 'utf8')).toBe('kept');
    expect((await smoke(['reads', '--reporter', `tap=${target}`])).code).toBe(0);
    expect(await readFile(target, 'utf8')).toContain('TAP version 14');
    expect((await smoke(['reads', '--reporter', `tap=${target}`, '--reporter', `junit=${target}`])).code).toBe(2);
  });
});

describe('a live service', () => {
  const live = async (args: readonly string[], seen: Received[] = []) => {
    const server = await startServer((request, response) => {
      seen.push(request);
      return envelope(404, 'route_not_found')(request, response);
    });
    const env = { BURSAR_PROFILE: '', BURSAR_BASE_URL: server.url, BURSAR_API_KEY: 'key_0123456789abcdef0123' };
    const ended = await journey.bursar(['smoke', 'run', ...args], { env });
    return { ...ended, calls: seen.map(({ path }) => path) };
  };

  it('needs --live for anything, and runs only reads by default', async () => {
    expect(await live([])).toMatchObject({ code: 2, calls: [], stderr: expect.stringContaining('--live: required') });
    const { code, calls } = await live(['--live']);
    expect([code, calls]).toEqual([13, ['/config/products']]);
  });

  it('needs --max-amount and --yes for a flow that pays', async () => {
    expect(await live(['crypto-payment', '--live', '--yes'])).toMatchObject({
      code: 2,
      calls: [],
      stderr: expect.stringContaining('--max-amount'),
    });
    expect(await live(['crypto-payment', '--live', '--max-amount', '1=USDT'])).toMatchObject({ code: 2, calls: [] });
  });

  it('is paid once, within --max-amount', async () => {
    const calls: string[] = [];
    const service = livePayments(journey.address);
    const server = await startServer((request, response) => {
      calls.push(request.path);
      return service(request, response);
    });
    const steps = paying(journey.address, {
      successCriteria: [{ condition: '$response.body#/data/tid_hash == $steps.sign.outputs.hash' }],
    });
    const file = await write(
      'live',
      document({ workflowId: 'live', steps }).replace('"amount_from":"1"', '"amount_from":"1500"'),
    );
    const env = { BURSAR_PROFILE: '', BURSAR_BASE_URL: server.url, BURSAR_API_KEY: 'key_0123456789abcdef0123' };
    const run = (...args: readonly string[]) =>
      journey.bursar(['smoke', 'run', file, '--live', '--key', 'payer', ...args], { env });
    const executed = () => calls.filter((path) => path.endsWith('/on-chain')).length;

    const signed = await journey.signatures();
    for (const limit of ['1499.999999=USDT', '1500=USDC']) {
      const { code, stdout } = await run('--yes', '--max-amount', limit);
      expect([code, stdout], limit).toEqual([13, expect.stringContaining('Nothing was signed now')]);
    }
    expect([await journey.signatures(), executed()]).toEqual([signed, 0]);
    const { code, stdout, stderr } = await run('--yes', '--max-amount', '1500=USDT');
    expect(code, stdout + stderr).toBe(0);
    // One signature: the step of the signer and the step that sends its bytes each have it in their operation.
    expect([await journey.signatures(), executed()]).toEqual([signed + 2, 1]);
  });

  it('is not paid again with another API key while its run is in doubt', async () => {
    const service = livePayments(journey.address);
    const server = await startServer((request, response) => {
      if (request.path.endsWith('on-chain')) return void response.destroy();
      return service(request, response);
    });
    const text = document({ workflowId: 'rotated', steps: paying(journey.address) });
    const file = await write('rotated', text.replace('"amount_from":"1"', '"amount_from":"1500"'));
    const run = (key: string) =>
      journey.bursar(
        ['smoke', 'run', file, '--live', '--key', 'payer', '--yes', '--max-amount', '1500=USDT', '--timeout', '5'],
        {
          env: { BURSAR_PROFILE: '', BURSAR_BASE_URL: server.url, BURSAR_API_KEY: key },
        },
      );
    expect((await run('key_0123456789abcdef0123')).code).toBe(11);
    const signed = await journey.signatures();
    const { code, stderr } = await run('key_of_another_0123456789');
    expect([code, stderr]).toEqual([11, expect.stringContaining('it had another API key')]);
    expect(stderr).toMatch(/next: bursar pay resume \S+ --new-api-key/);
    expect(await journey.signatures()).toBe(signed);
  });

  it('gets no card, however its type is spelled', async () => {
    for (const type of ['cardcrypto', 'CardCrypto', ' cardfiat']) {
      const charge = step('charge', 'payTransaction', {
        payment_id: 'pay_1',
        transaction_type: type,
        card_data: { card: {} },
      });
      const { calls } = await live([
        await write('card', document({ workflowId: 'card', steps: [charge] })),
        '--live',
        '--yes',
        '--max-amount',
        '1=USDT',
      ]);
      expect(calls).toEqual([]);
    }
  });
});
