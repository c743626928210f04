import type { EndpointId } from '../../contract/index.ts';
import type { Handler } from './handler.ts';
import { KYC_HANDLERS } from './kyc.ts';
import { MARKET_HANDLERS } from './market.ts';
import { ORDER_HANDLERS } from './order.ts';
import { PAY_HANDLERS } from './pay.ts';
import { YIELD_HANDLERS } from './yield.ts';

/** The handler of each endpoint of the service. A missing handler is a type error. */
export const HANDLERS: Readonly<Record<EndpointId, Handler>> = {
  ...PAY_HANDLERS,
  ...ORDER_HANDLERS,
  ...KYC_HANDLERS,
  ...YIELD_HANDLERS,
  ...MARKET_HANDLERS,
};
