import { type Html, html } from '../html.ts';
import type { ActId } from './acts.ts';

/** A field of a form that begins an act: a choice or any text. A choice begins with its first word. */
type Field = {
  readonly name: string;
  readonly label: string;
  readonly choices?: readonly string[];
  readonly value?: string;
  readonly isOptional?: true;
};

type Form = {
  readonly id: ActId;
  readonly button: string;
  /** Hidden fields with fixed values. */
  readonly fixed?: Readonly<Record<string, string>>;
  /** The fields that the user fills. */
  readonly fields: readonly Field[];
  /** A suffix of the ids of elements. It makes the ids of several forms of one act unique. */
  readonly key?: string;
};

const controlOf = ({ name, choices, value = '', isOptional }: Field, id: string): Html =>
  choices
    ? html`<select id="${id}" name="${name}">${isOptional && html`<option value="">any</option>`}${choices.map((word) => html`<option value="${word}">${word}</option>`)}</select>`
    : html`<input id="${id}" name="${name}" value="${value}" maxlength="200" autocomplete="off" spellcheck="false"${!isOptional && html` required`}>`;

/** A form that begins an act. It changes nothing and opens the confirmation page of the act. */
export const actForm = ({ id, button, fixed = {}, fields, key = '' }: Form): Html => {
  const idOf = (name: string) => `${id.replace('.', '-')}-${name}${key && `-${key}`}`;
  return html`<form class="filter" method="get" action="decide">
<input type="hidden" name="do" value="${id}">${Object.entries(fixed).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}
${fields.map((field) => {
  const label = html`<label for="${idOf(field.name)}">${field.label}${field.isOptional && ' (optional)'}</label>`;
  return html`<div class="field">${label}${controlOf(field, idOf(field.name))}</div>`;
})}
<div class="buttons"><button type="submit" id="${idOf('start')}">${button}…</button></div>
</form>`;
};

/** A link to the confirmation page of an act without further fields. */
export const actLink = (id: ActId, fixed: Readonly<Record<string, string>>, label: string, key: string): Html =>
  html`<a class="act" id="${id.replace('.', '-')}-${key}" href="decide?${String(new URLSearchParams({ do: id, ...fixed }))}">${label}…</a>`;
