import { describe, it } from 'vitest';
import { type NextId, nextStep, variable } from '../../src/core/next.ts';
import { newSolanaKey } from '../support/cheap-key.ts';
import type { Meddler } from '../support/journey.ts';
import { killedAt } from '../support/kill-at.ts';
import { failing, fault, followExactly, type Scenario, useWorld } from '../support/next.ts';
import type { World } from '../support/recipes.ts';
import { openTerminal } from '../support/terminal.ts';
import { asked, isBroadcast } from '../support/yield-journey.ts';

const world = useWorld();

type Saver = { readonly name: string; readonly wallet: string };

/** A funded wallet that no other scenario uses. */
const newSaver = async ({ home, ask, fresh }: World): Promise<Saver> => {
  const name = fresh('saver');
  const { address: wallet } = await newSolanaKey(home, name);
  await ask('POST', '/_sandbox/fund', { address: wallet, chain: 'solana' });
  return { name, wallet };
};

const operating = ({ name }: Saver, ...operation: Parameters<typeof asked>): readonly string[] =>
  asked(...operation).map((word) => (word === 'saver' ? name : word));

const moving = (saver: Saver, ...operation: Parameters<typeof asked>): readonly string[] => [
  ...operating(saver, ...operation),
  ...['--broadcast', '--yes'],
];

/** A deposit whose signed transaction was sent, and whose answer was lost. */
const depositInDoubt = async (world: World, kind = 'drop_before') => {
  const saver = await newSaver(world);
  const deposit = moving(saver, 'deposit');
  await fault(world, 'yield.broadcast', kind);
  return { saver, deposit, ...(await failing(world, deposit)) };
};

/** A deposit without a built transaction. */
const unbuiltDeposit = async (world: World) => {
  const deposit = moving(await newSaver(world), 'deposit');
  await fault(world, 'yield.deposit', '500', 9);
  const failed = await failing(world, deposit);
  await world.data('sandbox', 'fault', '--clear');
  return failed;
};

/** Drops broadcasts and their answers, starting with the broadcast of this number. */
const losingFrom = (first: number): Meddler => {
  let count = 0;
  return async ({ path }, forward, response) => {
    if (isBroadcast(path)) count += 1;
    if (!isBroadcast(path) || count < first) return forward();
    response.destroy();
    return undefined;
  };
};

/** A rebalance by two transactions: the first has landed, and the outcome of the second is unknown. */
const halfRebalance = async (world: World) => {
  const saver = await newSaver(world);
  await world.data(...moving(saver, 'deposit', 'EURC', '10'));
  const rebalance = [...moving(saver, 'rebalance', 'EURC', '4'), '--one-by-one'];
  const failed = await world.through(losingFrom(2), () => failing(world, rebalance));
  return { saver, rebalance, ...failed };
};

/** The output of a command while another operation of the wallet holds its queue. */
const besideAnother = async (world: World, saver: Saver, args: readonly string[]) => {
  let late: Awaited<ReturnType<typeof failing>> | undefined;
  await world.through(
    async ({ path }, forward) => {
      if (isBroadcast(path)) late = await failing(world, [...args, '--timeout', '2']);
      return forward();
    },
    () => world.data(...moving(saver, 'deposit')),
  );
  if (late === undefined) throw new Error('nothing was broadcast');
  return late;
};

const NEW_ORDER = [
  ...['order', 'create', '--amount-from', '7', '--from-currency-symbol', 'BRL'],
  ...['--to-currency-symbol', 'USDT', '--allow', 'crypto'],
];

const SCENARIOS: Readonly<Record<Extract<NextId, `yield.${string}` | `order.list${string}` | 'again'>, Scenario>> = {
  'yield.resume': async (world) => {
    const { printed, id } = await unbuiltDeposit(world);
    return { printed, step: nextStep('yield.resume', id) };
  },
  'yield.resume.confirmed': async (world) => {
    const { id } = await unbuiltDeposit(world);
    const { printed } = await failing(world, ['yield', 'resume', id]);
    return { printed, step: nextStep('yield.resume.confirmed', id) };
  },
  'yield.resume.live': async (world) => {
    const { printed, id } = await depositInDoubt(world);
    return { printed, step: nextStep('yield.resume.live', id) };
  },
  'yield.resume.turn': async (world) => {
    const saver = await newSaver(world);
    const { printed, id } = await besideAnother(world, saver, moving(saver, 'deposit', 'EURC'));
    return { printed, step: nextStep('yield.resume.turn', id, true) };
  },
  'yield.resume.half': async (world) => {
    const { printed, id } = await halfRebalance(world);
    return { printed, step: nextStep('yield.resume.half', id) };
  },
  'yield.resume.earlier': async (world) => {
    const { deposit, id } = await depositInDoubt(world);
    const { printed } = await failing(world, deposit);
    return { printed, step: nextStep('yield.resume.earlier', id), afterwards: () => world.here({ args: deposit }) };
  },
  'yield.deposit': async (world) => {
    const { name, wallet } = await newSaver(world);
    const terminal = openTerminal(world.home, { columns: 200, rows: 40 }, { BURSAR_PROFILE: 'sandbox' });
    terminal.run(`clear; bursar yield withdraw --key ${name}; echo "exit=$?"`);
    const stdout = await terminal.until('exit=2');
    const answers = ['--chain-name', 'solana', '--asset', 'USDC', '--provider', 'provider_a', '--amount', '2'];
    return { printed: { code: 2, stdout, stderr: '' }, step: nextStep('yield.deposit', wallet), answers };
  },
  'yield.strategies': async (world) => {
    const { printed } = await failing(world, ['yield', 'best', 'NOTHING']);
    return { printed, step: nextStep('yield.strategies') };
  },
  'yield.earnings': async (world) => {
    const { saver, deposit } = await depositInDoubt(world, 'drop_after');
    const { printed } = await failing(world, deposit);
    const at = { wallet: saver.wallet, asset: 'USDC', provider: 'provider_a', chain: 'solana' };
    return { printed, step: nextStep('yield.earnings', at), afterwards: () => world.here({ args: deposit }) };
  },
  again: async (world) => {
    const saver = await newSaver(world);
    const relay = await relaying(world, saver);
    const { printed } = await besideAnother(world, saver, relay);
    const bytes = relay[relay.indexOf('--op-signed') + 1] ?? '';
    const again = relay.map((word) => (word === bytes ? variable('OP_SIGNED') : word));
    return { printed, env: { OP_SIGNED: bytes }, step: nextStep('again', [...again, '--timeout', '2', '--json']) };
  },
  'order.list': async (world) => {
    await fault(world, 'order.create', 'drop_before');
    const { printed } = await failing(world, NEW_ORDER);
    return { printed, step: nextStep('order.list'), afterwards: () => world.here({ args: NEW_ORDER }) };
  },
  'order.list.all': async (world) => {
    const { printed } = await failing(world, ['order', 'update', 'order_of_nobody', '--amount-from', '6']);
    return { printed, step: nextStep('order.list.all') };
  },
};

/** A signed deposit that bursar only relays. */
const relaying = async (world: World, saver: Saver): Promise<readonly string[]> => {
  const { signed_transaction } = await world.data(...operating(saver, 'deposit', 'EURC'), '--sign');
  return [
    ...['yield', 'broadcast', '--chain-name', 'solana', '--op-signed', String(signed_transaction), '--yes'],
    ...['--kind', 'deposit', '--amount', '10', '--asset', 'EURC', '--wallet', saver.wallet, '--provider', 'provider_a'],
  ];
};

/** More situations that print one of these commands. */
const MORE: Readonly<Record<string, Scenario>> = {
  'the service refused a transaction that may still be sent': async (world) => {
    const { printed, id } = await depositInDoubt(world, 'signed_transaction_missing');
    return { printed, step: nextStep('yield.resume.live', id) };
  },
  'the service asks for fewer calls': async (world) => {
    const { printed, id } = await depositInDoubt(world, '429');
    return { printed, step: nextStep('yield.resume.live', id) };
  },
  'both transactions of a rebalance went by one call, whose answer was lost': async (world) => {
    const saver = await newSaver(world);
    await world.data(...moving(saver, 'deposit', 'EURC', '10'));
    await fault(world, 'yield.broadcast', 'drop_before');
    const { printed, id } = await failing(world, moving(saver, 'rebalance', 'EURC', '4'));
    return { printed, step: nextStep('yield.resume.live', id) };
  },
  'the second transaction of a rebalance never landed, and the rebalance is typed again': async (world) => {
    const { rebalance, id } = await halfRebalance(world);
    await world.data('sandbox', 'advance', '10m');
    const { printed } = await failing(world, rebalance);
    return { printed, step: nextStep('yield.resume.earlier', id), afterwards: () => world.here({ args: rebalance }) };
  },
  'what a rebalance lacks may be done by a deposit in doubt': async (world) => {
    const { saver, id } = await halfRebalance(world);
    await world.data('sandbox', 'advance', '10m');
    const rest = moving(saver, 'deposit', 'EURC', '4').map((word) => (word === 'provider_a' ? 'provider_b' : word));
    await fault(world, 'yield.broadcast', 'drop_before');
    const { id: other } = await failing(world, rest);
    const { printed } = await failing(world, ['yield', 'resume', id, '--yes']);
    const resume = { args: ['yield', 'resume', id, '--yes'] };
    return { printed, step: nextStep('yield.resume.earlier', other), afterwards: () => world.here(resume) };
  },
  'a transaction that is passed on may have been sent': async (world) => {
    const relay = await relaying(world, await newSaver(world));
    await fault(world, 'yield.broadcast', 'drop_before');
    const { printed, id } = await failing(world, relay);
    return { printed, step: nextStep('yield.resume.live', id) };
  },
  'a transaction that is passed on was not written to the journal when the program was killed': async (world) => {
    const relay = await relaying(world, await newSaver(world));
    await world.bursar(relay, killedAt('journal:begun:synced'));
    const [open] = (await world.data('yield', 'list', '--open')) as unknown as readonly { readonly movement: string }[];
    const id = open?.movement ?? '';
    const printed = await world.here({ args: ['yield', 'show', id, '--json'] });
    // Nothing was sent and nothing stays open: the user has the bytes.
    return { printed, step: nextStep('yield.resume', id), ends: 2, afterwards: () => world.here({ args: relay }) };
  },
  'no strategy takes the token of a position': async (world) => {
    const { printed } = await failing(world, ['yield', 'earnings', '--key', 'saver', '--asset', 'NOTHING']);
    return { printed, step: nextStep('yield.strategies') };
  },
  'an order that is not in the list is switched on': async (world) => {
    const { printed } = await failing(world, ['order', 'enable', 'order_of_nobody']);
    return { printed, step: nextStep('order.list.all') };
  },
  'the answer about a change of an order is lost': async (world) => {
    await fault(world, 'order.update', 'drop_before');
    const update = ['order', 'update', world.orderId, '--amount-from', '8'];
    const { printed } = await failing(world, update);
    return { printed, step: nextStep('order.list'), afterwards: () => world.here({ args: update }) };
  },
};

describe('the next command is exactly the expected one, and makes progress until the task ends', () => {
  it.each(Object.entries({ ...SCENARIOS, ...MORE }))('%s', async (_, scenario) => {
    await followExactly(world(), await scenario(world()));
  });
});
