import type { Handler } from './handler.ts';
import { execute } from './pay/execute.ts';
import { register } from './pay/register.ts';
import { status } from './pay/status.ts';
import { transaction } from './pay/transaction.ts';
import { list } from './products/list.ts';
import { market } from './quote/market.ts';
import { YIELD_HANDLERS } from './yield/table.ts';

/** Every endpoint that this version of the sandbox has, by its id. */
export const HANDLERS: ReadonlyMap<string, Handler> = new Map(
  [list, market, register, transaction, execute, status, ...YIELD_HANDLERS].map((handler) => [handler.id, handler]),
);
