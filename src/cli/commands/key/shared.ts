import { Failure } from '../../../core/failure.ts';
import type { Argument, Option } from '../../options.ts';

export const NAME: Argument = { name: 'NAME', says: 'Name of the key' };

export const CHAIN_OPTION: Option = {
  flag: '--chain',
  value: 'evm',
  choices: ['evm', 'solana'],
  says: 'Family of chains that the key is for (required)',
};

/** Solana keys are part of the design and not of this version. */
export const assertEvm = (chain: string | undefined): void => {
  if (chain !== 'solana') return;
  throw new Failure('invalid_input', '--chain: this version keeps EVM keys only', { next: 'Use --chain evm.' });
};
