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

/** Files that take their time for what `isSlow` names. */
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
  /** The call at which Ctrl-C comes, and what it gets. */
  readonly at: 'create-order' | 'create-transaction';
  readonly gets: HttpAnswer | HttpFault;
  readonly isSlow: (name: string, text: string, isInterrupted: boolean) => boolean;
  /** Ctrl-C comes once more. */
  readonly insists?: boolean;
};

const REGISTERED = answer(201, 'payment_registered', { payment_id: 'pay_1' });

/** Pays by card; how that ends where Ctrl-C comes to one of its calls and the disk is slow. */
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

describe('Ctrl-C while a card is on its way, and a disk that takes longer than the command may', () => {
  it.each<[string, World['isSlow']]>([
    ['all that follows', (_, __, isInterrupted) => isInterrupted],
    ['the note of how the call ended', (name, text) => name === 'appendDurably' && text.includes('"failed"')],
    ['letting go of the movement', (name, _, isInterrupted) => isInterrupted && name === 'remove'],
  ])('is exit 11 with the resume, and not "interrupted", where slow is %s', async (_, isSlow) => {
    const { code, stderr, took } = await interruptedCard({ at: 'create-transaction', gets: LOST, isSlow });
    expect({ code, stderr }).toEqual({ code: 11, stderr: expect.stringMatching(IN_DOUBT) });
    expect(took).toBeLessThan(SLOW_MS);
  });

  it('is said at once when Ctrl-C comes twice: who is in a hurry must know it too', async () => {
    const isSlow: World['isSlow'] = (_, __, isInterrupted) => isInterrupted;
    const world = { at: 'create-transaction', gets: LOST, isSlow, insists: true } as const;
    const { code, stderr, took } = await interruptedCard(world);
    expect({ code, stderr }).toEqual({ code: 11, stderr: expect.stringMatching(IN_DOUBT) });
    expect(took).toBeLessThan(600);
  });

  it('after its answer is exit 130, and says that it may have been charged, and how to go on', async () => {
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

  it('before it is exit 130, and says that nothing was sent that moves money', async () => {
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
