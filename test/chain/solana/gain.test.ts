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
const HUNDRED_USDC = 100_000_000n;
const A = vaultOf('provider_a');
const B = vaultOf('provider_b');
const MINT = new PublicKey(B.token.mint);

/** The network of the sandbox without known vaults, shares and lending programs, as for a live chain. */
const UNKNOWN: SolanaNetwork = { kind: 'sandbox', tokens: SANDBOX.tokens, markets: [] };

const startScene = async () => {
  const sandbox = await startYield();
  const key = await newWallet(sandbox);
  const { rpc_url } = (await sandbox.control('GET', 'solana')).body.data;
  const node = openNode(sandbox.io, rpc_url, { deadline: sandbox.io.clock.monotonic() + 60_000 });
  const wallet = key.publicKey.toBase58();
  const requested: RequestedOperation = {
    kind: 'deposit',
    wallet,
    asset: 'USDC',
    amount: '100',
    providerIn: 'provider_b',
  };
  const build = async (make: (scene: Scene) => readonly Leg[], more: readonly TransactionInstruction[] = []) => {
    const scene = sceneOf((await deposit(sandbox, key, { amount: '1' })).body.data.transaction);
    return built(scene, make(scene), { instructions: more });
  };
  const review = async (transaction: string, more: Partial<SolanaReviewInput> = {}) => {
    const unsigned = parseSolana(transaction);
    const facts = await factsFrom(node, unsigned, 'sandbox');
    const overrides = { allowPrograms: [SANDBOX_SOLANA.lender] };
    return reviewSolana({ unsigned, network: UNKNOWN, requested, signer: wallet, overrides, facts, ...more });
  };
  /** The thief gets a position first, so that later deposits pay no rent for one. */
  const { http } = await broadcast(sandbox, sign(key, await build((scene) => [toThief(scene, 1n)])));
  expect(http).toBe(200);
  return { sandbox, key, wallet, requested, build, review };
};

type Reviewed = Awaited<ReturnType<Awaited<ReturnType<typeof startScene>>['review']>>;

const failedChecks = ({ checks }: Reviewed) =>
  checks.filter(({ verdict }) => verdict !== 'pass').map(({ id, verdict }) => `${id} ${verdict}`);

const inForce = (policy: Policy): PolicyInForce => ({
  policies: [{ policy, owner: { kind: 'key', name: 'saver' }, moved: [] }],
  refusals: [],
  challengeHosts: undefined,
  hasMandate: false,
});

const toWallet = (scene: Scene, units = HUNDRED_USDC) => depositOf(scene, B, { units });
const toThief = ({ owner }: Scene, units = HUNDRED_USDC) =>
  depositLeg({ vault: B, owner, credited: THIEF, units, shares: units * 900n }, 0n);

describe('a deposit through an allowed program that cannot be decoded', () => {
  it('passes when the simulation shows a new or changed position of the wallet', async () => {
    const { build, review, sandbox, key } = await startScene();
    expect(failedChecks(await review(await build((scene) => [toWallet(scene)])))).toEqual([]);
    await sendOff(sandbox, key, await deposit(sandbox, key, { provider: 'provider_b' }));
    const again = await review(await build((scene) => [toWallet(scene)]));
    expect(failedChecks(again)).toEqual([]);
    const [position] = lentPositionOf(key.publicKey, MINT);
    expect(again.checks.find(({ id }) => id === 'gain')?.message).toContain(position.toBase58());
  });

  it('requires a confirmation when another owner gets the position, even if every amount is as requested', async () => {
    const { build, review } = await startScene();
    const reviewed = await review(await build((scene) => [toThief(scene)]));
    expect(failedChecks(reviewed)).toEqual(['gain confirm']);
    expect(() => approveSolana(reviewed, 'pass')).toThrow(/gets nothing/);
  });

  it('requires a confirmation when another owner gets the position and the wallet a worthless token', async () => {
    const { build, review, key } = await startScene();
    const fake = new PublicKey(A.shareMint ?? '');
    const reviewed = await review(
      await build(
        (scene) => [toThief(scene), depositOf(scene, A, { units: 0n, shares: 0n })],
        [
          createTokenAccount(key.publicKey, key.publicKey, fake),
          mintToChecked(new PublicKey(A.authority.bytes), key.publicKey, { mint: fake, units: 90n ** 5n, decimals: 9 }),
        ],
      ),
    );
    expect(failedChecks(reviewed)).toContain('gain confirm');
  });

  it('requires a confirmation when the position of the wallet gets only a small part', async () => {
    const { build, review } = await startScene();
    const reviewed = await review(await build((scene) => [toWallet(scene, 1n), toThief(scene, HUNDRED_USDC - 1n)]));
    expect(failedChecks(reviewed)).toEqual(['gain confirm']);
  });

  it('passes when a policy lists the position of another owner', async () => {
    const { build, review } = await startScene();
    const [position] = lentPositionOf(THIEF, MINT);
    const recipients = [position.toBase58(), SANDBOX_SOLANA.vaults.provider_b];
    const policy = inForce({ recipients });
    expect(failedChecks(await review(await build((scene) => [toThief(scene)]), { policy }))).toEqual([]);
    const other = inForce({ recipients: [SANDBOX_SOLANA.vaults.provider_b] });
    expect(failedChecks(await review(await build((scene) => [toThief(scene)]), { policy: other }))).toEqual([
      'gain confirm',
    ]);
  });

  it('requires a confirmation without a simulation', async () => {
    const { build, review } = await startScene();
    const reviewed = await review(await build((scene) => [toWallet(scene)]), { facts: undefined });
    expect(failedChecks(reviewed)).toEqual(['debit confirm', 'gain confirm']);
  });

  it('counts the cost of a new position as rent, not as a payment', async () => {
    const { build, review } = await startScene();
    const { checks } = await review(await build((scene) => [toWallet(scene)]));
    expect(checks.filter(({ message }) => message.includes('fee, rent and payments are'))).toEqual([]);
  });
});

describe('a rebalance to a program that cannot be decoded', () => {
  it('passes when a second position of the wallet gains, and requires a confirmation otherwise', async () => {
    const { sandbox, key, review, requested, build } = await startScene();
    await sendOff(sandbox, key, await deposit(sandbox, key, { provider: 'provider_b' }));
    await sendOff(sandbox, key, await deposit(sandbox, key));
    const request: RequestedOperation = { ...requested, kind: 'rebalance', amount: '10', providerOut: 'provider_a' };
    const { transaction } = (await rebalance(sandbox, key, { amount: '10' })).body.data;
    const { checks } = await review(transaction, { requested: request });
    expect(checks.find(({ id }) => id === 'gain')).toMatchObject({ verdict: 'pass' });
    const toOther = await build((scene) => [
      withdrawalOf(scene, B, { units: 10_000_000n }),
      toThief(scene, 10_000_000n),
    ]);
    expect(failedChecks(await review(toOther, { requested: { ...request, providerIn: 'other' } }))).toContain(
      'gain confirm',
    );
  });
});

describe('the lending program of the sandbox', () => {
  const known = { network: SANDBOX, overrides: {} };

  it('is decoded: deposit, withdrawal and rebalances pass with and without a simulation', async () => {
    const { sandbox, key, review, requested } = await startScene();
    await sendOff(sandbox, key, await deposit(sandbox, key, { provider: 'provider_b' }));
    await sendOff(sandbox, key, await deposit(sandbox, key));
    const [a, b] = ['provider_a', 'provider_b'];
    const cases: readonly (readonly [RequestedOperation, string])[] = [
      [{ ...requested, fees: ['0.1'] }, (await deposit(sandbox, key, { provider: b })).body.data.transaction],
      [
        { ...requested, kind: 'withdraw', amount: '5', providerIn: undefined, providerOut: b },
        (await withdraw(sandbox, key, { provider: b, amount: '5' })).body.data.transaction,
      ],
      [
        { ...requested, kind: 'rebalance', amount: '5', providerOut: a, providerIn: b },
        (await rebalance(sandbox, key, { amount: '5' })).body.data.transaction,
      ],
      [
        { ...requested, kind: 'rebalance', amount: '5', providerOut: b, providerIn: a },
        (await rebalance(sandbox, key, { amount: '5', provider_out: b, provider_in: a })).body.data.transaction,
      ],
    ];
    for (const [operation, transaction] of cases) {
      expect([operation.kind, failedChecks(await review(transaction, { ...known, requested: operation }))]).toEqual([
        operation.kind,
        [],
      ]);
      expect(failedChecks(await review(transaction, { ...known, requested: operation, facts: undefined }))).toEqual([]);
      expect(failedChecks(await review(transaction, { ...known, requested: undefined }))).toEqual([]);
    }
  });

  it('passes under a policy with blind_signing never', async () => {
    const { review, build } = await startScene();
    const policy = inForce({ blind_signing: 'never' });
    expect(failedChecks(await review(await build((scene) => [toWallet(scene)]), { ...known, policy }))).toEqual([]);
  });

  it('is refused with and without a simulation when another owner gets the position', async () => {
    const { review, build } = await startScene();
    const bytes = await build((scene) => [toThief(scene)]);
    const expected = ['shares refuse', 'position refuse'];
    expect(failedChecks(await review(bytes, { ...known, facts: undefined }))).toEqual(expected);
    expect(failedChecks(await review(bytes, known))).toEqual([...expected, 'gain refuse']);
    expect(failedChecks(await review(bytes, { ...known, requested: undefined, facts: undefined }))).toContain(
      'position refuse',
    );
  });

  it('is refused for a withdrawal of too many shares, and requires a confirmation for a deposit with too few', async () => {
    const { review, build, requested } = await startScene();
    const request: RequestedOperation = {
      ...requested,
      kind: 'withdraw',
      amount: '5',
      providerIn: undefined,
      providerOut: 'provider_b',
    };
    const manyShares = await build((scene) => [withdrawalOf(scene, B, { units: 5_000_000n, shares: 6_000_000_000n })]);
    expect(failedChecks(await review(manyShares, { ...known, requested: request }))).toContain('shares refuse');
    const fewShares = await build((scene) => [depositOf(scene, B, { units: HUNDRED_USDC, shares: 1n })]);
    expect(failedChecks(await review(fewShares, known))).toEqual(['shares confirm']);
  });

  it('requires a confirmation as an unknown program on another network', async () => {
    const { review, build } = await startScene();
    const { checks } = await review(await build((scene) => [toWallet(scene)]), { overrides: {}, facts: undefined });
    expect(checks.find(({ id }) => id === 'program')).toMatchObject({ verdict: 'confirm' });
  });
});
