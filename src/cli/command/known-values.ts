import type { Local } from './options.ts';

/**
 * Options of fields of the contract whose values this machine may know. Whatever else is offered, by a shell or where a
 * person is asked, is declared with its option or argument.
 */
export const KNOWN_VALUES: Readonly<Record<string, Local>> = { '--order-code': 'orders', '--asset': 'assets' };
