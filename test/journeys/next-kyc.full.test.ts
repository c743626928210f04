import { describe, expect, it } from 'vitest';
import { type NextId, nextStep, withOptions } from '../../src/core/next.ts';
import { newEvmKey } from '../support/cheap-key.ts';
import { PAYMENT } from '../support/journey.ts';
import {
  codesOf,
  decide,
  decideLater,
  newEmail,
  newestCode,
  proven,
  withCode,
  withSession,
} from '../support/kyc-user.ts';
import { failing, fault, followExactly, nextIn, type Scenario, useWorld } from '../support/next.ts';
import type { World } from '../support/recipes.ts';
import { hasTerminal, openTerminal } from '../support/terminal.ts';

const world = useWorld();

/** A script that reads the code from the mail, and a decision in the meantime. */
const readingMail = (world: World, email: string) => ({
  stdin: () => newestCode(world, email),
  meanwhile: decideLater(world, { email }),
});

/** Fails unless exactly one mail was sent. */
const oneMail = (world: World, email: string) => async () => {
  const sent = (await codesOf(world, email)).length;
  return { code: sent === 1 ? 0 : 1, stdout: `${sent} mails`, stderr: '' };
};

type Payer = { readonly name: string; readonly email: string; readonly wallet: string };

const newPayer = async (world: World): Promise<Payer> => {
  const [name, email] = [world.fresh('payer'), newEmail(world)];
  const { address: wallet } = await newEvmKey(world.home, name);
  await world.ask('POST', '/_sandbox/fund', { address: wallet, chain: 'polygon' });
  return { name, email, wallet };
};

/** A payment whose payer needs a verification. */
const gatedPayment = async (world: World, { name, email }: Payer) => {
  const body = await world.file(JSON.stringify({ ...PAYMENT, payer_email: email }));
  await fault(world, 'pay.transaction', 'kyc_verification_required');
  return failing(world, ['pay', 'run', '--body', body, '--key', name, '--yes', '--intent', world.fresh('intent')]);
};

const SCENARIOS: Readonly<Record<Extract<NextId, `kyc.${string}`>, Scenario>> = {
  'kyc.start': async (world) => {
    const payer = await newPayer(world);
    const { email, wallet } = payer;
    const { printed, id } = await gatedPayment(world, payer);
    return {
      printed,
      step: nextStep('kyc.start', { email, key: wallet }),
      meanwhile: decideLater(world, { wallet }),
      afterwards: () => world.here({ args: ['pay', 'resume', id, '--yes'] }),
    };
  },
  'kyc.start.confirmed': async (world) => {
    const email = await withSession(world);
    await decide(world, { email }, 'decline');
    const { printed } = await failing(world, ['kyc', 'start', '--email', email]);
    return { printed, step: nextStep('kyc.start.confirmed', { email }), meanwhile: decideLater(world, { email }) };
  },
  'kyc.start.otp_sent': async (world) => {
    const email = newEmail(world);
    const terminal = openTerminal(world.home, { columns: 120, rows: 40 }, { BURSAR_PROFILE: 'sandbox' });
    terminal.run(`clear; bursar kyc start --email ${email}; echo "exit=$?"`);
    await terminal.until('or resend');
    terminal.keys('C-c');
    const stdout = await terminal.until('exit=130');
    return {
      printed: { code: 130, stdout, stderr: '' },
      step: nextStep('kyc.start.otp_sent', { email }),
      answers: ['--code-stdin'],
      ...readingMail(world, email),
      afterwards: oneMail(world, email),
    };
  },
  'kyc.start.code': async (world) => {
    const email = newEmail(world);
    const { printed } = await failing(world, ['kyc', 'start', '--email', email]);
    const step = nextStep('kyc.start.code', { email }, false);
    return { printed, step, ...readingMail(world, email), afterwards: oneMail(world, email) };
  },
  'kyc.status': async (world) => {
    const email = await proven(world);
    const args = ['kyc', 'create', '--email', email];
    await fault(world, 'kyc.create', 'server_failed');
    const { printed } = await failing(world, args);
    return { printed, step: nextStep('kyc.status', ['--email', email]), afterwards: () => world.here({ args }) };
  },
  'kyc.status.wait': async (world) => {
    const email = await withSession(world);
    const { printed } = await failing(world, ['kyc', 'start', '--email', email, '--timeout', '1']);
    const step = nextStep('kyc.status.wait', ['--email', email]);
    return { printed, step, meanwhile: decideLater(world, { email }) };
  },
  'kyc.challenge': async (world) => {
    // The key of this wallet is on another machine.
    const wallet = `0x${'5a'.repeat(20)}`;
    const { printed } = await failing(world, ['kyc', 'status', '--wallet', wallet]);
    return { printed, step: nextStep('kyc.challenge', wallet) };
  },
  'kyc.prepare': async (world) => {
    const email = newEmail(world);
    const args = ['kyc', 'send-otp', '--email', email];
    const { printed } = await failing(world, args);
    return { printed, step: nextStep('kyc.prepare', email), afterwards: () => world.here({ args }) };
  },
  'kyc.send_otp': async (world) => {
    const email = await withCode(world);
    const verify = ['kyc', 'verify-otp', '--email', email, '--code-stdin'];
    for (let count = 0; count < 5; count += 1) await failing(world, verify, 'wrong\n');
    const { printed } = await failing(world, verify, await newestCode(world, email));
    const afterwards = async () => world.here({ args: verify, stdin: await newestCode(world, email) });
    return { printed, step: nextStep('kyc.send_otp', email), afterwards };
  },
  'kyc.verify_otp': async (world) => {
    const email = await withCode(world);
    const { printed } = await failing(world, ['kyc', 'verify-otp', '--email', email, '--code-stdin'], 'wrong\n');
    const step = withOptions(nextStep('kyc.verify_otp', email), ['--code-stdin']);
    return { printed, step, stdin: () => newestCode(world, email) };
  },
  'kyc.create': async (world) => {
    const email = await proven(world);
    const { printed } = await failing(world, ['kyc', 'send-otp', '--email', email]);
    return { printed, step: nextStep('kyc.create', ['--email', email]) };
  },
};

/** More situations that print one of these commands. */
const MORE: Readonly<Record<string, Scenario>> = {
  'a code that was sent is not given by a script': async (world) => {
    const email = await withCode(world);
    const { printed } = await failing(world, ['kyc', 'start', '--email', email, '--otp-sent']);
    const step = nextStep('kyc.start.code', { email }, true);
    return { printed, step, ...readingMail(world, email), afterwards: oneMail(world, email) };
  },
  'a script has another code sent a moment after the first': async (world) => {
    const email = newEmail(world);
    for (const verb of ['prepare', 'send-otp']) await world.here({ args: ['kyc', verb, '--email', email] });
    const { printed } = await failing(world, ['kyc', 'start', '--email', email, '--code-stdin'], 'early\n');
    const step = nextStep('kyc.start.code', { email }, true);
    return { printed, step, ...readingMail(world, email), afterwards: oneMail(world, email) };
  },
  'a script without the code, a moment after it was sent': async (world) => {
    const email = newEmail(world);
    for (const verb of ['prepare', 'send-otp']) await world.here({ args: ['kyc', verb, '--email', email] });
    const { printed } = await failing(world, ['kyc', 'start', '--email', email]);
    const step = nextStep('kyc.start.code', { email }, true);
    return { printed, step, ...readingMail(world, email), afterwards: oneMail(world, email) };
  },
  'kyc start got a wrong code': async (world) => {
    const email = newEmail(world);
    const { printed } = await failing(world, ['kyc', 'start', '--email', email, '--code-stdin'], 'wrong\n');
    const step = nextStep('kyc.start.code', { email }, true);
    return { printed, step, ...readingMail(world, email), afterwards: oneMail(world, email) };
  },
  'kyc start got a code that has expired': async (world) => {
    const email = await withCode(world);
    const old = await newestCode(world, email);
    await world.data('sandbox', 'advance', '11m');
    const { printed } = await failing(world, ['kyc', 'start', '--email', email, '--code-stdin', '--otp-sent'], old);
    const stdin = async () => ((await codesOf(world, email)).length > 1 ? newestCode(world, email) : '');
    return { printed, step: nextStep('kyc.start.code', { email }, false), ...readingMail(world, email), stdin };
  },
  'the service failed while kyc start opened a session': async (world) => {
    const email = await proven(world);
    await fault(world, 'kyc.create', 'server_failed');
    const { printed } = await failing(world, ['kyc', 'start', '--email', email]);
    return { printed, step: nextStep('kyc.start', { email }), meanwhile: decideLater(world, { email }) };
  },
  'the verification was declined while kyc start waited': async (world) => {
    const email = await proven(world);
    await decideLater(world, { email }, 'decline')();
    const { printed } = await failing(world, ['kyc', 'start', '--email', email]);
    return { printed, step: nextStep('kyc.start', { email }), meanwhile: decideLater(world, { email }) };
  },
  'the verification that kyc status waits for was declined': async (world) => {
    const email = await withSession(world);
    await decide(world, { email }, 'decline');
    const { printed } = await failing(world, ['kyc', 'status', '--email', email, '--wait']);
    return { printed, step: nextStep('kyc.create', ['--email', email]) };
  },
  'a session is opened for an address that is not proven': async (world) => {
    const email = newEmail(world);
    const { printed } = await failing(world, ['kyc', 'create', '--email', email]);
    return { printed, step: nextStep('kyc.start', { email }), ...readingMail(world, email) };
  },
  'the key of the wallet that a payment names is elsewhere': async (world) => {
    const email = newEmail(world);
    const wallet = '0x1111111111111111111111111111111111111111';
    const { printed } = await failing(world, ['kyc', 'start', '--key', wallet, '--email', email]);
    return { printed, step: nextStep('kyc.start', { email }), ...readingMail(world, email) };
  },
  'the service failed while it prepared a user': async (world) => {
    const email = newEmail(world);
    await fault(world, 'kyc.prepare', 'server_failed');
    const { printed } = await failing(world, ['kyc', 'prepare', '--email', email]);
    return { printed, step: nextStep('kyc.status', ['--email', email]), ...readingMail(world, email) };
  },
};

const scenarios = Object.entries({ ...SCENARIOS, ...MORE });

describe('the next command is exactly the expected one, and makes progress until the task ends', () => {
  // Only Ctrl-C at a terminal leaves a sent code that no command reads.
  const possible = scenarios.filter(([id]) => id !== 'kyc.start.otp_sent' || hasTerminal());

  it.each(possible)('%s', async (_, scenario) => {
    await followExactly(world(), await scenario(world()));
  });
});

describe('kyc start of a payer whose payment waits', () => {
  it.each(['email', 'wallet'] as const)(
    'by %s names the payment after the approval, and not after the payment',
    async (by) => {
      const payer = await newPayer(world());
      const { email, wallet } = payer;
      const { printed } = await gatedPayment(world(), payer);
      const id = JSON.parse(printed.stdout).error.data.payment_id;
      const named = by === 'email' ? ['--email', await proven(world(), email)] : ['--key', wallet, '--email', email];
      const start = { args: ['kyc', 'start', ...named, '--json'] };
      await decideLater(world(), by === 'email' ? { email } : { wallet })();
      const approved = await world().here(start);
      expect([approved.code, nextIn(approved)]).toEqual([0, `bursar pay resume ${id}`]);
      expect((await world().here({ args: ['pay', 'resume', id, '--yes'] })).code).toBe(0);
      const later = await world().here(start);
      expect([later.code, nextIn(later)]).toEqual([0, undefined]);
    },
  );

  it('by wallet names the e-mail address of the payment while that address is unverified', async () => {
    const payer = await newPayer(world());
    await decideLater(world(), { wallet: payer.wallet })();
    await world().data('kyc', 'start', '--key', payer.wallet);
    const { printed } = await gatedPayment(world(), payer);
    expect(nextIn(printed)).toBe(`bursar kyc start --key ${payer.wallet} --email ${payer.email}`);
    const both = ['--key', payer.wallet, '--email', payer.email];
    const approved = await world().here({ args: ['kyc', 'start', ...both, '--json'] });
    expect([approved.code, nextIn(approved)]).toEqual([0, `bursar kyc start --email ${payer.email}`]);
  });

  it('names pay list when several payments wait, and nothing when other payers own them', async () => {
    const [payer, other] = [await newPayer(world()), await proven(world())];
    for (let count = 0; count < 2; count += 1) await gatedPayment(world(), payer);
    for (const [email, next] of [
      [await proven(world(), payer.email), 'bursar pay list --open'],
      [other, undefined],
    ]) {
      await decideLater(world(), { email: String(email) })();
      const approved = await world().here({ args: ['kyc', 'start', '--email', String(email), '--json'] });
      expect([approved.code, nextIn(approved)]).toEqual([0, next]);
    }
  });
});
