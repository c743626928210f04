import type { Command } from '../../command/command.ts';
import { list, newKey, passwd, remove, rename } from './manage.ts';
import { signMessage, verifyMessage } from './message.ts';
import { policy } from './policy.ts';
import { show } from './show.ts';
import { exportKey, importKey } from './transfer.ts';

/** The commands of `key`, in the order of the help. */
export const key: readonly Command[] = [
  newKey,
  importKey,
  list,
  show,
  exportKey,
  rename,
  passwd,
  remove,
  policy,
  signMessage,
  verifyMessage,
];
