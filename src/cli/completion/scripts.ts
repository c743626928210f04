import { bashScript } from './bash.ts';
import { fishScript } from './fish.ts';
import type { Grammar } from './grammar.ts';
import { powershellScript } from './powershell.ts';
import type { Shell } from './shells.ts';
import { zshScript } from './zsh.ts';

/** The script that completes bursar in a shell. */
export const SCRIPTS: Readonly<Record<Shell, (grammar: Grammar) => string>> = {
  bash: bashScript,
  zsh: zshScript,
  fish: fishScript,
  powershell: powershellScript,
};
