import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Keypair } from '@solana/web3.js';
import { encryptKeystoreJsonSync, Mnemonic, Wallet } from 'ethers';
import { cardPayment } from './card-payment.ts';
import { RAW_CARD } from './charge.ts';
import { newEvmKey, newSolanaKey, SANDBOX_ENV } from './cheap-key.ts';
import { readDocument } from './documents.ts';
import { RECEIVERS, startJourney } from './journey.ts';
import { newDatabase } from './postgres.ts';
import { typeInShell } from './shell.ts';

/** A home in which the commands of a document can be typed. */
export type DocumentWorld = {
  /** Prepares the keys, ids and files that a document uses. */
  readonly begin: (document: string) => Promise<void>;
  /** Types lines in one bash. A line that fails does not stop the next ones. */
  readonly type: (lines: readonly string[]) => Promise<{ readonly codes: readonly number[]; readonly stderr: string }>;
  readonly end: () => Promise<void>;
};

/** Changes of command lines: `--yes` answers the questions of a terminal, and waits are short. */
const ADAPTATIONS: readonly (readonly [pattern: RegExp, text: string])[] = [
  [/^(?!.*--yes)(.*\bbursar pay run)(?= -)/, '$1 --yes'],
  [/^(?!.*--no-wait)(.*\bbursar pay run)(?= -)/, '$1 --no-wait'],
  [/^(bursar pay bulk \S+ --key \S+)$/, '$1 --yes --max-total 500=USDT'],
  [/^(bursar pay forget)/, '$1 --yes'],
  [/^(?!.*--yes)(bursar yield (?:deposit|rebalance|withdraw) .*--(?:sign|broadcast))/, '$1 --yes'],
  [/^(bursar key (?:export|remove))/, '$1 --yes'],
  [/^(?!.*--yes)(bursar order apply)/, '$1 --yes'],
  [/> payment\.json$/, '> answered.json'],
  [/^(?=bursar login|BURSAR_BASE_URL|bursar products)/, 'BURSAR_PROFILE= '],
  [/--timeout 900/, '--timeout 2'],
  [/^ssh other (bursar journal join --key-stdin) < KEY_FILE/, '$1 < "$BURSAR_HOME"/state/journal-keys/*.key'],
  [/^(bursar (?:pay resume$|quote .*--watch))/, '$1 --timeout 3'],
];

const adapted = (line: string): string =>
  ADAPTATIONS.reduce((text, [pattern, replacement]) => text.replace(pattern, replacement), line);

/** Example ids of the documents, each with the command that prints a real one. */
const EXAMPLE_IDS: readonly (readonly [id: RegExp, command: string])[] = [
  [
    /(?<=sandbox pix )pay_0123/g,
    'pay run --body payment.json --allow pixcrypto --transaction-type pixcrypto --from-currency-symbol BRL --payer-cpf 529.982.247-25 --yes --no-wait --jq .payment_id',
  ],
  [
    /(?<=sandbox card )pay_0123/g,
    'pay run --body by-card.json --card-token tok_pending --payer-ip 203.0.113.7 --session-id s --yes --no-wait --jq .payment_id',
  ],
  [/(?<=open payment )pay_0123/g, 'sandbox trigger registered --jq .payment_id'],
  [
    /cmb1x2y3z0000abcd1234efgh/g,
    'order create --from-currency-symbol BRL --amount-from 5 --to-currency-symbol USDT --allow crypto --jq .order_id',
  ],
  [/20260115T093000Z-0123abcd/g, 'pay run --body payment.json --key treasury --yes --no-wait --jq .movement'],
];

const EXAMPLE_DATABASE = /postgres:\/\/bursar@db\.example\.com\/journal\?sslmode=verify-full/g;

const PAYER = `--transaction-type crypto --chain-name polygon --payer-token-symbol USDT --payer-wallet 0x${'3'.repeat(40)}`;
const DEPOSIT = '--chain-name solana --asset USDC --amount 25 --provider provider_a';

const KEYS = { treasury: newEvmKey, ops: newEvmKey, old: newEvmKey, savings: newSolanaKey };

/**
 * Starts a home with the sandbox, keys and files that the documents use. `body` is the payment of the README. A document
 * begins with the keys that it does not create itself.
 */
export const startDocumentWorld = async (body: string): Promise<DocumentWorld> => {
  const { home, ask, bursar, end } = await startJourney();
  const write = async (name: string, text: string): Promise<void> => {
    await mkdir(dirname(join(home, name)), { recursive: true, mode: 0o700 });
    await writeFile(join(home, name), text, { mode: 0o600 });
  };
  const blocks = readDocument('docs/smoke.md').matchAll(/```yaml\n(.*?)```\n/gs);
  const [prices = '', payment = '', inputs = ''] = [...blocks].map(([, text = '']) => text);
  const [, rows = ''] = /```csv\n(.*?)```\n/s.exec(readDocument('docs/bulk.md')) ?? [];
  // The profile of the guide has the tenant.
  const { tenant_data: tenant } = JSON.parse(body);
  const withTenant = (row: string, at: number): string =>
    `${row},${at === 0 ? 'public_client_id,webhook_url' : `${tenant.public_client_id},${tenant.webhook_url}`}`;
  const files = {
    'payouts.csv': rows.trim().split('\n').map(withTenant).join('\n'),
    'payment.json': body,
    'by-card.json': JSON.stringify(cardPayment(JSON.parse(body))),
    'card.json': JSON.stringify(RAW_CARD),
    'UTC--2026-01-01--abc.json': encryptKeystoreJsonSync(new Wallet(Wallet.createRandom().privateKey), 'pw', {
      scrypt: { N: 2 },
    }),
    '.config/solana/id.json': JSON.stringify([...Keypair.generate().secretKey]),
    words: Mnemonic.fromEntropy(new Uint8Array(16).fill(7)).phrase,
    passphrase: 'a passphrase',
    password: 'pw',
    key: 'an-api-key-of-a-deployment',
    'api-key': 'an-api-key-of-a-deployment',
    '.secrets/bursar-api-key': 'an-api-key-of-a-deployment',
    'receivers.txt': RECEIVERS.join('\n'),
    'statement.txt': 'I own this wallet\n',
    'prices.arazzo.yaml': prices,
    'payment.arazzo.yaml': payment,
    'inputs.yaml': inputs,
  };
  for (const [name, text] of Object.entries(files)) await write(name, text);
  await bursar(['kyc', 'prepare', '--email', 'payer@example.com']);
  await bursar(['sandbox', 'kyc', 'payer@example.com', '--approve']);
  const codesFile = join(home, 'codes');
  const outputOf = async (command: string): Promise<string> => {
    const { code, stdout, stderr } = await bursar(command.split(' '));
    if (code !== 0) throw new Error(`${command}: ${stderr}`);
    return stdout.trim();
  };
  let ids: readonly (readonly [example: RegExp, real: string])[] = [];
  return {
    begin: async (document) => {
      await rm(join(home, 'keys'), { recursive: true, force: true });
      for (const [name, make] of Object.entries(KEYS)) {
        if (document.includes(`bursar key new ${name} `) || document.includes(`bursar key import ${name} `)) continue;
        const { address } = await make(home, name);
        await ask('POST', '/_sandbox/fund', { address, chain: name === 'savings' ? 'solana' : 'polygon' });
      }
      await outputOf('sandbox fault --clear');
      await outputOf('profile set staging base_url=https://127.0.0.1:9');
      const used = EXAMPLE_IDS.filter(([example]) => document.search(example) >= 0);
      ids = [];
      for (const [example, command] of used) {
        // An earlier operation in the journal would cause a question.
        await rm(join(home, 'state'), { recursive: true, force: true });
        ids = [...ids, [example, await outputOf(command)]];
      }
      if (!document.includes('pay show')) await rm(join(home, 'state'), { recursive: true, force: true });
      if (document.search(EXAMPLE_DATABASE) >= 0) ids = [...ids, [EXAMPLE_DATABASE, (await newDatabase()).url]];
      if (!document.includes('crypto_tx.json')) return;
      const id = await outputOf('pay register --body payment.json --jq .payment_id');
      await write(
        'crypto_tx.json',
        await outputOf(`pay transaction ${id} --body payment.json ${PAYER} --jq .crypto_tx`),
      );
      const deposit = await outputOf(`yield deposit ${DEPOSIT} --key savings --json`);
      await write('deposit.json', deposit);
      await write('transaction.base64', JSON.parse(deposit).transaction);
    },
    type: async (lines) => {
      await rm(codesFile, { force: true });
      const real = (line: string): string => ids.reduce((text, [example, id]) => text.replaceAll(example, id), line);
      const script = lines.flatMap((line) => [adapted(real(line)), `echo $? >> '${codesFile}'`]);
      const { stderr } = await typeInShell(home, ['set +e', `cd '${home}'`, ...script], SANDBOX_ENV);
      const codes = (await readFile(codesFile, 'utf8')).trim().split('\n').map(Number);
      return { codes, stderr };
    },
    end,
  };
};
