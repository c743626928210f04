import { randomBytes } from 'node:crypto';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { CARD_ARGS, CARD_FIELDS, IN_REAIS, PIX_ARGS, RAW_CARD } from './charge.ts';
import type { Case, SharedSandbox } from './crash.ts';
import type { TestJournal } from './test-journal.ts';

export type Method = 'card' | 'pix';

/** A payer by Pix or card, with its own home and its own receiver. */
export type Charger = Case & {
  /** The command that pays, and the one that resumes. The second has the card again, because the program does not store it. */
  readonly pay: readonly string[];
  readonly resume: readonly string[];
  /** How many requests to create a card or Pix transaction the program sent. */
  readonly created: () => number;
  /** How many payments the receiver got, read from the chain. */
  readonly timesPaid: () => Promise<number>;
  /** Pays the Pix of every payment, as the payer's bank would. Resolves when no payment is processing. */
  readonly payPix: () => Promise<void>;
  /** Whether a file of the home, except the user's own card file, contains a part of the card. */
  readonly keepsCard: () => Promise<boolean>;
};

const CREATION = 'intents-create-transaction';

const newAddress = (): string => `0x${randomBytes(20).toString('hex')}`;

const CARD_OPTIONS = ['--card-file', 'card.json', ...CARD_FIELDS];

const COMMANDS: Readonly<Record<Method, readonly string[]>> = {
  card: [...CARD_ARGS, ...CARD_OPTIONS, '--yes'],
  pix: [...PIX_ARGS, '--no-wait'],
};

/** A command line with absolute paths of its files. */
const withAbsolutePaths = (home: string, args: readonly string[]): readonly string[] =>
  args.map((word) => (word.endsWith('.json') ? join(home, word) : word));

/** The text of all files of a folder, except the user's card file. */
const readAllFiles = async (home: string): Promise<string> => {
  const names = await readdir(home, { recursive: true, withFileTypes: true });
  const files = names.filter((entry) => entry.isFile() && entry.name !== 'card.json');
  return (await Promise.all(files.map((file) => readFile(join(file.parentPath, file.name), 'latin1')))).join('\n');
};

/** The payment ids in a journal. */
const paymentIdsIn = async (journal: TestJournal) => [
  ...new Set([...(await journal.text()).matchAll(/"payment_id":"([^"]+)"/g)].map(([, id]) => String(id))),
];

/** Opens a home whose payer has passed KYC. */
export const newCharger = async (
  sandbox: SharedSandbox,
  method: Method,
  makeJournal?: (home: string) => Promise<TestJournal>,
): Promise<Charger> => {
  const base = await sandbox.newCase({ isFunded: false, makeJournal });
  const email = `${randomBytes(8).toString('hex')}@example.com`;
  const receiver = newAddress();
  const body = {
    ...IN_REAIS,
    payer_email: email,
    split_payment_config: [{ receiver_wallet: receiver, receiver_percent: 100 }],
  };
  await writeFile(join(base.home, 'reais.json'), JSON.stringify(body));
  await writeFile(join(base.home, 'card.json'), JSON.stringify(RAW_CARD));
  await base.ask('POST', '/kyc/prepare', { email });
  await base.ask('POST', '/_sandbox/kyc', { email, decision: 'approve' });
  const statusOf = (id: string) => base.ask('GET', `/payment/${id}/status`);
  return {
    ...base,
    pay: withAbsolutePaths(base.home, COMMANDS[method]),
    resume: withAbsolutePaths(base.home, [
      'pay',
      'resume',
      '--yes',
      '--timeout',
      '5',
      ...(method === 'card' ? CARD_OPTIONS : []),
    ]),
    created: () => base.proxy.seen.filter(({ path }) => path.endsWith(CREATION)).length,
    timesPaid: async () => {
      const query = `address=${receiver}&chain=polygon`;
      const { balances } = await base.ask('GET', `/_sandbox/balances?${query}`);
      const rows = balances as readonly { readonly symbol: string; readonly amount: string }[];
      const received = Number(rows.find(({ symbol }) => symbol === 'USDT')?.amount ?? 0);
      const all = await Promise.all((await paymentIdsIn(base.journal)).map(statusOf));
      const amount = Number(all.find(({ amount_to: paid }) => Number(paid) > 0)?.['amount_to']);
      return received === 0 ? 0 : received / amount;
    },
    payPix: async () => {
      const pay = (id: string) => base.ask('POST', '/_sandbox/pix', { payment_id: id, outcome: 'pay' });
      await Promise.allSettled((await paymentIdsIn(base.journal)).map(pay));
      for (const id of await paymentIdsIn(base.journal)) {
        while ((await statusOf(id))['status'] === 'processing') await sleep(50);
      }
    },
    keepsCard: async () => {
      const text = (await readAllFiles(base.home)) + (await base.journal.text());
      return ['4111 1111', '4111111111111111', 'ANA SOUZA', '"737"', 'numero'].some((part) => text.includes(part));
    },
  };
};
