import {
  ComputeBudgetProgram,
  PublicKey,
  SystemProgram,
  type TransactionInstruction,
  TransactionMessage,
  VersionedTransaction,
} from '@solana/web3.js';
import { readSigned } from '../../src/chain/solana/signatures.ts';
import { SOLANA_GENESIS } from '../../src/contract/chains.ts';
import { keyNamed } from '../../src/sandbox/solana/address.ts';
import {
  type LendingInstruction,
  lend,
  lenderAccount,
  TOKEN_PROGRAM,
  tokenAccountOf,
} from '../../src/sandbox/solana/instructions.ts';
import { parseTransaction } from '../../src/sandbox/solana/parse.ts';
import { openSvm } from '../../src/sandbox/solana/svm.ts';
import { startServer } from './server.ts';

/** USDC of the real chain. */
export const LIVE_USDC = new PublicKey('EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v');

const PROVIDER = keyNamed('vault provider_b');
const provider = new PublicKey(PROVIDER.bytes);
const BLOCKHASH = '4sGjMW1sUnHzSxGspuhpqLDx6wiyjNtZAMdL4VZHirAn';

const account = (address: PublicKey, owner: PublicKey, data: Uint8Array, lamports = 2_039_280n) => ({
  address: address.toBase58(),
  lamports: lamports.toString(),
  owner: owner.toBase58(),
  data,
  executable: 0,
});

const mint = (): Uint8Array => {
  const data = Buffer.alloc(82);
  data.writeBigUInt64LE(10n ** 15n, 36);
  data.set([6, 1], 44);
  return data;
};

const holding = (owner: PublicKey, units: bigint): Uint8Array => {
  const data = Buffer.alloc(165);
  data.set(LIVE_USDC.toBytes(), 0);
  data.set(owner.toBytes(), 32);
  data.writeBigUInt64LE(units, 64);
  data.writeUInt8(1, 108);
  return data;
};

/** The position of an owner in the lending program. */
const position = (owner: PublicKey): Uint8Array =>
  Buffer.concat([Buffer.from('position'), owner.toBytes(), LIVE_USDC.toBytes(), Buffer.alloc(8)]);

type Wallet = { readonly wallet: PublicKey; readonly owners: readonly PublicKey[] };

/**
 * Starts a node with the genesis hash of the real chain that simulates on the real Solana runtime. bursar does not know the
 * lending program on it. The wallet has 1,000 USDC, and each owner an empty position.
 */
export const startLiveNode = async ({ wallet, owners }: Wallet) => {
  const svm = openSvm();
  const positionAddress = (owner: PublicKey) => lend(lending(wallet, owner, 0n)).keys[1]?.pubkey ?? wallet;
  const lender = await lenderAccount(svm.rent);
  const accounts = [
    lender,
    account(LIVE_USDC, TOKEN_PROGRAM, mint()),
    account(wallet, SystemProgram.programId, new Uint8Array(), 10n ** 9n),
    account(tokenAccountOf(wallet, LIVE_USDC), TOKEN_PROGRAM, holding(wallet, 10n ** 9n)),
    account(tokenAccountOf(provider, LIVE_USDC), TOKEN_PROGRAM, holding(provider, 10n ** 12n)),
    ...owners.map((owner) => account(positionAddress(owner), new PublicKey(lender.address), position(owner))),
  ];
  for (const each of accounts) svm.put(each);
  type Stored = NonNullable<ReturnType<typeof svm.account>>;
  const viewOf = (stored: Stored | undefined) =>
    stored
      ? {
          lamports: Number(stored.lamports),
          owner: stored.owner,
          data: [Buffer.from(stored.data).toString('base64'), 'base64'],
        }
      : null;
  const simulated = (text: string, addresses: readonly string[]) => {
    const parsed = parseTransaction(Buffer.from(text, 'base64'));
    if (!parsed.ok) throw new Error(parsed.message);
    const { error, accounts: after } = svm.simulate(parsed.transaction, 10, Date.now(), false);
    const stateOf = (address: string) => viewOf(after.find((changed) => changed.address === address));
    return { err: error ?? null, accounts: error ? null : addresses.map(stateOf) };
  };
  const resultOf = (
    method: string,
    params: readonly [never, { accounts: { addresses: readonly string[] } }],
  ): unknown => {
    switch (method) {
      case 'getGenesisHash':
        return SOLANA_GENESIS.live;
      case 'getMultipleAccounts':
        return { value: (params[0] as readonly string[]).map((address) => viewOf(svm.account(address))) };
      case 'simulateTransaction':
        return { value: simulated(params[0], params[1].accounts.addresses) };
      case 'sendTransaction':
        return readSigned(params[0])?.hash;
      case 'isBlockhashValid':
        return { value: true };
      case 'getSignatureStatuses':
        return { value: [null] };
      default:
        throw new Error(`the test did not expect ${method}`);
    }
  };
  return startServer(({ body }, response) => {
    const { method, params } = JSON.parse(body);
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ jsonrpc: '2.0', id: 1, result: resultOf(method, params) }));
  });
};

const lending = (wallet: PublicKey, owner: PublicKey, units: bigint): LendingInstruction => ({
  ...{ kind: 'deposit', wallet, owner, provider, mint: LIVE_USDC, decimals: 6, units, shares: units * 900n },
});

/** A deposit of USDC by the wallet for an owner, as a service builds it. The provider has signed. */
export const liveDeposit = (
  wallet: PublicKey,
  owner: PublicKey,
  units: bigint,
  more: readonly TransactionInstruction[] = [],
): string => {
  const plan = new TransactionMessage({
    payerKey: wallet,
    recentBlockhash: BLOCKHASH,
    instructions: [
      ComputeBudgetProgram.setComputeUnitLimit({ units: 200_000 }),
      lend(lending(wallet, owner, units)),
      ...more,
    ],
  });
  const transaction = new VersionedTransaction(plan.compileToV0Message());
  transaction.addSignature(provider, PROVIDER.sign(transaction.message.serialize()));
  return Buffer.from(transaction.serialize()).toString('base64');
};
