import type { Area } from '../define.ts';

/** The areas of the service as the document's first table names them, in its order. */
export const TAGS: Readonly<Record<Area, { readonly name: string; readonly description: string }>> = {
  pay: { name: 'Payments', description: 'Register a payment, create its payer transaction, send it, read its state' },
  products: { name: 'Configuration', description: 'Which payment products and methods a deployment offers' },
  order: { name: 'Orders', description: 'Reusable payment orders, up to 20 for each account' },
  kyc: { name: 'KYC', description: 'Prepare a user, prove an e-mail address or a wallet, verify the identity' },
  yield: {
    name: 'Yield',
    description: 'Lending strategies, better ones, and unsigned transactions to enter and leave them',
  },
  quote: { name: 'Quote', description: 'Spot price of any pair of assets' },
};
