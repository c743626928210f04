import type { Command } from '../../command/command.ts';
import { exportKey } from './export.ts';
import { importKey } from './import.ts';
import { list } from './list.ts';
import { signMessage } from './message.ts';
import { newKey } from './new.ts';
import { passwd } from './passwd.ts';
import { policy } from './policy.ts';
import { remove } from './remove.ts';
import { rename } from './rename.ts';
import { show } from './show.ts';
import { verifyMessage } from './verify-message.ts';

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
