import { COIN_DECIMALS, EVM_CHAINS } from '../../../contract/chains.ts';
import { fromUnits } from '../../../core/decimal.ts';
import { digitsOf } from '../../../core/json.ts';
import { readUnsigned } from '../../payments/unsigned.ts';
import { type Html, html } from '../html.ts';
import { facts } from '../marks.ts';
import type { Visit } from './find.ts';

const mono = (text: string): Html => html`<span class="mono">${text}</span>`;

/** What the payer is to sign, and the command that does it. */
export const cryptoView = ({ row }: Visit): Html | undefined => {
  if (row.unsigned_tx === null) return undefined;
  const { transactionRequest: tx } = readUnsigned(row.unsigned_tx);
  const coin = EVM_CHAINS.find(({ name }) => name === row.chain_name)?.coin ?? '';
  const fee = fromUnits(BigInt(tx.gasLimit) * BigInt(tx.maxFeePerGas), COIN_DECIMALS);
  return html`<div class="card">
<h2>What is to be signed</h2>
${facts([
  ['From', mono(tx.from)],
  ['Calls', mono(tx.to)],
  ['Pays in', `${row.payer_token_symbol} on ${row.chain_name}`],
  ['Coin sent', `${fromUnits(BigInt(digitsOf(tx.value) ?? '0'), COIN_DECIMALS)} ${coin}`],
  ['Fee', `at most ${fee} ${coin}`],
  ['Chain id', tx.chainId],
  ['Nonce', tx.nonce],
])}
<div class="field">
<h2>Review, sign and send it</h2>
<pre class="code" id="command" tabindex="0">bursar pay execute ${row.id} --key NAME</pre>
<button type="button" id="copy" data-copy="command">Copy the command</button>
<p class="small quiet" id="copied" role="status"></p>
</div>
</div>`;
};
