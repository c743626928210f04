import type { Leaf } from '../../command.ts';
import { advance, clock } from './clock.ts';
import { fund } from './fund.ts';
import { inbox } from './inbox.ts';
import { kyc } from './kyc.ts';
import { start } from './start.ts';
import { reset, status, stop } from './state.ts';

export const sandbox: readonly Leaf[] = [start, stop, status, reset, fund, inbox, kyc, clock, advance];
