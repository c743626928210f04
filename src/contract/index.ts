import type { Endpoint } from './define.ts';
import { challenge } from './kyc/challenge.ts';
import { create as kycCreate } from './kyc/create.ts';
import { prepare } from './kyc/prepare.ts';
import { prepareWallet } from './kyc/prepare-wallet.ts';
import { sendOtp } from './kyc/send-otp.ts';
import { status as kycStatus } from './kyc/status.ts';
import { verifyOtp } from './kyc/verify-otp.ts';
import { create as orderCreate } from './order/create.ts';
import { list as orderList } from './order/list.ts';
import { toggle } from './order/toggle.ts';
import { update } from './order/update.ts';
import { execute } from './pay/execute.ts';
import { register } from './pay/register.ts';
import { status as payStatus } from './pay/status.ts';
import { transaction } from './pay/transaction.ts';
import { list as productList } from './products/list.ts';
import { market } from './quote/market.ts';
import { broadcast } from './yield/broadcast.ts';
import { deposit } from './yield/deposit.ts';
import { earnings } from './yield/earnings.ts';
import { opportunities, opportunitiesOf } from './yield/opportunities.ts';
import { rebalance } from './yield/rebalance.ts';
import { strategies, strategiesOf } from './yield/strategies.ts';
import { withdraw } from './yield/withdraw.ts';

/**
 * Every endpoint of the service, in the document's order. It is for users of all endpoints: the sandbox's routes, the
 * reference, the tests of the registry. A command loads only its own endpoint.
 */
const ALL = [
  ...[register, transaction, execute, payStatus],
  ...[productList],
  ...[orderCreate, orderList, update, toggle],
  ...[prepare, challenge, prepareWallet, sendOtp, verifyOtp, kycCreate, kycStatus],
  ...[strategies, strategiesOf, opportunities, opportunitiesOf, deposit, withdraw, rebalance, broadcast, earnings],
  ...[market],
] as const;

/** All endpoints without their exact types. */
export const ENDPOINTS: readonly Endpoint[] = ALL;

/** The id of an endpoint. */
export type EndpointId = (typeof ALL)[number]['id'];

/** The id of an endpoint with an effect other than `reads`. */
export type ChangingId = Exclude<(typeof ALL)[number], { readonly effect: 'reads' }>['id'];
