import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { UNNAMED } from '../../src/cli/profiles/profile.ts';
import { type NextId, nextStep } from '../../src/core/next.ts';
import { newEvmKey, SANDBOX_ENV } from '../support/cheap-key.ts';
import { type Meddler, PAYMENT } from '../support/journey.ts';
import { follow, nextIn, type Scenario, type Story, useWorld } from '../support/next.ts';
import { rebegun } from '../support/rebegun.ts';
import type { World } from '../support/recipes.ts';
import { answer, openTerminal } from '../support/terminal.ts';

const world = useWorld();

/** A payer with money that only one scenario uses, so open payments do not affect other scenarios. */
const newPayer = async ({ home, ask, fresh }: World): Promise<{ name: string; address: string }> => {
  const name = fresh('payer');
  const { address } = await newEvmKey(home, name);
  await ask('POST', '/_sandbox/fund', { address, chain: 'polygon' });
  return { name, address };
};

const bodyOf = ({ file }: World, more: object = {}): Promise<string> => file(JSON.stringify({ ...PAYMENT, ...more }));

const runOf = async (at: World, name: string, more: object = {}): Promise<readonly string[]> => [
  ...['pay', 'run', '--body', await bodyOf(at, more), '--key', name, '--yes', '--intent', at.fresh('intent')],
];

const answering =
  (end: string, http: number, status: string): Meddler =>
  async ({ path }, forward) =>
    path.endsWith(end)
      ? {
          status: http,
          body: JSON.stringify({ statusCode: http, success: false, status, message: 'no', data: null }),
        }
      : forward();

const noTransaction = answering('intents-create-transaction', 503, 'down');

const json = (args: readonly string[]) => ({ args: [...args, '--json'] });

/** The operation that was started last. */
const newest = async ({ data }: World): Promise<{ movement: string; payment_id: string }> => {
  const [first] = (await data('pay', 'list', '--limit', '1')) as unknown as { movement: string; payment_id: string }[];
  return first ?? { movement: '', payment_id: '' };
};

/** An open payment whose transaction could not be created. */
const leftOpen = async (at: World) => {
  const { name } = await newPayer(at);
  const args = await runOf(at, name);
  const printed = await at.through(noTransaction, () => at.here(json(args)));
  return { printed, args, name, ...(await newest(at)) };
};

/** A payment whose signed transaction the service received and refused. */
const refused = async (at: World) => {
  const { name, address } = await newPayer(at);
  const args = await runOf(at, name);
  const refusing = answering('on-chain', 400, 'invalid_signed_transaction');
  const printed = await at.through(refusing, () => at.here(json(args)));
  return { printed, name, address, args, ...(await newest(at)) };
};

/** Runs some work while another command of the same payer holds the queue of the wallet. */
const besideAnother = async <T>(at: World, name: string, work: () => Promise<T>): Promise<T> => {
  let [reach, letGo] = [(): void => undefined, (): void => undefined];
  const reached = new Promise<void>((resolve) => {
    reach = resolve;
  });
  const released = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  let isFirst = true;
  const holding: Meddler = async ({ path }, forward) => {
    if (path.endsWith('on-chain') && isFirst) {
      isFirst = false;
      reach();
      await released;
    }
    return forward();
  };
  return at.through(holding, async () => {
    const first = at.here(json(await runOf(at, name)));
    await reached;
    const done = await work();
    letGo();
    await first;
    return done;
  });
};

const registered = async (at: World): Promise<string> =>
  String((await at.data('pay', 'register', '--body', await bodyOf(at)))['payment_id']);

const transactionOf = (address: string): readonly string[] => [
  ...['--transaction-type', 'crypto', '--payer-email', 'payer@example.com', '--payer-wallet', address],
  ...['--chain-name', 'polygon', '--payer-token-symbol', 'USDT'],
];

/** The payer of such a transaction, as the service shows the payer. */
const payerAt = (wallet: string) => ({ email: 'payer@example.com', wallet, chain: 'polygon', token: 'USDT' });

/** A payment created step by step, up to its transaction. */
const created = async (at: World): Promise<{ id: string; name: string }> => {
  const { name, address } = await newPayer(at);
  const id = await registered(at);
  await at.data('pay', 'transaction', id, ...transactionOf(address));
  return { id, name };
};

const PIX = {
  ...{ executor_id: 'order_transaction', from_currency_symbol: 'BRL', transaction_type: 'pixcrypto' },
  ...{ payer_cpf: '52998224725', payment_method_allowed: { ...PAYMENT.payment_method_allowed, pixcrypto: true } },
};

/** A Pix payment without a wait. */
const withPix = async (at: World, amount: string) => {
  const body = await bodyOf(at, { ...PIX, amount_from: amount });
  const printed = await at.here(
    json(['pay', 'run', '--body', body, '--no-wait', '--yes', '--intent', at.fresh('pix')]),
  );
  return { printed, ...(await newest(at)) };
};

/**
 * The journal of an operation that was started with another key or profile, or with another service than the sandbox.
 */
const startedAs = async (at: World, begun: Readonly<Record<string, unknown>>) => {
  const open = await leftOpen(at);
  await rebegun(at.home, open.movement, begun);
  return open;
};

type Ids = Extract<NextId, `pay.${string}` | `operation.${string}`>;

const SCENARIOS: Readonly<Record<Ids, Scenario>> = {
  'pay.resume': async (at) => {
    const { printed, payment_id } = await leftOpen(at);
    return { printed, step: nextStep('pay.resume', payment_id) };
  },
  'pay.resume.confirmed': async (at) => {
    const { movement: operationId, payment_id } = await leftOpen(at);
    const printed = await at.here(json(['pay', 'resume', operationId]));
    return { printed, step: nextStep('pay.resume.confirmed', payment_id) };
  },
  'pay.resume.live': async (at) => {
    const { printed, payment_id } = await refused(at);
    return { printed, step: nextStep('pay.resume.live', payment_id) };
  },
  'pay.resume.bound': async (at) => {
    const { name } = await newPayer(at);
    const priced = { from_currency_symbol: 'BRL', amount_from: '49.90', payer_token_symbol: 'USDT' };
    const args = await runOf(at, name, { ...priced, transaction_type: 'crypto', chain_name: 'polygon' });
    const printed = await at.here(json([...args, '--pay-at-most', '1']));
    const step = nextStep('pay.resume.bound', (await newest(at)).payment_id, false);
    return { printed, step, env: { PAY_AT_MOST: '12' } };
  },
  'pay.resume.turn': async (at) => {
    const { name } = await newPayer(at);
    const second = await runOf(at, name, { amount_from: '12' });
    const printed = await besideAnother(at, name, () => at.here(json([...second, '--timeout', '2'])));
    return { printed, step: nextStep('pay.resume.turn', (await newest(at)).payment_id, true) };
  },
  'pay.resume.charge': async (at) => {
    const { printed, payment_id } = await withPix(at, '10.01');
    const meanwhile = () => at.data('sandbox', 'pix', payment_id, '--pay');
    return { printed, meanwhile, step: nextStep('pay.resume.charge', payment_id) };
  },
  'operation.resume.new_api_key': async (at) => {
    const { url, api_key } = JSON.parse(await readFile(join(at.home, 'sandbox', 'server.json'), 'utf8'));
    const begun = { kind: 'live', base_url: url, profile: UNNAMED, asker: '0123456789abcdef' };
    const { movement: operationId, payment_id } = await startedAs(at, begun);
    const env = { BURSAR_PROFILE: '', BURSAR_BASE_URL: url, BURSAR_API_KEY: api_key };
    const printed = await at.here(json(['pay', 'resume', operationId]), env);
    // A live service needs a real chain, and the transaction is for a chain of the sandbox: nothing is signed.
    return { printed, env, ends: 10, step: nextStep('operation.resume.new_api_key', 'pay', payment_id) };
  },
  'operation.resume.profile': async (at) => {
    const open = await startedAs(at, { profile: 'sandbox' });
    const profile = at.fresh('live');
    await at.data('profile', 'set', profile, 'base_url=https://pay.example.com');
    await rebegun(at.home, open.movement, { profile: 'sandbox' });
    const env = { BURSAR_PROFILE: profile, BURSAR_API_KEY: 'sk_live_1' };
    const printed = await at.here(json(['pay', 'resume', open.movement]), env);
    return { printed, step: nextStep('operation.resume.profile', 'pay', open.payment_id, 'sandbox') };
  },
  'operation.resume.all': async (at) => {
    await leftOpen(at);
    await leftOpen(at);
    const printed = await at.here(json(['pay', 'resume']));
    return { printed, step: nextStep('operation.resume.all', 'pay') };
  },
  'operation.resume.earlier': async (at) => {
    const { args, payment_id } = await refused(at);
    const again = args.slice(0, args.indexOf('--intent'));
    const refusing = answering('status', 503, 'down');
    const printed = await at.through(refusing, () => at.here(json(again)));
    return { printed, step: nextStep('operation.resume.earlier', 'pay', payment_id) };
  },
  'operation.show': async (at) => {
    const { name } = await newPayer(at);
    const intent = at.fresh('intent');
    const run = async (amount: string) => [...(await runOf(at, name, { amount_from: amount })).slice(0, -1), intent];
    await at.here(json(await run('10')));
    const { payment_id } = await newest(at);
    return { printed: await at.here(json(await run('11'))), step: nextStep('operation.show', 'pay', payment_id) };
  },
  'operation.list': async (at) => ({
    printed: await at.here(json(['pay', 'show', 'nope'])),
    step: nextStep('operation.list', 'pay'),
  }),
  'operation.list.open': async (at) => {
    const { name, address } = await newPayer(at);
    const id = await registered(at);
    const args = ['pay', 'transaction', id, ...transactionOf(address), '--timeout', '2'];
    const printed = await besideAnother(at, name, () => at.here(json(args)));
    return { printed, step: nextStep('operation.list.open', 'pay') };
  },
  'operation.forget': async (at) => {
    const { movement: operationId } = await startedAs(at, { asker: '0123456789abcdef' });
    const printed = await at.here(json(['pay', 'resume', operationId, '--yes']));
    return { printed, step: nextStep('operation.forget', 'pay', operationId) };
  },
  'pay.status': async (at) => {
    const { id, name } = await created(at);
    const body = await bodyOf(at);
    const execute = ['pay', 'execute', id, '--key', name, '--yes', '--body', body];
    await at.data(...execute);
    return { printed: await at.here(json(execute)), step: nextStep('pay.status', id) };
  },
  'pay.status.wait': async (at) => {
    const { id, name } = await created(at);
    await at.data('pay', 'execute', id, '--key', name, '--yes', '--body', await bodyOf(at));
    const bridging: Meddler = async ({ method, path }, forward) => {
      const answer = await forward();
      if (method !== 'GET' || !path.endsWith('/status')) return answer;
      return { ...answer, body: answer.body.replace('"status":"success"', '"status":"received"') };
    };
    const waiting = ['pay', 'status', id, '--wait', '--timeout', '1'];
    return { printed: await at.through(bridging, () => at.here(json(waiting))), step: nextStep('pay.status.wait', id) };
  },
  'pay.transaction': async (at) => {
    const { address } = await newPayer(at);
    const id = await registered(at);
    const printed = await at.here(json(['pay', 'status', id, '--wait']));
    const payer = { chain: 'polygon', token: 'USDT' };
    expect(nextIn(printed), 'an unknown value is a variable').toMatch(
      / --transaction-type crypto --payer-email "\$PAYER_EMAIL" --payer-wallet "\$PAYER_WALLET"$/,
    );
    const env = { PAYER_EMAIL: 'payer@example.com', PAYER_WALLET: address };
    return { printed, env, step: nextStep('pay.transaction', id, payer) };
  },
  'pay.transaction.crypto': async (at) => {
    const { name, address } = await newPayer(at);
    const id = await registered(at);
    const printed = await at.here(json(['pay', 'execute', id, '--key', name, '--yes']));
    const env = { PAYER_EMAIL: 'payer@example.com', PAYER_WALLET: address };
    return { printed, env, step: nextStep('pay.transaction.crypto', id, { chain: 'polygon', token: 'USDT' }) };
  },
  'pay.execute': async (at) => {
    const { id, name } = await created(at);
    const printed = await at.here(json(['pay', 'status', id, '--wait']));
    return { printed, step: nextStep('pay.execute', id), answers: ['--key', name, '--yes'] };
  },
  'pay.sign.turn': async (at) => {
    const { id, name } = await created(at);
    const { address } = await at.data('key', 'show', name);
    const sign = ['pay', 'sign', id, '--key', name, '--timeout', '2'];
    const printed = await besideAnother(at, name, () => at.here(json(sign)));
    // The other payment used the nonce in the meantime.
    const afterwards = async () => {
      await at.data('pay', 'transaction', id, ...transactionOf(String(address)));
      return at.here(json(sign));
    };
    return { printed, step: nextStep('pay.sign.turn', id, String(address)), ends: 10, afterwards };
  },
  'pay.sign.bytes': async (at) => {
    const { id, name } = await created(at);
    const printed = await at.here({ args: ['pay', 'execute', id, '--key', name, '--curl'] });
    return { printed, step: nextStep('pay.sign.bytes', id, name) };
  },
  'pay.run': async (at) => {
    const { name } = await newPayer(at);
    const args = await runOf(at, name);
    await at.through(answering('intents-create-order', 503, 'down'), () => at.here(json(args)));
    const { movement: operationId } = await newest(at);
    await rm(join(at.home, 'state', 'journal', `${operationId}.inputs`));
    const printed = await at.here(json(['pay', 'resume', operationId, '--yes']));
    expect(nextIn(printed), 'the stated facts').toContain(' --amount-from 10 --from-currency-symbol USDT ');
    return { printed, step: nextStep('pay.run'), answers: ['--body', await bodyOf(at), '--yes'] };
  },
};

/** More situations that print one of these commands. */
const MORE: Readonly<Record<string, Scenario>> = {
  'a payment is resumed that the sandbox does not have any more': async (at) => {
    const { movement: operationId } = await leftOpen(at);
    const gone = answering('status', 404, 'payment_not_found');
    const printed = await at.through(gone, () => at.here(json(['pay', 'resume', operationId, '--yes'])));
    return { printed, step: nextStep('operation.forget', 'pay', operationId) };
  },
  'a payment in doubt is resumed that neither the sandbox nor its chain has any more': async (at) => {
    const { movement: operationId } = await refused(at);
    const gone = answering('status', 404, 'payment_not_found');
    const printed = await at.through(gone, () => at.here(json(['pay', 'resume', operationId, '--yes'])));
    expect(printed.code, 'the user decides').toBe(11);
    return { printed, step: nextStep('operation.forget', 'pay', operationId) };
  },
  'another payment used the nonce of a transaction that is to be executed': async (at) => {
    const { id, name } = await created(at);
    const { address } = await at.data('key', 'show', name);
    await at.data(...(await runOf(at, name)));
    const execute = json(['pay', 'execute', id, '--key', name, '--yes']);
    const printed = await at.here(execute);
    const afterwards = () => at.here(execute);
    return { printed, step: nextStep('pay.transaction.crypto', id, payerAt(String(address))), afterwards };
  },
  'another payment used the nonce of a transaction that was signed elsewhere': async (at) => {
    const { id, name } = await created(at);
    const { address } = await at.data('key', 'show', name);
    const sign = async () => String((await at.data('pay', 'sign', id, '--key', name))['signed_transaction']);
    const execute = (hex: string) => json(['pay', 'execute', id, '--signed-transaction', hex, '--yes']);
    const hex = await sign();
    await at.data(...(await runOf(at, name)));
    const printed = await at.here(execute(hex));
    const afterwards = async () => at.here(execute(await sign()));
    return { printed, step: nextStep('pay.transaction.crypto', id, payerAt(String(address))), afterwards };
  },
  'a paid payment is run again without --yes': async (at) => {
    const { name } = await newPayer(at);
    const run = (await runOf(at, name)).slice(0, -3);
    const { payment_id } = await at.data(...run, '--yes');
    return { printed: await at.here(json(run)), step: nextStep('operation.show', 'pay', String(payment_id)) };
  },
  'a payment that is not finished is run again without --yes': async (at) => {
    const { name } = await newPayer(at);
    const run = (await runOf(at, name)).slice(0, -3);
    await at.through(noTransaction, () => at.here(json([...run, '--yes'])));
    const { payment_id } = await newest(at);
    return { printed: await at.here(json(run)), step: nextStep('operation.resume.earlier', 'pay', payment_id) };
  },
  'a review was declined': async (at) => {
    const { name } = await newPayer(at);
    const body = await bodyOf(at, { amount_from: '13' });
    const terminal = openTerminal(at.home, { columns: 100, rows: 60 }, { ...SANDBOX_ENV });
    terminal.run(`clear; bursar pay run --body ${body} --key ${name}; echo "exit=$?"`);
    await answer(terminal, '(Y/n)', 'n');
    const screen = await terminal.until('exit=10');
    const { payment_id } = await newest(at);
    const printed = { code: 10, stdout: '', stderr: screen };
    return { printed, step: nextStep('pay.resume', payment_id), answers: ['--yes'] };
  },
};

describe('the printed next command', () => {
  it.each(Object.keys(SCENARIOS) as Ids[])('%s makes progress until the task ends or waits', async (id) => {
    const story: Story = await SCENARIOS[id](world());
    await follow(world(), story);
  });

  it.each(Object.keys(MORE))('makes progress when %s', async (name) => {
    const story = await MORE[name]?.(world());
    expect(story).toBeDefined();
    if (story) await follow(world(), story);
  });
});
