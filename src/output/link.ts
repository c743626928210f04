import { isSwitchedOn } from '../core/environment.ts';
import type { Io, Output } from '../io/io.ts';

type Env = Io['env'];

/** Versions as the VTE library writes them: 0.50.0, the first with links, crashed at them. */
const isNewVte = (version: string | undefined): boolean => /^\d{4,}$/.test(version ?? '') && Number(version) > 5000;

const PROGRAMS = ['iTerm.app', 'WezTerm', 'vscode', 'ghostty', 'zed', 'Hyper', 'rio', 'Tabby'];

const isKnown = (env: Env): boolean =>
  isNewVte(env['VTE_VERSION']) ||
  PROGRAMS.includes(env['TERM_PROGRAM'] ?? '') ||
  /^(?:xterm-kitty|xterm-ghostty|alacritty|foot|contour)/.test(env['TERM'] ?? '') ||
  [env['WT_SESSION'], env['KONSOLE_VERSION'], env['DOMTERM'], env['KITTY_WINDOW_ID']].some(Boolean);

/**
 * Whether addresses on a stream become links (OSC 8): on terminals alone, and there on those that are known to take them.
 * FORCE_HYPERLINK says yes or no (0) of a terminal that is not known; NO_COLOR, --no-color and TERM=dumb want no
 * sequences at all.
 */
export const wantsLinks = (env: Env, stream: Output, noColour: boolean): boolean => {
  if (!stream.isTerminal || env['TERM'] === 'dumb') return false;
  const forced = env['FORCE_HYPERLINK'];
  if (forced) return isSwitchedOn(forced);
  if (noColour || env['NO_COLOR'] || isSwitchedOn(env['CI']) || env['TMUX'] || env['STY']) return false;
  return isKnown(env);
};

/** A whole address, of the characters that one may have (RFC 3986): none was escaped. What is shown of a link is always a part of where it leads. */
const ADDRESS = /^https?:\/\/[\w.~:/?#[\]@!$&'()*+,;=%-]+$/;

/** A text, or a part of it, that leads to the whole where that is an address. */
export const linked = (shown: string, whole: string): string =>
  ADDRESS.test(whole) ? `\u001b]8;;${whole}\u001b\\${shown}\u001b]8;;\u001b\\` : shown;
