import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AT_ONCE_MS } from '../support/at-once.ts';
import { atStep } from '../support/at-step.ts';
import { type Settings, startBursar } from '../support/bursar.ts';
import { CARD_ARGS, CARD_FIELDS, IN_REAIS, TOKEN } from '../support/charge.ts';
import { PAYMENT } from '../support/journey.ts';
import { asked, startYieldJourney, type YieldJourney } from '../support/yield-journey.ts';

let journey: YieldJourney;

beforeAll(async () => {
  journey = await startYieldJourney();
  await writeFile(join(journey.home, 'payment.json'), JSON.stringify(PAYMENT));
  await writeFile(join(journey.home, 'reais.json'), JSON.stringify(IN_REAIS));
  await journey.bursar(['kyc', 'prepare', '--email', PAYMENT.payer_email]);
  await journey.bursar(['sandbox', 'kyc', PAYMENT.payer_email, '--approve']);
});

afterAll(() => journey.end());

const ENV = { BURSAR_PROFILE: 'sandbox', BURSAR_KEY_PASSWORD: 'pw' };

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

const isMet = async (): Promise<boolean> =>
  ((await journey.ask('GET', '/_sandbox/fault'))['faults'] as readonly unknown[]).length === 0;

type Interrupt = { readonly disk?: Settings; readonly insists?: boolean };

/** Interrupts a command while one of its calls hangs, and returns its end and the time until then. */
const interruptedIn = async (endpoint: string, args: readonly string[], { disk, insists = false }: Interrupt = {}) => {
  await journey.ask('POST', '/_sandbox/fault', { endpoint, kind: 'hang' });
  const { child, ended } = startBursar(journey.home, args, { env: { ...ENV, ...disk?.env } });
  while (!(await isMet())) await pause(20);
  await pause(100);
  const start = performance.now();
  child.kill('SIGINT');
  // Two signals that arrive together count as one.
  const repeat = insists ? setInterval(() => child.kill('SIGINT'), 50) : undefined;
  const end = await ended;
  clearInterval(repeat);
  return { ...end, took: performance.now() - start };
};

const RUN = ['pay', 'run', '--body', 'payment.json', '--key', 'payer', '--yes'];
const DEPOSIT = [...asked('deposit', 'USDC', '3'), '--broadcast', '--yes'];
const CARD = [...CARD_ARGS, ...CARD_FIELDS, ...TOKEN('tok_approved'), '--yes'];

const OUTSTANDING = [
  ['execute', 'pay.execute', RUN, '10 USDT may have been sent', /0x[0-9a-f]{64}/, 'pay'],
  ['broadcast', 'yield.broadcast', DEPOSIT, '3 USDC may have been sent', /[1-9A-HJ-NP-Za-km-z]{80,90}/, 'yield'],
  ['a card', 'pay.transaction', CARD, '10 BRL may have been charged to the card', /charge/, 'pay'],
] as const;

/** The same command with its own intent, because the earlier operation is in doubt. */
const again = (args: readonly string[], name: string) => [...args, '--intent', name];

describe('an interrupt during a call that may have moved money', () => {
  it.each(OUTSTANDING)(
    '%s: exit 11 at once, with the possible transfer and the resume command',
    async (_, endpoint, args, says, hint, area) => {
      const { code, stderr, took } = await interruptedIn(endpoint, args);
      expect({ code, stderr }).toMatchObject({ code: 11 });
      expect(took).toBeLessThan(AT_ONCE_MS);
      expect(stderr).toContain(
        `error: interrupted, and the outcome is not known: ${says}. Do not ${area === 'pay' ? 'pay' : 'do it'} again.\nhint: `,
      );
      expect(/hint: (.*)/.exec(stderr)?.[1]).toMatch(hint);
      const [, id = ''] = new RegExp(`^next: bursar ${area} resume (\\S+)$`, 'm').exec(stderr) ?? [];
      expect((await journey.json([area, 'show', id])).data).toMatchObject({ state: 'in_doubt' });
    },
  );

  it.each(OUTSTANDING.filter(([name]) => name !== 'broadcast'))(
    '%s: exit 11 also when the disk is slow, and sooner at the second Ctrl-C',
    async (name, endpoint, args, says, hint, area) => {
      const durations: number[] = [];
      for (const insists of [false, true]) {
        const disk = atStep('failed', 'slow');
        const key = `${name} ${insists}`;
        const { code, stderr, took } = await interruptedIn(endpoint, again(args, key), { disk, insists });
        expect({ code, stderr }).toMatchObject({ code: 11, stderr: expect.stringContaining(`not known: ${says}. Do`) });
        durations.push(took);
        expect(stderr).toMatch(hint);
        expect(stderr).toMatch(new RegExp(`^next: bursar ${area} resume \\S+$`, 'm'));
      }
      const [waited = 0, insisted = 0] = durations;
      expect(waited, 'the disk takes 30 seconds').toBeLessThan(AT_ONCE_MS);
      expect(insisted, 'the second Ctrl-C skips the wait for the disk').toBeLessThan(waited);
    },
  );

  it('of one of many resumes: exit 11, with the state of each payment so far', async () => {
    const { code, stdout, took } = await interruptedIn('pay.execute', ['pay', 'resume', '--all', '--json']);
    expect(code).toBe(11);
    expect(took).toBeLessThan(AT_ONCE_MS);
    expect(JSON.parse(stdout)).toMatchObject([{ state: 'in_doubt', code: 'outcome_unknown' }]);
  });

  it('of a resume that finds no outcome: exit 11, and the payment stays in doubt', async () => {
    const [open] = (await journey.json(['pay', 'list', '--state', 'in_doubt'])).data as unknown as {
      movement: string;
    }[];
    const resume = ['pay', 'resume', open?.movement ?? '', '--yes'];
    const { code, stderr } = await interruptedIn('pay.status', resume);
    expect({ code, stderr }).toEqual({
      code: 11,
      stderr: expect.stringMatching(/may have been (?:sent|charged to the card)\. Do not pay again\.$/m),
    });
  });

  it('before that call, or after its answer, is 130', async () => {
    const before = await interruptedIn('pay.register', [...RUN, '--intent', 'before']);
    expect(before).toMatchObject({ code: 130, stderr: expect.not.stringContaining('may have been sent') });
    const after = await interruptedIn('pay.status', [...RUN, '--intent', 'after']);
    expect(after).toMatchObject({ code: 130, stderr: expect.stringContaining('Do not pay again') });
  });
});
