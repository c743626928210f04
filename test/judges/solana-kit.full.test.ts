import { expect } from 'vitest';
import { SANDBOX_SOLANA } from '../../src/contract/chains.ts';
import { startYield } from '../sandbox/yield/wallet.ts';
import { judged, loadJudge } from './tools.ts';

/** Connects @solana/kit, the client of Solana's own developers, to the Solana chain of a sandbox, with a funded payer. */
const start = async () => {
  const kit = await loadJudge('@solana/kit/dist/index.node.mjs');
  const sandbox = await startYield();
  const { rpc_url, websocket_url } = (await sandbox.control('GET', 'solana')).body.data;
  const rpc = kit.createSolanaRpc(rpc_url);
  const rpcSubscriptions = kit.createSolanaRpcSubscriptions(websocket_url);
  const payer = await kit.generateKeyPairSigner();
  const gift = await rpc.requestAirdrop(payer.address, kit.lamports(5_000_000_000n)).send();
  return { kit, sandbox, rpc, rpcSubscriptions, payer, gift };
};

type Started = Awaited<ReturnType<typeof start>>;

const SYSTEM = '11111111111111111111111111111111';

/** A transfer of the system program, byte by byte: two accounts, the instruction's number, the amount. */
const transferTo = ({ kit, payer }: Started, to: string, lamports: bigint) => {
  const data = Buffer.alloc(12);
  data.writeUInt32LE(2);
  data.writeBigUInt64LE(lamports, 4);
  const accounts = [
    { address: payer.address, role: kit.AccountRole.WRITABLE_SIGNER, signer: payer },
    { address: to, role: kit.AccountRole.WRITABLE },
  ];
  return { programAddress: kit.address(SYSTEM), accounts, data: new Uint8Array(data) };
};

const signedTransfer = async (started: Started, to: string, lamports: bigint) => {
  const { kit, rpc, payer } = started;
  const { value: latest } = await rpc.getLatestBlockhash().send();
  const message = kit.pipe(
    kit.createTransactionMessage({ version: 0 }),
    (draft: unknown) => kit.setTransactionMessageFeePayerSigner(payer, draft),
    (draft: unknown) => kit.setTransactionMessageLifetimeUsingBlockhash(latest, draft),
    (draft: unknown) => kit.appendTransactionMessageInstruction(transferTo(started, to, lamports), draft),
  );
  const transaction = await kit.signTransactionMessageWithSigners(message);
  return { transaction, signature: kit.getSignatureFromTransaction(transaction) };
};

judged(
  '@solana/kit sends and confirms a transfer, reads its fee and balances, and finds it by the address',
  async () => {
    const started = await start();
    const { kit, rpc, rpcSubscriptions, payer, gift } = started;
    const sendAndConfirm = kit.sendAndConfirmTransactionFactory({ rpc, rpcSubscriptions });
    const { address: to } = await kit.generateKeyPairSigner();
    const { transaction, signature } = await signedTransfer(started, to, 1_000_000_000n);
    await sendAndConfirm(transaction, { commitment: 'confirmed' });
    expect((await rpc.getBalance(to).send()).value).toBe(1_000_000_000n);
    const found = await rpc.getTransaction(signature, { encoding: 'json', maxSupportedTransactionVersion: 0 }).send();
    expect(found.meta).toMatchObject({ err: null, fee: 5000n, preBalances: [5_000_000_000n, 0n, 1n] });
    expect(found.meta.postBalances).toEqual([3_999_995_000n, 1_000_000_000n, 1n]);
    const all = await rpc.getSignaturesForAddress(payer.address).send();
    expect(all.map(({ signature: listed }: { signature: string }) => listed)).toEqual([signature, gift]);
    const epoch = await rpc.getEpochInfo().send();
    expect(epoch.absoluteSlot).toBeGreaterThan(0n);
  },
);

judged('@solana/kit stops waiting for a transaction when the slots pass the last valid block height', async () => {
  const started = await start();
  const { sandbox, rpc, rpcSubscriptions } = started;
  const { transaction } = await signedTransfer(started, started.payer.address, 1n);
  const confirmation = await loadJudge('@solana/transaction-confirmation/dist/index.node.mjs');
  const pending = confirmation.waitForRecentTransactionConfirmation({
    transaction,
    commitment: 'confirmed',
    abortSignal: AbortSignal.timeout(30_000),
    getBlockHeightExceedencePromise: confirmation.createBlockHeightExceedencePromiseFactory({
      rpc,
      rpcSubscriptions,
    }),
    getRecentSignatureConfirmationPromise: confirmation.createRecentSignatureConfirmationPromiseFactory({
      rpc,
      rpcSubscriptions,
    }),
  });
  const outcome = pending.then(
    () => 'confirmed',
    (error: Error) => String(error),
  );
  await new Promise((resolve) => setTimeout(resolve, 1_000));
  sandbox.advance(200 * 400);
  expect(await outcome).toMatch(/block height|progressed/i);
});

const firstOf = async <T>(notifications: AsyncIterable<T>): Promise<T> => {
  for await (const notification of notifications) return notification;
  throw new Error('the subscription ended without a notification');
};

judged('@solana/kit receives notifications of slots, of a changed account and of logs', async () => {
  const started = await start();
  const { kit, rpc, rpcSubscriptions, payer } = started;
  const abortSignal = AbortSignal.timeout(20_000);
  const slots = await rpcSubscriptions.slotNotifications().subscribe({ abortSignal });
  const { slot, parent, root } = await firstOf<{ slot: bigint; parent: bigint; root: bigint }>(slots);
  expect([slot - parent, root < slot]).toEqual([1n, true]);
  const options = { commitment: 'confirmed', encoding: 'base64' };
  // kit drops notifications that arrive before the subscription is read.
  const account = await rpcSubscriptions.accountNotifications(payer.address, options).subscribe({ abortSignal });
  const changed = firstOf<{ value: { lamports: bigint } }>(account);
  const logs = await rpcSubscriptions.logsNotifications({ mentions: [payer.address] }).subscribe({ abortSignal });
  const logged = firstOf<{ value: unknown }>(logs);
  const { transaction, signature } = await signedTransfer(started, payer.address, 1n);
  const bytes = kit.getBase64EncodedWireTransaction(transaction);
  await rpc.sendTransaction(bytes, { encoding: 'base64' }).send();
  expect((await changed).value.lamports).toBe(4_999_995_000n);
  expect((await logged).value).toMatchObject({ signature, err: null });
});

judged('fzstd decodes account data in base64+zstd to the bytes of the same account in base64', async () => {
  const { decompress } = await loadJudge('fzstd/lib/index.js');
  const { rpc } = await start();
  const read = async (address: string, encoding: string) => {
    const { value } = await rpc.getAccountInfo(address, { encoding }).send();
    return Buffer.from(value.data[0], 'base64');
  };
  const tokenProgram = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA';
  for (const address of [SANDBOX_SOLANA.mints.USDC, SYSTEM, tokenProgram]) {
    const plain = await read(address, 'base64');
    expect(Buffer.from(decompress(await read(address, 'base64+zstd'))).equals(plain)).toBe(true);
  }
});
