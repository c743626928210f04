import { createHash } from 'node:crypto';
import type { App } from '../http/app.ts';
import { copyOnClick } from './browser/copy.ts';
import { takeParts } from './browser/parts.ts';
import { runTimes } from './browser/times.ts';
import { watchSandbox } from './browser/watch.ts';
import { STYLE } from './style.ts';

/** A ledger's page with a purse: what a tab of the browser shows. */
const ICON = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="8" fill="#4338ca"/><path d="M9 8h8.5a5 5 0 0 1 2.6 9.2A5.2 5.2 0 0 1 18 25H9zm4 3.4v3.7h3.6a1.85 1.85 0 0 0 0-3.7zm0 6.9v3.3h4.2a1.65 1.65 0 0 0 0-3.3z" fill="#fff"/></svg>`;

/**
 * The pages' only script: functions that use nothing from outside themselves, served as their own text. A page
 * without a stamp is not live.
 */
const SCRIPT = `(${copyOnClick})(window);
if (document.body.dataset.stamp !== undefined) {
(${runTimes})(window);
(${watchSandbox})(window, (${takeParts})(window));
}
`;

type Asset = { readonly path: string; readonly type: string; readonly text: string };

/** Named by its content: a browser keeps it for as long as it is the same. */
const asset = (name: string, ending: string, type: string, text: string): Asset => ({
  path: `/_assets/${name}-${createHash('sha256').update(text).digest('hex').slice(0, 16)}.${ending}`,
  type,
  text,
});

export const ASSETS = {
  style: asset('style', 'css', 'text/css; charset=utf-8', STYLE),
  script: asset('page', 'js', 'text/javascript; charset=utf-8', SCRIPT),
  icon: asset('icon', 'svg', 'image/svg+xml', ICON),
} as const;

/** What the pages load: each from here. */
export const addAssets = (app: App): void => {
  for (const { path, type, text } of Object.values(ASSETS)) {
    app.get(
      path,
      () =>
        new Response(text, {
          headers: {
            'content-type': type,
            'cache-control': 'public, max-age=31536000, immutable',
            'cross-origin-resource-policy': 'same-origin',
            'x-content-type-options': 'nosniff',
          },
        }),
    );
  }
};
