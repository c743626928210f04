import type { Services } from '../../services.ts';
import { type Html, html } from '../html.ts';
import { chains } from './chains.ts';
import { inbox } from './inbox.ts';
import type { Listing, Viewer } from './listing.ts';
import { orders } from './orders.ts';
import { payments } from './payments.ts';
import { webhooks } from './webhooks.ts';

/** What the dashboard lists, in its order. */
export const LISTINGS: readonly Listing[] = [payments, orders, inbox, webhooks, chains];

const FEW = 6;
const MANY = 50;

/** Ways through the dashboard; `current` is where one is. */
export const tabsView = (current: string | undefined): Html => {
  const tab = (id: string | undefined, title: string, href: string) =>
    html`<li><a id="tab-${id ?? 'all'}" href="${href}"${id === current && html` aria-current="page"`}>${title}</a></li>`;
  return html`<nav aria-label="Dashboard"><ul class="tabs">${tab(undefined, 'Overview', '/')}${LISTINGS.map(
    ({ id, title }) => tab(id, title, `/?list=${id}`),
  )}</ul></nav>`;
};

/** The newest of one list, and the way to the rest of it. */
const shortView = async (services: Services, viewer: Viewer, listing: Listing): Promise<Html> => {
  const { id, title, list } = listing;
  const { table, count, next } = await list(services, viewer, { before: undefined, most: FEW });
  return html`<section class="card" id="${id}" data-live tabindex="-1" aria-labelledby="${id}-name">
<div class="head"><h2 id="${id}-name">${title}${id !== chains.id && html` <span class="quiet">${count}</span>`}</h2>
${next !== undefined && html`<a class="more" id="${id}-more" href="/?list=${id}">All ${title.toLowerCase()}</a>`}</div>
${table}
</section>`;
};

/** The newest of everything. */
export const overviewView = async (services: Services, viewer: Viewer): Promise<readonly Html[]> =>
  Promise.all(LISTINGS.map((listing) => shortView(services, viewer, listing)));

/** One list, a page of it at a time. */
export const longView = async (
  services: Services,
  viewer: Viewer,
  { id, title, list }: Listing,
  before: string | undefined,
): Promise<Html> => {
  const { table, count, next } = await list(services, viewer, { before, most: MANY });
  return html`<section class="card" id="${id}" data-live tabindex="-1" aria-labelledby="${id}-name">
<div class="head"><h2 id="${id}-name">${title}${id !== chains.id && html` <span class="quiet">${count}</span>`}</h2></div>
${table}
<div class="head">${before !== undefined && html`<a class="more" id="newest" href="/?list=${id}">Newest</a>`}
${next !== undefined && html`<a class="more" id="older" href="/?${String(new URLSearchParams({ list: id, before: next }))}">Older</a>`}</div>
</section>`;
};
