import { randomBytes } from 'node:crypto';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { CARD_ARGS, CARD_FIELDS, IN_REAIS, PIX_ARGS, RAW_CARD } from './charge.ts';
import type { Case, SharedSandbox } from './crash.ts';

export type Method = 'card' | 'pix';

/** Somebody who pays by Pix or card from a home of their own, to receivers that nobody else pays. */
export type Charger = Case & {
  /** The command that pays, and what a resume is given beside its own words: a card is kept nowhere. */
  readonly pay: readonly string[];
  readonly resume: readonly string[];
  /** How often a card or a request for a Pix has reached the service. */
  readonly created: () => number;
  /** How many payments have their money with the receivers, read from the chain. */
  readonly timesPaid: () => Promise<number>;
  /** The payer pays the Pix of every payment that has one, as its bank would; resolves when the receivers have it. */
  readonly payPix: () => Promise<void>;
  /** Whether anything of the card lies in the home, but for the file that the user made. */
  readonly keepsCard: () => Promise<boolean>;
};

const CREATION = 'intents-create-transaction';

const newAddress = (): string => `0x${randomBytes(20).toString('hex')}`;

const CARD_GIVEN = ['--card-file', 'card.json', ...CARD_FIELDS];

const COMMANDS: Readonly<Record<Method, readonly string[]>> = {
  card: [...CARD_ARGS, ...CARD_GIVEN, '--yes'],
  pix: [...PIX_ARGS, '--no-wait'],
};

/** A command line with its files named in full. */
const filesIn = (home: string, args: readonly string[]): readonly string[] =>
  args.map((word) => (word.endsWith('.json') ? join(home, word) : word));

const filesOf = async (home: string): Promise<string> => {
  const names = await readdir(home, { recursive: true, withFileTypes: true });
  const files = names.filter((each) => each.isFile() && each.name !== 'card.json');
  return (await Promise.all(files.map((each) => readFile(join(each.parentPath, each.name), 'latin1')))).join('\n');
};

/** The ids of payments that the service has told. */
const paymentsIn = (home: string) =>
  filesOf(join(home, 'state', 'journal')).then((text) => [
    ...new Set([...text.matchAll(/"payment_id":"([^"]+)"/g)].map(([, id]) => String(id))),
  ]);

/** Opens a home whose payer has passed KYC. */
export const newCharger = async (sandbox: SharedSandbox, method: Method): Promise<Charger> => {
  const one = await sandbox.newCase({ isFunded: false });
  const email = `${randomBytes(8).toString('hex')}@example.com`;
  const receiver = newAddress();
  const body = {
    ...IN_REAIS,
    payer_email: email,
    split_payment_config: [{ receiver_wallet: receiver, receiver_percent: 100 }],
  };
  await writeFile(join(one.home, 'reais.json'), JSON.stringify(body));
  await writeFile(join(one.home, 'card.json'), JSON.stringify(RAW_CARD));
  await one.ask('POST', '/kyc/prepare', { email });
  await one.ask('POST', '/_sandbox/kyc', { email, decision: 'approve' });
  const statusOf = (id: string) => one.ask('GET', `/payment/${id}/status`);
  return {
    ...one,
    pay: filesIn(one.home, COMMANDS[method]),
    resume: filesIn(one.home, ['pay', 'resume', '--yes', '--timeout', '5', ...(method === 'card' ? CARD_GIVEN : [])]),
    created: () => one.proxy.seen.filter(({ path }) => path.endsWith(CREATION)).length,
    timesPaid: async () => {
      const query = `address=${receiver}&chain=polygon`;
      const { balances } = await one.ask('GET', `/_sandbox/balances?${query}`);
      const rows = balances as readonly { readonly symbol: string; readonly amount: string }[];
      const has = Number(rows.find(({ symbol }) => symbol === 'USDT')?.amount ?? 0);
      const all = await Promise.all((await paymentsIn(one.home)).map(statusOf));
      const each = Number(all.find(({ amount_to: amount }) => Number(amount) > 0)?.['amount_to']);
      return has === 0 ? 0 : has / each;
    },
    payPix: async () => {
      const pay = (id: string) => one.ask('POST', '/_sandbox/pix', { payment_id: id, outcome: 'pay' });
      await Promise.allSettled((await paymentsIn(one.home)).map(pay));
      for (const id of await paymentsIn(one.home)) {
        while ((await statusOf(id))['status'] === 'processing') await sleep(50);
      }
    },
    keepsCard: async () => {
      const text = await filesOf(one.home);
      return ['4111 1111', '4111111111111111', 'ANA SOUZA', '"737"', 'numero'].some((part) => text.includes(part));
    },
  };
};
