import { readWebhookTargets } from '../../ledger/settings.ts';
import type { Services } from '../../services.ts';
import { type Html, html } from '../html.ts';

/** A span of milliseconds in its largest units. */
const spanOf = (milliseconds: number): string => {
  const seconds = Math.round(milliseconds / 1000);
  const units = [
    [Math.floor(seconds / 86_400), 'd'],
    [Math.floor(seconds / 3600) % 24, 'h'],
    [Math.floor(seconds / 60) % 60, 'min'],
    [seconds % 60, 's'],
  ] as const;
  return units.flatMap(([count, unit]) => (count > 0 ? [`${count} ${unit}`] : [])).join(' ');
};

/** The sandbox itself: its time, and what runs. The clock is no part of what is swapped: it ticks. */
export const summaryView = async ({ clock, running, ledger }: Services): Promise<Html> => {
  const names = await running();
  const offset = clock.offset();
  const targets = await readWebhookTargets(await ledger());
  return html`<section class="card" aria-labelledby="summary-name">
<h2 class="unseen" id="summary-name">The sandbox</h2>
<dl class="sums">
<div><dt>Sandbox time</dt><dd><time data-clock>${clock.nowIso().slice(0, 19).replace('T', ' ')} UTC</time></dd></div>
<div id="offset" data-live tabindex="-1"><dt>Ahead of this machine</dt><dd>${offset > 0 ? spanOf(offset) : 'not at all'}</dd></div>
<div id="running" data-live tabindex="-1"><dt>Chains that run</dt><dd>${names.length > 0 ? names.join(', ') : 'none yet'}</dd></div>
<div id="targets" data-live tabindex="-1"><dt>Webhooks may go</dt><dd>${targets === 'any' ? 'anywhere' : 'to this machine'}</dd></div>
</dl>
</section>`;
};
