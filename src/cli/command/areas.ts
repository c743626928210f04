import type { CommandGroup } from './command.ts';

/** The command groups, in the order that help lists them within each heading. */
export const AREAS: readonly CommandGroup[] = [
  {
    name: 'demo',
    group: 'Sandbox',
    summary: 'Take a payment in the sandbox, from registration to the chain',
    load: async () => [(await import('../commands/demo/index.ts')).demo],
  },
  {
    name: 'quote',
    group: 'Money',
    summary: 'Ask for the spot price of a pair',
    load: async () => [(await import('../commands/quote/index.ts')).quote],
  },
  {
    name: 'products',
    group: 'Money',
    summary: 'List the products and methods that are enabled',
    load: async () => [(await import('../commands/products.ts')).products],
  },
  {
    name: 'pay',
    group: 'Money',
    summary: 'Register, sign, execute and follow payments',
    load: async (verb) => (await import('../commands/pay/index.ts')).loadPay(verb),
  },
  {
    name: 'order',
    group: 'Money',
    summary: 'Keep reusable order templates',
    load: async (verb) => (await import('../commands/order/index.ts')).loadOrder(verb),
  },
  {
    name: 'kyc',
    group: 'Identity',
    summary: "Verify a payer's identity",
    load: async () => (await import('../commands/kyc/index.ts')).kyc,
  },
  {
    name: 'yield',
    group: 'Money',
    summary: 'Compare, enter and leave lending markets',
    load: async (verb) => (await import('../commands/yield/index.ts')).loadYield(verb),
  },
  {
    name: 'review',
    group: 'Money',
    summary: 'Show what a transaction does, without signing it',
    load: async () => [(await import('../commands/review/index.ts')).review],
  },
  {
    name: 'key',
    group: 'Keys and profiles',
    summary: 'Keep the keys that sign',
    load: async (verb) => (await import('../commands/key/index.ts')).loadKey(verb),
  },
  {
    name: 'login',
    group: 'Keys and profiles',
    summary: 'Keep the API key of a service, and make a profile of it',
    load: async () => [(await import('../commands/login/login.ts')).login],
  },
  {
    name: 'logout',
    group: 'Keys and profiles',
    summary: 'Remove the API key of a profile',
    load: async () => [(await import('../commands/login/login.ts')).logout],
  },
  {
    name: 'whoami',
    group: 'Keys and profiles',
    summary: 'Show the service of commands, its user, and what decided it',
    load: async () => [(await import('../commands/login/whoami.ts')).whoami],
  },
  {
    name: 'profile',
    group: 'Keys and profiles',
    summary: 'Keep profiles: services and how to work with them',
    load: async () => (await import('../commands/profile/index.ts')).profile,
  },
  {
    name: 'sandbox',
    group: 'Sandbox',
    summary: 'Run the whole service on this machine',
    load: async () => (await import('../commands/sandbox/index.ts')).sandbox,
  },
  {
    name: 'alias',
    group: 'Others',
    summary: 'Keep short names for commands',
    load: async () => (await import('../commands/alias.ts')).aliasOf(AREAS),
  },
  {
    name: 'completion',
    group: 'Others',
    summary: 'Print the completion script of a shell',
    load: async () => [(await import('../commands/completion.ts')).completionOf(AREAS)],
  },
  {
    name: 'explain',
    group: 'Others',
    summary: 'Explain an error or an exit code, and what to do',
    load: async () => [(await import('../commands/explain/index.ts')).explain],
  },
  {
    name: 'doctor',
    group: 'Others',
    summary: 'Check the setup of this machine, and show what to do',
    load: async () => [(await import('../commands/doctor/index.ts')).doctor],
  },
  {
    name: 'open',
    group: 'Others',
    summary: 'Open a payment, the dashboard or the API reference in a browser',
    load: async () => [(await import('../commands/open.ts')).open],
  },
  {
    name: 'webhook',
    group: 'Others',
    summary: 'Receive webhooks, keep them, and send them again',
    load: async (verb) => (await import('../commands/webhook/index.ts')).loadWebhook(verb),
  },
  {
    name: 'api',
    group: 'Others',
    summary: 'Send a request of your own to the service',
    load: async () => [(await import('../commands/api/index.ts')).api],
  },
  {
    name: 'openapi',
    group: 'Others',
    summary: 'Print the service as an OpenAPI 3.1 document',
    load: async () => [(await import('../commands/openapi.ts')).openapi],
  },
  {
    name: 'commands',
    group: 'Others',
    summary: 'List all commands, as data for tools too',
    load: async () => [(await import('../commands/commands.ts')).commandsOf(AREAS)],
  },
  {
    name: 'version',
    group: 'Others',
    summary: 'Print the version',
    load: async () => [(await import('../commands/commands.ts')).version],
  },
];
