import { DATA, type Fields, inputs, matches, path, query, retryWhile, SERVICE, SIGNER, step, text } from './parts.ts';

const SOLANA_WALLET = text('Solana wallet that deposits', {}, { from: 'solana-key' });

/** Builds, signs and sends a yield operation. */
const moving = (kind: 'deposit' | 'withdraw', amount: string): readonly Fields[] => [
  step(
    kind,
    `${SERVICE}yield${kind === 'deposit' ? 'Deposit' : 'Withdraw'}`,
    `Build the transaction of a ${kind}`,
    {
      provider: '$inputs.provider',
      chain_name: 'solana',
      asset: '$inputs.asset',
      wallet: '$inputs.wallet',
      amount,
    },
    ['$statusCode == 200', matches(`${DATA}/transaction`, '^[A-Za-z0-9+/]+=*$')],
    { outputs: { transaction: `${DATA}/transaction` } },
  ),
  step(
    `${kind}Sign`,
    `${SIGNER}signYield`,
    'Review the transaction, and sign it',
    {
      transaction: `$steps.${kind}.outputs.transaction`,
      kind,
      provider: '$inputs.provider',
      asset: '$inputs.asset',
      amount,
    },
    [`${DATA}/from == $inputs.wallet`],
    { outputs: { op_signed: `${DATA}/op_signed`, hash: `${DATA}/hash` } },
  ),
  step(
    `${kind}Send`,
    `${SERVICE}yieldBroadcast`,
    'Send the signed transaction through the service',
    { chain_name: 'solana', op_signed: `$steps.${kind}Sign.outputs.op_signed` },
    [`${DATA}/status == 1`],
  ),
];

/** `yield`. */
export const yieldFlow: Fields = {
  workflowId: 'yield',
  summary: 'Deposit into a lending market, read the position, withdraw a part',
  ...inputs({
    wallet: SOLANA_WALLET,
    provider: text('Provider', { default: 'provider_a', enum: ['provider_a', 'provider_b'] }),
    asset: text('Token', { default: 'USDC' }),
    amount: text('Amount to deposit', { default: '25' }),
    withdraw_amount: text('Amount to withdraw afterwards', { default: '10' }),
  }),
  steps: [
    step(
      'strategies',
      `${SERVICE}yieldStrategiesOf`,
      'List the strategies of the token',
      undefined,
      ['$statusCode == 200', matches(`${DATA}/strategies/0/strategy_id`, '^[^:]+:[^:]+:')],
      { parameters: [path('asset_symbol', '$inputs.asset')] },
    ),
    ...moving('deposit', '$inputs.amount'),
    step(
      'position',
      `${SERVICE}yieldEarnings`,
      'Read the position',
      undefined,
      [`${DATA}/earnings/0/earnings_status == 'ok'`, `${DATA}/earnings/0/position_on_protocol > 0`],
      {
        ...query({
          wallet: '$inputs.wallet',
          asset: '$inputs.asset',
          provider: '$inputs.provider',
          chain_name: 'solana',
        }),
        ...retryWhile('$statusCode == 200', 1, 30),
      },
    ),
    ...moving('withdraw', '$inputs.withdraw_amount'),
  ],
  outputs: { hash: '$steps.depositSign.outputs.hash' },
};
