import type { Page } from './page.ts';

/** A help topic. Its page is loaded on demand. */
export type Topic = { readonly name: string; readonly summary: string; readonly load: () => Promise<Page> };

export const TOPICS: readonly Topic[] = [
  {
    name: 'payments',
    summary: 'The calls of a payment in their order, its states, and how long to wait',
    load: async () => (await import('./topics/payments.ts')).payments,
  },
  {
    name: 'scripts',
    summary: 'A smoke test for CI, and what scripts can rely on',
    load: async () => (await import('./topics/scripts.ts')).scripts,
  },
  {
    name: 'exit-codes',
    summary: 'What each exit code means, and how an answer becomes one',
    load: async () => (await import('./topics/exit-codes.ts')).exitCodes,
  },
  {
    name: 'environment',
    summary: 'Every variable that is read, and what outranks what',
    load: async () => (await import('./environment.ts')).environment,
  },
  {
    name: 'formatting',
    summary: 'Tables, TSV, JSON, fields and colour',
    load: async () => (await import('./topics/formatting.ts')).formatting,
  },
  {
    name: 'safety',
    summary: 'Why nothing is paid twice, and what is asked before money moves',
    load: async () => (await import('./topics/safety.ts')).safety,
  },
];
