import type { Leaf } from '../../command.ts';
import { exportKey } from './export.ts';
import { importKey } from './import.ts';
import { list } from './list.ts';
import { newKey } from './new.ts';
import { show } from './show.ts';

export const key: readonly Leaf[] = [newKey, importKey, list, show, exportKey];
