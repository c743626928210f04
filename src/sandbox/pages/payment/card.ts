import { type Html, html } from '../html.ts';
import { type CardField, TEST_CARDS } from './card-form.ts';
import type { Visit } from './find.ts';

/** What an issuer can say. */
export const CARD_BUTTONS = [
  ['approve', 'Approve'],
  ['refuse', 'Refuse'],
] as const;

const WHY: Readonly<Record<CardField, string>> = {
  number: 'Enter 12 to 19 digits, or a token such as tok_refused.',
  expiry: 'Enter month and year, such as 09/31.',
};

type Field = { readonly name: string; readonly label: string; readonly hint?: string; readonly wrong?: string | false };

const field = ({ name, label, hint, wrong }: Field): Html => {
  const about = [hint && `${name}-hint`, wrong && `${name}-wrong`].filter(Boolean).join(' ');
  return html`<div class="field">
<label for="${name}">${label}</label>
<input id="${name}" name="${name}" autocomplete="off" spellcheck="false" maxlength="80"${about && html` aria-describedby="${about}"`}${wrong && html` aria-invalid="true"`}>
${hint && html`<p class="quiet small" id="${name}-hint">${hint}</p>`}
${wrong && html`<p class="wrong small" id="${name}-wrong">${wrong}</p>`}
</div>`;
};

const testCards = html`<details id="test-cards"><summary>Test values</summary>
<dl class="facts small">${TEST_CARDS.map(([value, what]) => html`<div><dt class="mono break">${value}</dt><dd>${what}</dd></div>`)}</dl>
</details>`;

/** A card to enter, or its outcome to choose. The form is empty again when something in it was wrong. */
export const cardView = ({ act, row }: Visit, wrong: readonly CardField[]): Html => html`<div class="card">
<h2>Pay by card</h2>
<form class="form" method="post" action="${act('card')}" novalidate>
${wrong.length > 0 && html`<p class="wrong" role="alert">The card was not taken. It is not kept, so please enter it again.</p>`}
${field({ name: 'number', label: 'Card number or token', hint: 'Test values only. Nothing of it is kept.', wrong: wrong.includes('number') && WHY.number })}
${field({ name: 'holder', label: 'Name on the card' })}
<div class="fields">
${field({ name: 'expiry', label: 'Expires (MM/YY)', wrong: wrong.includes('expiry') && WHY.expiry })}
${field({ name: 'cvc', label: 'Security code' })}
</div>
<button class="main" id="pay-card">Pay ${row.amount_from} ${row.from_currency_symbol}</button>
</form>
${testCards}
<hr>
<h2>Or decide as the card's issuer</h2>
<div class="buttons">${CARD_BUTTONS.map(
  ([outcome, label]) =>
    html`<form method="post" action="${act(`card/${outcome}`)}"><button id="${outcome}">${label}</button></form>`,
)}</div>
</div>`;
