import { isSwitchedOn } from '../core/environment.ts';
import type { Io, Output } from '../io/io.ts';

type Env = Io['env'];

/** Whether a VTE version supports links: 0.50.0, the first with links, crashes on them. */
const isNewVte = (version: string | undefined): boolean => /^\d{4,}$/.test(version ?? '') && Number(version) > 5000;

const PROGRAMS = ['iTerm.app', 'WezTerm', 'vscode', 'ghostty', 'zed', 'Hyper', 'rio', 'Tabby'];

const isKnown = (env: Env): boolean =>
  isNewVte(env['VTE_VERSION']) ||
  PROGRAMS.includes(env['TERM_PROGRAM'] ?? '') ||
  /^(?:xterm-kitty|xterm-ghostty|alacritty|foot|contour)/.test(env['TERM'] ?? '') ||
  [env['WT_SESSION'], env['KONSOLE_VERSION'], env['DOMTERM'], env['KITTY_WINDOW_ID']].some(Boolean);

/**
 * Whether addresses on a stream become links (OSC 8): only on terminals that are known to support them. FORCE_HYPERLINK
 * decides for any other terminal (0: no). NO_COLOR, --no-color and TERM=dumb switch links off.
 */
export const wantsLinks = (env: Env, stream: Output, noColour: boolean): boolean => {
  if (!stream.isTerminal || env['TERM'] === 'dumb') return false;
  const forced = env['FORCE_HYPERLINK'];
  if (forced) return isSwitchedOn(forced);
  if (noColour || env['NO_COLOR'] || isSwitchedOn(env['CI']) || env['TMUX'] || env['STY']) return false;
  return isKnown(env);
};

/** A complete URL of valid characters (RFC 3986). The shown text of a link is always a part of its target. */
const ADDRESS = /^https?:\/\/[\w.~:/?#[\]@!$&'()*+,;=%-]+$/;

/** Makes `shown` a link to `whole` if `whole` is a URL. */
export const linked = (shown: string, whole: string): string =>
  ADDRESS.test(whole) ? `\u001b]8;;${whole}\u001b\\${shown}\u001b]8;;\u001b\\` : shown;
