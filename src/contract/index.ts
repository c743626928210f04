import type { Endpoint } from './define.ts';
import { KYC_ENDPOINTS } from './kyc/index.ts';
import { ORDER_ENDPOINTS } from './order/index.ts';
import { PAY_ENDPOINTS } from './pay/index.ts';
import { PRODUCTS_ENDPOINTS } from './products/index.ts';
import { QUOTE_ENDPOINTS } from './quote/index.ts';
import { YIELD_ENDPOINTS } from './yield/index.ts';

/**
 * Every endpoint of the service, in the document's order. Only for what needs them all (the sandbox's routes,
 * the reference, the lint of the registry): a command loads its own area.
 */
export const ENDPOINTS: readonly Endpoint[] = [
  ...PAY_ENDPOINTS,
  ...PRODUCTS_ENDPOINTS,
  ...ORDER_ENDPOINTS,
  ...KYC_ENDPOINTS,
  ...YIELD_ENDPOINTS,
  ...QUOTE_ENDPOINTS,
];
