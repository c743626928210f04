import { execFileSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { loadBundle } from './bundle.mjs';
import { cleanEnv, inTurn, median, timeOf } from './measure.mjs';

const PROGRAM = fileURLToPath(new URL('../../bin/bursar.js', import.meta.url));
const RUNS = 11;
/** Before they count, so that the code is compiled. */
const WARM = 300;
const REVIEWS = 300;
const SCRYPT = `require('node:crypto').scrypt('bench', Buffer.alloc(32), 32,
  { N: 131072, r: 8, p: 1, maxmem: 129 * 131072 * 8 }, () => {})`;

/** The review's own code, bundled as the program has it. */
const loadReview = (folder) =>
  loadBundle(
    folder,
    'review',
    `export { parseCryptoTx } from './src/chain/evm/parse.ts';
        export { approve, reviewEvm, signEvm } from './src/chain/evm/review.ts';
        export { networkFor } from './src/chain/evm/network.ts';
        export { SANDBOX_CONTRACTS } from './src/contract/chains.ts';
        export { parseJson } from './src/core/json.ts';`,
  );

const word = (hex) => hex.replace(/^0x/, '').toLowerCase().padStart(64, '0');
const RECEIVERS = ['0x1111111111111111111111111111111111111111', '0x2222222222222222222222222222222222222222'];

/** A payment of 10 USDT, 70 to 30, as the sandbox asks to sign it. */
const cryptoTx = (from, { splitter, USDT }) => {
  const words = [word(USDT), word('60'), word('c0'), word('2'), ...RECEIVERS.map(word)];
  const data = ['0x48145485', ...words, word('2'), word((7_000_000).toString(16)), word((3_000_000).toString(16))].join(
    '',
  );
  return JSON.stringify({
    schema_version: 1,
    family: 'evm',
    chain_name: 'polygon',
    transactionRequest: {
      ...{ from, to: splitter, data, value: 0, chainId: 1_000_137, gasLimit: '300000', nonce: 0 },
      ...{ maxPriorityFeePerGas: '1000000000', maxFeePerGas: '30000000000' },
    },
  });
};

/** Milliseconds of one review with its signature, in a process that has done some. */
const warmReview = (own) => {
  const key = new Uint8Array(32).fill(0x46);
  const payer = '0x9d8A62f656a8d1615C1294fd71e9CFb3E4855A4F';
  const text = cryptoTx(payer, own.SANDBOX_CONTRACTS);
  const receivers = RECEIVERS.map((wallet, index) => ({ wallet, percent: ['70', '30'][index] }));
  const expected = { chainName: 'polygon', tokenSymbol: 'USDT', amount: '10', receivers };
  const network = own.networkFor('sandbox');
  const times = Array.from({ length: WARM + REVIEWS }, () => {
    const start = performance.now();
    const unsigned = own.parseCryptoTx(own.parseJson(text));
    own.signEvm(own.approve(own.reviewEvm({ unsigned, network, expected, signer: payer }), 'pass'), key);
    return performance.now() - start;
  });
  return median(times.slice(WARM));
};

/** The whole of `pay sign`, without what the key's own cost takes: a bare scrypt of the same parameters. */
const wholeProcess = async (folder, contracts) => {
  const env = cleanEnv({ BURSAR_HOME: folder });
  const passwordFile = join(folder, 'password');
  await writeFile(passwordFile, 'bench', { mode: 0o600 });
  const keyArgs = ['key', 'new', 'bench', '--chain', 'evm', '--password-file', passwordFile, '--json'];
  const { address } = JSON.parse(execFileSync(process.execPath, [PROGRAM, ...keyArgs], { env, encoding: 'utf8' }));
  const file = join(folder, 'crypto_tx.json');
  await writeFile(file, cryptoTx(address, contracts));
  const stated = ['--amount-from', '10', '--payer-token-symbol', 'USDT', '--chain-name', 'polygon'];
  const shares = RECEIVERS.flatMap((wallet, at) => ['--split', `${wallet}=${['70', '30'][at]}`]);
  const args = [
    ...['pay', 'sign', '--unsigned', file, '--key', 'bench', '--password-file', passwordFile, '--quiet'],
    ...[...stated, ...shares],
  ];
  const bares = [];
  const node = async (code) => timeOf(process.execPath, ['-e', code], env);
  const [own, scrypt] = await inTurn(
    RUNS,
    () => timeOf(process.execPath, [PROGRAM, ...args], env),
    async () => {
      bares.push(await node('0'));
      return node(SCRYPT);
    },
  );
  return { own, scrypt, bare: median(bares) };
};

/** Reviewing and signing a payment: in a warm process, and as a whole command. */
export const benchSign = async () => {
  const folder = await mkdtemp(join(tmpdir(), 'bursar-bench-sign-'));
  try {
    const review = await loadReview(folder);
    const warm = warmReview(review);
    const { own, scrypt, bare } = await wholeProcess(folder, review.SANDBOX_CONTRACTS);
    const ms = (value) => `${Math.round(value)} ms`;
    const beside = `node -e 0: ${ms(bare)}, with scrypt: ${ms(scrypt)}`;
    return [
      {
        what: 'EVM review and signature, warm',
        own: `${warm.toFixed(1)} ms`,
        other: `median of ${REVIEWS}`,
        value: warm,
        unit: 'ms',
        budget: 10,
      },
      {
        what: 'bursar pay sign, beside its scrypt',
        own: ms(own),
        other: beside,
        value: (own - (scrypt - bare)) / bare,
        budget: 2.5,
      },
    ];
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
};
