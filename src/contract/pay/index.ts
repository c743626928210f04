import type { Endpoint } from '../define.ts';
import { execute } from './execute.ts';
import { register } from './register.ts';
import { status } from './status.ts';
import { transaction } from './transaction.ts';

/** The endpoints of this area, in the document's order. */
export const PAY_ENDPOINTS: readonly Endpoint[] = [register, transaction, execute, status];
