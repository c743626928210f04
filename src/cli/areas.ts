import type { Leaf } from './command.ts';

/** A first word of the command line. Its commands are loaded when it is used: start-up loads none. */
export type AreaEntry = {
  readonly name: string;
  readonly summary: string;
  /** With a verb an area may load its command alone. */
  readonly load: (verb?: string) => Promise<readonly Leaf[]>;
};

export const AREAS: readonly AreaEntry[] = [
  {
    name: 'demo',
    summary: 'Take a payment in the sandbox, from registration to the chain',
    load: async () => [(await import('./commands/demo/index.ts')).demo],
  },
  {
    name: 'quote',
    summary: 'Ask for the spot price of a pair',
    load: async () => [(await import('./commands/quote/index.ts')).quote],
  },
  {
    name: 'products',
    summary: 'List the products and methods that are enabled',
    load: async () => [(await import('./commands/products.ts')).products],
  },
  {
    name: 'pay',
    summary: 'Register, sign, execute and follow payments',
    load: async (verb) => (await import('./commands/pay/index.ts')).loadPay(verb),
  },
  {
    name: 'order',
    summary: 'Keep reusable order templates',
    load: async (verb) => (await import('./commands/order/index.ts')).loadOrder(verb),
  },
  {
    name: 'kyc',
    summary: "Verify a payer's identity",
    load: async () => (await import('./commands/kyc/index.ts')).kyc,
  },
  {
    name: 'yield',
    summary: 'Compare, enter and leave lending markets',
    load: async () => (await import('./commands/yield/index.ts')).yieldArea,
  },
  {
    name: 'review',
    summary: 'Say what a transaction does, without signing it',
    load: async () => [(await import('./commands/review/index.ts')).review],
  },
  {
    name: 'key',
    summary: 'Keep the keys that sign',
    load: async () => (await import('./commands/key/index.ts')).key,
  },
  {
    name: 'login',
    summary: 'Keep the API key of a service, and make a profile of it',
    load: async () => [(await import('./commands/login/login.ts')).login],
  },
  {
    name: 'logout',
    summary: 'Remove the API key of a profile',
    load: async () => [(await import('./commands/login/logout.ts')).logout],
  },
  {
    name: 'whoami',
    summary: 'Say which service commands go to, as whom, and what decided it',
    load: async () => [(await import('./commands/login/whoami.ts')).whoami],
  },
  {
    name: 'profile',
    summary: 'Keep profiles: services and how to work with them',
    load: async () => (await import('./commands/profile/index.ts')).profile,
  },
  {
    name: 'sandbox',
    summary: 'Run the whole service on this machine',
    load: async () => (await import('./commands/sandbox/index.ts')).sandbox,
  },
  {
    name: 'openapi',
    summary: 'Print the service as an OpenAPI 3.1 document',
    load: async () => [(await import('./commands/openapi.ts')).openapi],
  },
];
