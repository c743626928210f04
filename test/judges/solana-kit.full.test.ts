import { expect } from 'vitest';
import { SANDBOX_SOLANA } from '../../src/contract/chains.ts';
import { startYield } from '../sandbox/yield/wallet.ts';
import { judged, loadJudge } from './tools.ts';

/** @solana/kit, which is the present client of Solana's own developers, on the sandbox's Solana chain. */
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

/** The system program's transfer, written out: two accounts, and a kind before the amount. */
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
    (made: unknown) => kit.setTransactionMessageFeePayerSigner(payer, made),
    (made: unknown) => kit.setTransactionMessageLifetimeUsingBlockhash(latest, made),
    (made: unknown) => kit.appendTransactionMessageInstruction(transferTo(started, to, lamports), made),
  );
  const transaction = await kit.signTransactionMessageWithSigners(message);
  return { transaction, signature: kit.getSignatureFromTransaction(transaction) };
};

judged(
  'kit sends and confirms a transaction, reads it with its fee and balances, and finds it by its address',
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
    expect(all.map((each: { signature: string }) => each.signature)).toEqual([signature, gift]);
    const epoch = await rpc.getEpochInfo().send();
    expect(epoch.absoluteSlot).toBeGreaterThan(0n);
  },
);

judged('kit gives up a transaction whose blockhash ran out: it follows the slots', async () => {
  const started = await start();
  const { sandbox, rpc, rpcSubscriptions } = started;
  const { transaction } = await signedTransfer(started, started.payer.address, 1n);
  const confirmation = await loadJudge('@solana/transaction-confirmation/dist/index.node.mjs');
  const confirming = confirmation.waitForRecentTransactionConfirmation({
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
  const ended = confirming.then(
    () => 'confirmed',
    (error: Error) => String(error),
  );
  await new Promise((resolve) => setTimeout(resolve, 1_000));
  sandbox.advance(200 * 400);
  expect(await ended).toMatch(/block height|progressed/i);
});

const first = async <T>(all: AsyncIterable<T>): Promise<T> => {
  for await (const each of all) return each;
  throw new Error('it ended');
};

judged('kit hears of slots, of an account that changes, and of logs', async () => {
  const started = await start();
  const { kit, rpc, rpcSubscriptions, payer } = started;
  const abortSignal = AbortSignal.timeout(20_000);
  const slots = await rpcSubscriptions.slotNotifications().subscribe({ abortSignal });
  const one = await first<{ slot: bigint; parent: bigint; root: bigint }>(slots);
  expect([one.slot - one.parent, one.root < one.slot]).toEqual([1n, true]);
  const options = { commitment: 'confirmed', encoding: 'base64' };
  // kit drops what comes before it is asked for.
  const account = await rpcSubscriptions.accountNotifications(payer.address, options).subscribe({ abortSignal });
  const changed = first<{ value: { lamports: bigint } }>(account);
  const logs = await rpcSubscriptions.logsNotifications({ mentions: [payer.address] }).subscribe({ abortSignal });
  const logged = first<{ value: unknown }>(logs);
  const { transaction, signature } = await signedTransfer(started, payer.address, 1n);
  const bytes = kit.getBase64EncodedWireTransaction(transaction);
  await rpc.sendTransaction(bytes, { encoding: 'base64' }).send();
  expect((await changed).value.lamports).toBe(4_999_995_000n);
  expect((await logged).value).toMatchObject({ signature, err: null });
});

judged('what is asked for in Zstandard is such: another decoder reads the bytes', async () => {
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
