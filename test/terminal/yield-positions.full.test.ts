import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { newSolanaKey, SANDBOX_ENV } from '../support/cheap-key.ts';
import type { Meddler } from '../support/journey.ts';
import { hasTerminal, openTerminal } from '../support/terminal.ts';
import { asked, startYieldJourney, type YieldJourney, yielding } from '../support/yield-journey.ts';

let journey: YieldJourney;

beforeAll(async () => {
  if (hasTerminal()) journey = await startYieldJourney();
});

afterAll(() => journey?.end());

const open = (more: Readonly<Record<string, string>> = {}) =>
  openTerminal(journey.home, { columns: 160, rows: 60 }, { ...SANDBOX_ENV, ...more });

describe.runIf(hasTerminal())('a withdrawal by questions', () => {
  beforeEach(async () => {
    await journey.json([...asked('deposit', 'USDC', '20'), '--broadcast', '--yes', '--intent', `a${Math.random()}`]);
  });

  it('lists only positions with a balance, with their rates, largest first; Enter takes the whole position', async () => {
    await journey.json([...asked('deposit', 'EURC', '5'), '--broadcast', '--yes']);
    const terminal = open();
    terminal.run('clear; bursar yield withdraw; echo "exit=$?"');
    await terminal.until('❯ saver (');
    terminal.keys('Enter');
    const list = await terminal.until(
      /❯ [\d.]+ USDC with provider_a on solana, [\d.]+ % a year.*\n {2}[\d.]+ EURC with provider_a on solana, [\d.]+ % a/,
    );
    expect(list).not.toMatch(/provider_b|USDT|something else/);
    terminal.keys('Enter');
    const [, all = ''] =
      /all is ([\d.]+) USDC \(later interest stays\) --amount \(\1\)/.exec(await terminal.until('Amount, all is')) ??
      [];
    terminal.keys('-l', `${all}9`);
    terminal.keys('Enter');
    await terminal.until(`is more than the ${all} USDC there`);
    // "all" also takes the whole position, as the service then states the balance.
    terminal.keys('C-u');
    terminal.keys('-l', 'all');
    terminal.keys('Enter');
    await terminal.until('Review, sign and send now?');
    terminal.keys('Enter');
    await terminal.until('Review your answers');
    terminal.keys('Enter');
    const review = await terminal.until(/Withdraw [\d.]+ USDC from provider_a on solana \(sandbox\)\?/);
    const [, taken = ''] = /Withdraw ([\d.]+) USDC/.exec(review) ?? [];
    expect(Number(taken)).toBeGreaterThanOrEqual(Number(all));
    expect(review.slice(review.indexOf('reviewed'))).toMatch(
      new RegExp(
        `^reviewed .*\n {2}${taken} USDC {2}from the vault of provider_a to saver \\(\\w+\\) {2}comes in\n` +
          ' {2}[\\d.]+ USDC shares of provider_a {2}account \\w+ {2}burnt\n',
      ),
    );
    terminal.keys('Enter');
    const screen = await terminal.until('exit=0');
    expect(screen).toContain(`--asset USDC --provider provider_a --chain-name solana --amount ${taken} --broadcast`);
    expect(Number(await journey.position('provider_a'))).toBeLessThan(0.01);
  });

  it('shows the balance again when "all" finds another balance, so no unseen amount is signed', async () => {
    let isLying = false;
    const lying: Meddler = async ({ path }, forward) => {
      const answer = await forward();
      const body = answer.body.replace(/"position_on_protocol":\s*[\d.]+/, '"position_on_protocol":1000003');
      return isLying && path.startsWith('/yield/earnings') ? { ...answer, body } : answer;
    };
    await journey.through(lying, async () => {
      const terminal = open();
      const named = '--key saver --asset USDC --provider provider_a --chain-name solana --sign';
      terminal.run(`clear; bursar yield withdraw ${named}; echo "exit=$?"`);
      await terminal.until('Amount, all is');
      isLying = true;
      terminal.keys('-l', 'all');
      terminal.keys('Enter');
      await terminal.until('Amount, all is 1000003 USDC');
      terminal.keys('C-c');
      await terminal.until('exit=130');
    });
  });

  it('asks for the position again after Esc and from the review, then for the amount of the new position', async () => {
    await journey.json([...asked('deposit', 'EURC', '5'), '--broadcast', '--yes', '--intent', 'again']);
    const terminal = open();
    terminal.run('clear; bursar yield withdraw --key saver; echo "exit=$?"');
    await terminal.until('❯ ');
    terminal.keys('Enter');
    await terminal.until('Amount, all is');
    terminal.keys('Escape');
    await terminal.until(/❯ [\d.]+ USDC/);
    terminal.keys('Enter');
    await terminal.until('Amount, all is');
    terminal.keys('-l', '15');
    terminal.keys('Enter');
    await terminal.until('Review, sign and send now?');
    terminal.keys('n', 'Enter');
    await terminal.until('Review your answers');
    terminal.keys('Down', 'Down');
    await terminal.until(/❯ .*provider_a/);
    terminal.keys('Enter');
    await terminal.until(/❯ [\d.]+ USDC with provider_a on solana, [\d.]+ % a year.*\n/);
    terminal.keys('Down', 'Enter');
    // Fifteen is more than the new position has.
    await terminal.until(/all is ([\d.]+) EURC \(later interest stays\) --amount \(\1\)/);
    terminal.keys('C-c');
    await terminal.until('exit=130');
  });

  it('offers only positions of the named token or provider, and names a missing position', async () => {
    const terminal = open();
    terminal.run('clear; bursar yield withdraw --key saver --asset USDC --broadcast; echo "exit=$?"');
    expect(await terminal.until(/❯ [\d.]+ USDC with provider_a/)).not.toContain('EURC');
    terminal.keys('C-c');
    await terminal.until('exit=130');
    terminal.run('clear; bursar yield withdraw --key saver --provider provider_b; echo "exit=$?"');
    const screen = await terminal.until('exit=2');
    expect(screen).toContain(`${journey.wallet} has no position with provider_b, so there is nothing to withdraw`);
    expect(screen).toContain(`next: bursar yield deposit --wallet ${journey.wallet}`);
  });

  it('asks for each value when the positions are unknown', async () => {
    const terminal = open();
    terminal.run('clear; bursar yield withdraw --key saver --chain-name nowhere; echo "exit=$?"');
    await terminal.until('Token --asset');
    terminal.keys('Enter');
    await terminal.until('Provider --provider');
    terminal.keys('C-c');
    await terminal.until('exit=130');
  });

  it.each([
    ['withdraw', []],
    ['rebalance', ['--provider-in', 'provider_b']],
  ])('that is not sent prints that nothing moved, and the command that sends it: %s', async (verb, words) => {
    const before = await journey.position('provider_a');
    const terminal = open();
    terminal.run(`clear; bursar yield ${verb} --key saver --asset USDC ${words.join(' ')}; echo "exit=$?"`);
    await terminal.until(/❯ [\d.]+ USDC with provider_a/);
    terminal.keys('Enter');
    await terminal.until('Amount, all is');
    terminal.keys('-l', '2');
    terminal.keys('Enter');
    await terminal.until('Review, sign and send now?');
    terminal.keys('n', 'Enter');
    await terminal.until('Review your answers');
    terminal.keys('Enter');
    const screen = await terminal.until('exit=0');
    expect(screen).toMatch(/Nothing has moved: the transactions? (?:is|are) built, not signed\./);
    expect(screen.replaceAll('\n', '')).toMatch(new RegExp(`next: bursar yield ${verb} .*--broadcast`));
    expect(Number(await journey.position('provider_a'))).toBeGreaterThanOrEqual(Number(before));
  });

  it.each([
    ['goes to the best provider, which the equivalent command names', 12.5, 'from provider_a to provider_b on solana'],
    ['stays with the best provider', 4, 'no other provider yields more for USDC'],
  ])('or a rebalance lists the positions, and %s', async (_, rate, ends) => {
    await journey.through(yielding({ provider_a: 5, provider_b: rate }), async () => {
      const terminal = open();
      terminal.run('clear; bursar yield rebalance --key saver; echo "exit=$?"');
      const list = await terminal.until(/--asset, --provider-out\s+❯ [\d.]+ USDC with provider_a on solana/);
      expect(list.includes('5 % a year, the most for USDC')).toBe(rate < 5);
      terminal.keys('Enter');
      if (rate > 5) {
        await terminal.until(/Provider to move to --provider-in\s+❯ provider_b, 12.5 % a year/);
        terminal.keys('Enter');
        await terminal.until('Amount, all is');
        terminal.keys('Enter');
        await terminal.until('Review, sign and send now?');
        terminal.keys('y', 'Enter');
        await terminal.until('Review your answers');
        terminal.keys('Enter');
        await terminal.until('on solana (sandbox)?');
        terminal.keys('n', 'Enter');
      }
      const screen = await terminal.until(rate < 5 ? 'exit=0' : 'exit=10');
      expect(screen).toContain(ends);
      expect(screen.includes('--provider-in provider_b')).toBe(rate > 5);
    });
  });
});

describe.runIf(hasTerminal())('a wallet without a position', () => {
  it('is exit 2 at once, with the deposit command', async () => {
    const { address } = await newSolanaKey(journey.home, 'poor');
    for (const verb of ['withdraw', 'rebalance']) {
      const terminal = open();
      terminal.run(`clear; bursar yield ${verb} --key poor; echo "exit=$?"`);
      const screen = await terminal.until('exit=2');
      expect(screen).toContain(`${address} has no position, so there is nothing to withdraw`);
      expect(screen).toContain(`next: bursar yield deposit --wallet ${address}`);
    }
  });
});
