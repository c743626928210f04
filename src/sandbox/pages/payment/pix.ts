import { parseJson } from '../../../core/json.ts';
import { type PixDetails, qrOf } from '../../charges/pix.ts';
import type { PixOutcome } from '../../charges/settle-pix.ts';
import type { ChargeRow } from '../../ledger/charges.ts';
import { type Html, html } from '../html.ts';
import { time } from '../marks.ts';
import type { Visit } from './find.ts';

/** What can come of a Pix, as its payer would say it. */
export const PIX_BUTTONS: readonly (readonly [PixOutcome, string])[] = [
  ['pay', 'Pay'],
  ['refuse', 'Refuse'],
  ['expire', 'Let it expire'],
];

const expiry = (charge: ChargeRow): Html => {
  const at = charge.expires_ms ?? 0;
  return html`<p class="quiet small">Can be paid until ${time(new Date(at).toISOString())} UTC <span data-until="${at}"></span></p>`;
};

/** A Pix to pay: its picture, its code, and what a bank can make of it. */
export const pixView = async ({ act }: Visit, charge: ChargeRow): Promise<Html> => {
  const { code, amount } = parseJson(charge.details) as PixDetails;
  return html`<div class="card">
<h2>Pix of ${amount} BRL</h2>
<div class="qr"><img src="${await qrOf(code)}" width="216" height="216" alt="QR code of the Pix code below"></div>
<div class="field">
<label for="pix-code">Pix code to copy and paste</label>
<textarea id="pix-code" rows="5" readonly spellcheck="false">${code}</textarea>
<button type="button" id="copy" data-copy="pix-code">Copy the code</button>
<p class="small quiet" id="copied" role="status"></p>
</div>
${expiry(charge)}
<hr>
<h2>Decide as the payer's bank</h2>
<div class="buttons">${PIX_BUTTONS.map(
    ([outcome, label], at) =>
      html`<form method="post" action="${act(`pix/${outcome}`)}"><button id="${outcome}"${at === 0 && html` class="main"`}>${label}</button></form>`,
  )}</div>
</div>`;
};
