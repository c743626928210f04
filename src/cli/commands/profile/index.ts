import type { Command } from '../../command/command.ts';
import { list } from './list.ts';
import { remove } from './remove.ts';
import { set } from './set.ts';
import { show } from './show.ts';
import { use } from './use.ts';

/** The commands of `profile`, in the order of the help. */
export const profile: readonly Command[] = [list, use, show, set, remove];
