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
import { broadcast } from './yield/broadcast.ts';
import { deposit } from './yield/deposit.ts';
import { earnings } from './yield/earnings.ts';
import { opportunities } from './yield/opportunities.ts';
import { opportunitiesOf } from './yield/opportunities-of.ts';
import { rebalance } from './yield/rebalance.ts';
import { strategies } from './yield/strategies.ts';
import { strategiesOf } from './yield/strategies-of.ts';
import { withdraw } from './yield/withdraw.ts';

const ORDERS: readonly Handler[] = [createOrder, listOrders, updateOrder, toggleOrder];
const KYC: readonly Handler[] = [prepare, challenge, prepareWallet, sendOtp, verifyOtp, createSession, kycStatus];
const STRATEGIES: readonly Handler[] = [strategies, strategiesOf, opportunities, opportunitiesOf];
const YIELD: readonly Handler[] = [...STRATEGIES, deposit, withdraw, rebalance, broadcast, earnings];

/** Every endpoint that this version of the sandbox has, by its id. */
export const HANDLERS: ReadonlyMap<string, Handler> = new Map(
  [list, market, register, transaction, execute, status, ...ORDERS, ...KYC, ...YIELD].map((handler) => [
    handler.id,
    handler,
  ]),
);
