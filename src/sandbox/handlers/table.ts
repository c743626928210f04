import type { Handler } from './handler.ts';
import { challenge } from './kyc/challenge.ts';
import { create as createSession } from './kyc/create.ts';
import { prepare } from './kyc/prepare.ts';
import { prepareWallet } from './kyc/prepare-wallet.ts';
import { sendOtp } from './kyc/send-otp.ts';
import { status as kycStatus } from './kyc/status.ts';
import { verifyOtp } from './kyc/verify-otp.ts';
import { create as createOrder } from './order/create.ts';
import { list as listOrders } from './order/list.ts';
import { toggle as toggleOrder } from './order/toggle.ts';
import { update as updateOrder } from './order/update.ts';
import { execute } from './pay/execute.ts';
import { register } from './pay/register.ts';
import { status } from './pay/status.ts';
import { transaction } from './pay/transaction.ts';
import { list } from './products/list.ts';
import { market } from './quote/market.ts';
import { YIELD_HANDLERS } from './yield/table.ts';

const ORDERS: readonly Handler[] = [createOrder, listOrders, updateOrder, toggleOrder];
const KYC: readonly Handler[] = [prepare, challenge, prepareWallet, sendOtp, verifyOtp, createSession, kycStatus];

/** Every endpoint that this version of the sandbox has, by its id. */
export const HANDLERS: ReadonlyMap<string, Handler> = new Map(
  [list, market, register, transaction, execute, status, ...ORDERS, ...KYC, ...YIELD_HANDLERS].map((handler) => [
    handler.id,
    handler,
  ]),
);
