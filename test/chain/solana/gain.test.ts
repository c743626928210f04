import { Keypair, PublicKey, type TransactionInstruction } from '@solana/web3.js';
import { describe, expect, it } from 'vitest';
import type { Policy, PolicyInForce } from '../../../src/chain/review/policy.ts';
import type { RequestedOperation, SolanaReviewInput } from '../../../src/chain/solana/context.ts';
import type { SolanaNetwork } from '../../../src/chain/solana/network.ts';
import { parseSolana } from '../../../src/chain/solana/parse.ts';
import { reviewSolana } from '../../../src/chain/solana/review.ts';
import { approveSolana } from '../../../src/chain/solana/sign.ts';
import { openNode } from '../../../src/client/solana-rpc.ts';
import { SANDBOX_SOLANA } from '../../../src/contract/chains.ts';
import { factsFrom } from '../../../src/flows/solana/facts.ts';
import { createTokenAccount, lentPositionOf, mintToChecked } from '../../../src/sandbox/solana/instructions.ts';
import { depositLeg, type Leg } from '../../../src/sandbox/yield/operation.ts';
import {
  broadcast,
  deposit,
  newWallet,
  rebalance,
  sendOff,
  sign,
  startYield,
  withdraw,
} from '../../sandbox/yield/wallet.ts';
import { built, depositOf, type Scene, sceneOf, vaultOf, withdrawalOf } from '../../support/hostile-yield.ts';
import { SANDBOX } from './given.ts';

const THIEF = Keypair.fromSeed(new Uint8Array(32).fill(7)).publicKey;
const HUNDRED = 100_000_000n;
const A = vaultOf('provider_a');
const B = vaultOf('provider_b');
const MINT = new PublicKey(B.token.mint);

/** The sandbox's chain as a review knows a real one: no provider's vault, shares or program is known. */
const UNKNOWN: SolanaNetwork = { kind: 'sandbox', tokens: SANDBOX.tokens, markets: [] };

const startScene = async () => {
  const sandbox = await startYield();
  const key = await newWallet(sandbox);
  const { rpc_url } = (await sandbox.control('GET', 'solana')).body.data;
  const node = openNode(sandbox.io, rpc_url, { deadline: sandbox.io.clock.monotonic() + 60_000 });
  const wallet = key.publicKey.toBase58();
  const asked: RequestedOperation = { kind: 'deposit', wallet, asset: 'USDC', amount: '100', providerIn: 'provider_b' };
  const build = async (make: (scene: Scene) => readonly Leg[], more: readonly TransactionInstruction[] = []) => {
    const scene = sceneOf((await deposit(sandbox, key, { amount: '1' })).body.data.transaction);
    return built(scene, make(scene), { instructions: more });
  };
  const review = async (transaction: string, more: Partial<SolanaReviewInput> = {}) => {
    const unsigned = parseSolana(transaction);
    const facts = await factsFrom(node, unsigned, 'sandbox');
    const overrides = { allowPrograms: [SANDBOX_SOLANA.lender] };
    return reviewSolana({ unsigned, network: UNKNOWN, requested: asked, signer: wallet, overrides, facts, ...more });
  };
  /** From here on a position of the thief is there: nothing is paid for its room. */
  const { http } = await broadcast(sandbox, sign(key, await build((each) => [toThief(each, 1n)])));
  expect(http).toBe(200);
  return { sandbox, key, wallet, asked, build, review };
};

type Reviewed = Awaited<ReturnType<Awaited<ReturnType<typeof startScene>>['review']>>;

const wrongs = ({ checks }: Reviewed) =>
  checks.filter(({ verdict }) => verdict !== 'pass').map(({ id, verdict }) => `${id} ${verdict}`);

const inForce = (policy: Policy): PolicyInForce => ({
  policies: [{ policy, owner: { kind: 'key', name: 'saver' }, moved: [] }],
  refusals: [],
  challengeHosts: undefined,
  hasMandate: false,
});

const toWallet = (each: Scene, units = HUNDRED) => depositOf(each, B, { units });
const toThief = ({ owner }: Scene, units = HUNDRED) =>
  depositLeg({ vault: B, owner, credited: THIEF, units, shares: units * 900n }, 0n);

describe('a deposit through an allowed program that is not understood', () => {
  it('passes where the simulation shows a position of the wallet, new or changed', async () => {
    const { build, review, sandbox, key } = await startScene();
    expect(wrongs(await review(await build((each) => [toWallet(each)])))).toEqual([]);
    await sendOff(sandbox, key, await deposit(sandbox, key, { provider: 'provider_b' }));
    const again = await review(await build((each) => [toWallet(each)]));
    expect(wrongs(again)).toEqual([]);
    const [position] = lentPositionOf(key.publicKey, MINT);
    expect(again.checks.find(({ id }) => id === 'gain')?.message).toContain(position.toBase58());
  });

  it('that credits somebody else is not signed without the user, though every amount is as asked', async () => {
    const { build, review } = await startScene();
    const reviewed = await review(await build((each) => [toThief(each)]));
    expect(wrongs(reviewed)).toEqual(['gain confirm']);
    expect(() => approveSolana(reviewed, 'pass')).toThrow(/gets nothing/);
  });

  it('nor where a worthless token is made for the wallet beside it', async () => {
    const { build, review, key } = await startScene();
    const fake = new PublicKey(A.shareMint ?? '');
    const reviewed = await review(
      await build(
        (each) => [toThief(each), depositOf(each, A, { units: 0n, shares: 0n })],
        [
          createTokenAccount(key.publicKey, key.publicKey, fake),
          mintToChecked(new PublicKey(A.authority.bytes), key.publicKey, { mint: fake, units: 90n ** 5n, decimals: 9 }),
        ],
      ),
    );
    expect(wrongs(reviewed)).toContain('gain confirm');
  });

  it('nor where a little of it goes to the position of the wallet', async () => {
    const { build, review } = await startScene();
    const reviewed = await review(await build((each) => [toWallet(each, 1n), toThief(each, HUNDRED - 1n)]));
    expect(wrongs(reviewed)).toEqual(['gain confirm']);
  });

  it('passes for a position that a policy names', async () => {
    const { build, review } = await startScene();
    const [position] = lentPositionOf(THIEF, MINT);
    const recipients = [position.toBase58(), SANDBOX_SOLANA.vaults.provider_b];
    const policy = inForce({ recipients });
    expect(wrongs(await review(await build((each) => [toThief(each)]), { policy }))).toEqual([]);
    const other = inForce({ recipients: [SANDBOX_SOLANA.vaults.provider_b] });
    expect(wrongs(await review(await build((each) => [toThief(each)]), { policy: other }))).toEqual(['gain confirm']);
  });

  it('is in doubt without a simulation', async () => {
    const { build, review } = await startScene();
    const reviewed = await review(await build((each) => [toWallet(each)]), { facts: undefined });
    expect(wrongs(reviewed)).toEqual(['debit confirm', 'gain confirm']);
  });

  it('pays for the room of its position, which is rent and no payment', async () => {
    const { build, review } = await startScene();
    const { checks } = await review(await build((each) => [toWallet(each)]));
    expect(checks.filter(({ message: says }) => says.includes('fee, rent and payments are'))).toEqual([]);
  });
});

describe('a rebalance to a program that is not understood', () => {
  it('needs a position that gains, beside the one that it takes from', async () => {
    const { sandbox, key, review, asked, build } = await startScene();
    await sendOff(sandbox, key, await deposit(sandbox, key, { provider: 'provider_b' }));
    await sendOff(sandbox, key, await deposit(sandbox, key));
    const back: RequestedOperation = { ...asked, kind: 'rebalance', amount: '10', providerOut: 'provider_a' };
    const { transaction } = (await rebalance(sandbox, key, { amount: '10' })).body.data;
    const { checks } = await review(transaction, { requested: back });
    expect(checks.find(({ id }) => id === 'gain')).toMatchObject({ verdict: 'pass' });
    const away = await build((each) => [withdrawalOf(each, B, { units: 10_000_000n }), toThief(each, 10_000_000n)]);
    expect(wrongs(await review(away, { requested: { ...back, providerIn: 'other' } }))).toContain('gain confirm');
  });
});

describe('the lending program of the sandbox', () => {
  const known = { network: SANDBOX, overrides: {} };

  it('is understood: deposit, withdrawal and both kinds of rebalance pass, with a simulation and without', async () => {
    const { sandbox, key, review, asked } = await startScene();
    await sendOff(sandbox, key, await deposit(sandbox, key, { provider: 'provider_b' }));
    await sendOff(sandbox, key, await deposit(sandbox, key));
    const [a, b] = ['provider_a', 'provider_b'];
    const cases: readonly (readonly [RequestedOperation, string])[] = [
      [{ ...asked, fees: ['0.1'] }, (await deposit(sandbox, key, { provider: b })).body.data.transaction],
      [
        { ...asked, kind: 'withdraw', amount: '5', providerIn: undefined, providerOut: b },
        (await withdraw(sandbox, key, { provider: b, amount: '5' })).body.data.transaction,
      ],
      [
        { ...asked, kind: 'rebalance', amount: '5', providerOut: a, providerIn: b },
        (await rebalance(sandbox, key, { amount: '5' })).body.data.transaction,
      ],
      [
        { ...asked, kind: 'rebalance', amount: '5', providerOut: b, providerIn: a },
        (await rebalance(sandbox, key, { amount: '5', provider_out: b, provider_in: a })).body.data.transaction,
      ],
    ];
    for (const [what, transaction] of cases) {
      expect([what.kind, wrongs(await review(transaction, { ...known, requested: what }))]).toEqual([what.kind, []]);
      expect(wrongs(await review(transaction, { ...known, requested: what, facts: undefined }))).toEqual([]);
      expect(wrongs(await review(transaction, { ...known, requested: undefined }))).toEqual([]);
    }
  });

  it('is nothing that a policy against blind signing forbids', async () => {
    const { review, build } = await startScene();
    const policy = inForce({ blind_signing: 'never' });
    expect(wrongs(await review(await build((each) => [toWallet(each)]), { ...known, policy }))).toEqual([]);
  });

  it('that credits somebody else is refused, with a simulation and without', async () => {
    const { review, build } = await startScene();
    const bytes = await build((each) => [toThief(each)]);
    const wrong = ['shares refuse', 'position refuse'];
    expect(wrongs(await review(bytes, { ...known, facts: undefined }))).toEqual(wrong);
    expect(wrongs(await review(bytes, known))).toEqual([...wrong, 'gain refuse']);
    expect(wrongs(await review(bytes, { ...known, requested: undefined, facts: undefined }))).toContain(
      'position refuse',
    );
  });

  it('that takes more shares than the amount is worth, or gives too few, is not as asked', async () => {
    const { review, build, asked } = await startScene();
    const out: RequestedOperation = {
      ...asked,
      kind: 'withdraw',
      amount: '5',
      providerIn: undefined,
      providerOut: 'provider_b',
    };
    const greedy = await build((each) => [withdrawalOf(each, B, { units: 5_000_000n, shares: 6_000_000_000n })]);
    expect(wrongs(await review(greedy, { ...known, requested: out }))).toContain('shares refuse');
    const few = await build((each) => [depositOf(each, B, { units: HUNDRED, shares: 1n })]);
    expect(wrongs(await review(few, known))).toEqual(['shares confirm']);
  });

  it('is no program that is known on a real chain', async () => {
    const { review, build } = await startScene();
    const { checks } = await review(await build((each) => [toWallet(each)]), { overrides: {}, facts: undefined });
    expect(checks.find(({ id }) => id === 'program')).toMatchObject({ verdict: 'confirm' });
  });
});
