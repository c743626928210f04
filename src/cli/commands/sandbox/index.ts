import type { Leaf } from '../../command.ts';
import { fund } from './fund.ts';
import { start } from './start.ts';
import { reset, status, stop } from './state.ts';

export const sandbox: readonly Leaf[] = [start, stop, status, reset, fund];
