import { describe, expect, it } from 'vitest';
import { readCommandLine } from '../../../src/cli/argv/command-line.ts';
import { run } from '../../../src/cli/run.ts';
import type { Files } from '../../../src/io/files/files.ts';
import type { HttpAnswer, HttpFault } from '../../../src/io/http/http.ts';
import type { Io } from '../../../src/io/io.ts';
import { CARD_FIELDS, IN_REAIS, TOKEN } from '../../support/charge.ts';
import { ioAt, temporaryFolder } from '../../support/io.ts';

const SLOW_MS = 3000;

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** Files whose calls are slow when `isSlow` returns true. */
const slowFiles = (files: Files, isSlow: (name: string, text: string) => boolean): Files =>
  Object.fromEntries(
    Object.entries(files).map(([name, work]) => [
      name,
      async (...args: readonly unknown[]) => {
        if (isSlow(name, String(args[1]))) await pause(SLOW_MS);
        return (work as (...given: readonly unknown[]) => unknown)(...args);
      },
    ]),
  ) as unknown as Files;

const answer = (http: number, status: string, data: unknown): HttpAnswer => ({
  kind: 'answer',
  http,
  headers: {},
  body: Buffer.from(JSON.stringify({ statusCode: http, success: true, status, message: '', data })),
});

const LOST: HttpFault = { kind: 'fault', reason: 'interrupted', sent: true, message: 'interrupted' };

const cardWith = (body: string) => [
  ...['pay', 'run', '--body', body, '--transaction-type', 'cardcrypto', '--payer-name', 'Ana Souza'],
  ...[
    '--payer-document',
    '52998224725',
    '--payer-document-type',
    'CPF',
    ...CARD_FIELDS,
    ...TOKEN('tok_approved'),
    '--yes',
  ],
];

type World = {
  /** The call during which Ctrl-C comes, and the outcome of that call. */
  readonly at: 'create-order' | 'create-transaction';
  readonly gets: HttpAnswer | HttpFault;
  readonly isSlow: (name: string, text: string, isInterrupted: boolean) => boolean;
  /** Whether Ctrl-C comes a second time. */
  readonly insists?: boolean;
};

const REGISTERED = answer(201, 'payment_registered', { payment_id: 'pay_1' });

/** Pays by card with a slow disk, and with Ctrl-C during one of the calls. */
const interruptedCard = async ({ at, gets, isSlow, insists = false }: World) => {
  const [first, second] = [new AbortController(), new AbortController()];
  const home = await temporaryFolder();
  const { io, said } = ioAt(home, { env: { BURSAR_BASE_URL: 'https://pay.example', BURSAR_API_KEY: 'k' } });
  await io.files.replacePrivate(`${home}/body.json`, JSON.stringify(IN_REAIS));
  const send: Io['http']['send'] = async ({ url }) => {
    if (!url.includes(at)) return REGISTERED;
    start = performance.now();
    first.abort();
    if (insists) void pause(100).then(() => second.abort());
    return gets;
  };
  const files = slowFiles(io.files, (name, text) => isSlow(name, text, first.signal.aborted));
  let start = 0;
  const signals = { interrupted: first.signal, forceQuit: second.signal };
  const line = readCommandLine(cardWith(`${home}/body.json`));
  const code = await run({ ...io, ...signals, files, http: { send } }, line, 'test');
  return { code, stderr: said.stderr, took: performance.now() - start };
};

const IN_DOUBT =
  /^error: interrupted, and the outcome is not known: 10 BRL may have been charged to the card\. Do not pay again\.\nhint: The card may have been charged\..*\nnext: bursar pay resume pay_1\n$/s;

describe('Ctrl-C around the charge of a card, with a slow disk', () => {
  it.each<[string, World['isSlow']]>([
    ['every later call of a file', (_, __, isInterrupted) => isInterrupted],
    ['the record of the failed call', (name, text) => name === 'appendDurably' && text.includes('"failed"')],
    ['the release of the operation', (name, _, isInterrupted) => isInterrupted && name === 'remove'],
  ])('during the call is exit 11 with the resume command, when this is slow: %s', async (_, isSlow) => {
    const { code, stderr, took } = await interruptedCard({ at: 'create-transaction', gets: LOST, isSlow });
    expect({ code, stderr }).toEqual({ code: 11, stderr: expect.stringMatching(IN_DOUBT) });
    expect(took).toBeLessThan(SLOW_MS);
  });

  it('twice during the call is exit 11 at once', async () => {
    const isSlow: World['isSlow'] = (_, __, isInterrupted) => isInterrupted;
    const world = { at: 'create-transaction', gets: LOST, isSlow, insists: true } as const;
    const { code, stderr, took } = await interruptedCard(world);
    expect({ code, stderr }).toEqual({ code: 11, stderr: expect.stringMatching(IN_DOUBT) });
    expect(took).toBeLessThan(600);
  });

  it('after the answer is exit 130 with the possible charge and the resume command', async () => {
    const gets = answer(201, 'payment_registered', {
      payment_id: 'pay_1',
      session_payment: '',
      crypto_tx: 'none',
      fiat_tx: {},
    });
    const isSlow: World['isSlow'] = (_, __, isInterrupted) => isInterrupted;
    const { code, stderr } = await interruptedCard({ at: 'create-transaction', gets, isSlow });
    expect({ code, stderr }).toEqual({
      code: 130,
      stderr: expect.stringMatching(
        /^error: interrupted\nhint: The card may have been charged\.\nnext: bursar pay resume pay_1\n$/,
      ),
    });
  });

  it('before the charge is exit 130, and the error states that no money was sent', async () => {
    const isSlow: World['isSlow'] = (_, __, isInterrupted) => isInterrupted;
    const { code, stderr } = await interruptedCard({ at: 'create-order', gets: LOST, isSlow });
    expect({ code, stderr }).toEqual({
      code: 130,
      stderr: expect.stringMatching(
        /^error: interrupted\nhint: Nothing was sent that moves money\.\nnext: bursar pay resume \d{8}T\S+\n$/,
      ),
    });
  });
});
