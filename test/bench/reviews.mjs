import nacl from 'tweetnacl';
import { loadBundle } from './bundle.mjs';
import { median, ms } from './measure.mjs';

/** Reviews before the measured ones, so that their code is compiled. */
const WARM = 300;
const REVIEWS = 300;
const RECEIVERS = ['0x1111111111111111111111111111111111111111', '0x2222222222222222222222222222222222222222'];
const PAYER = '0x9d8A62f656a8d1615C1294fd71e9CFb3E4855A4F';

/** The reviews of the sources, and a deposit that web3.js builds. */
const loadReviews = (folder) =>
  loadBundle(
    folder,
    'reviews',
    `export { parseCryptoTx } from './src/chain/evm/parse.ts';
        export { approve, reviewEvm, signEvm } from './src/chain/evm/review.ts';
        export { networkFor } from './src/chain/evm/network.ts';
        export { SANDBOX_CONTRACTS } from './src/contract/chains.ts';
        export { parseJson } from './src/core/json.ts';
        export { approveSolana } from './src/chain/solana/sign.ts';
        export { parseSolana } from './src/chain/solana/parse.ts';
        export { reviewSolana } from './src/chain/solana/review.ts';
        export { signSolana } from './src/chain/solana/sign.ts';
        export { bytesOf, DEPOSIT, depositSteps, SANDBOX, WALLET, withMinter } from './test/chain/solana/given.ts';`,
  );

const medianTime = async (work) => {
  const times = [];
  for (let round = 0; round < WARM + REVIEWS; round += 1) {
    const start = performance.now();
    await work();
    times.push(performance.now() - start);
  }
  return median(times.slice(WARM));
};

const word = (hex) => hex.replace(/^0x/, '').toLowerCase().padStart(64, '0');

/** A payment of 10 USDT, 70 to 30, as the sandbox creates it. */
const cryptoTx = ({ splitter, USDT }) => {
  const units = [7_000_000, 3_000_000].map((share) => word(share.toString(16)));
  const words = [word(USDT), word('60'), word('c0'), word('2'), ...RECEIVERS.map(word), word('2'), ...units];
  return JSON.stringify({
    schema_version: 1,
    family: 'evm',
    chain_name: 'polygon',
    transactionRequest: {
      ...{ from: PAYER, to: splitter, data: `0x48145485${words.join('')}`, value: 0, chainId: 1_000_137 },
      ...{ gasLimit: '300000', nonce: 0, maxPriorityFeePerGas: '1000000000', maxFeePerGas: '30000000000' },
    },
  });
};

/** From the service's text to signed bytes. */
const evmTime = (own) => {
  const key = new Uint8Array(32).fill(0x46);
  const text = cryptoTx(own.SANDBOX_CONTRACTS);
  const receivers = RECEIVERS.map((wallet, index) => ({ wallet, percent: ['70', '30'][index] }));
  const expected = { chainName: 'polygon', tokenSymbol: 'USDT', amount: '10', receivers };
  const network = own.networkFor('sandbox');
  return medianTime(async () => {
    const unsigned = own.parseCryptoTx(own.parseJson(text));
    await own.signEvm(own.approve(own.reviewEvm({ unsigned, network, expected, signer: PAYER }), 'pass'), key);
  });
};

/** From base64 to signed base64. */
const solanaTime = (own) => {
  const transaction = Buffer.from(own.bytesOf(own.depositSteps(), own.withMinter)).toString('base64');
  const seed = own.WALLET.secretKey.subarray(0, 32);
  return medianTime(() => {
    const unsigned = own.parseSolana(transaction);
    const review = own.reviewSolana({ unsigned, network: own.SANDBOX, requested: own.DEPOSIT });
    own.signSolana(own.approveSolana(review, 'pass'), seed);
  });
};

/** The time of tweetnacl's verification, which checks each signature before the program returns it. */
const verifyingTime = () => {
  const { publicKey, secretKey } = nacl.sign.keyPair();
  const message = new Uint8Array(500).fill(7);
  const signature = nacl.sign.detached(message, secretKey);
  return medianTime(() => nacl.sign.detached.verify(message, signature, publicKey));
};

/** Reviewing and signing a payment and a deposit, in a warm process. */
export const benchReviews = async (home) => {
  const own = await loadReviews(home);
  const [evm, solana, verifying] = [await evmTime(own), await solanaTime(own), await verifyingTime()];
  return [
    { label: 'EVM: review and sign a payment', value: evm, unit: 'ms', budget: 10 },
    {
      label: 'Solana: review and sign a deposit',
      against: "without tweetnacl's verification",
      own: ms(solana),
      other: ms(verifying),
      value: solana - verifying,
      unit: 'ms',
      budget: 5,
    },
  ];
};
