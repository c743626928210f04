import { isSameText } from '../../core/same-text.ts';
import { type Chain, isSplitterOf } from '../registry.ts';

/** How the registry knows an address of a chain; `undefined` for one that it does not know. */
export const nameOnChain = (chain: Chain, address: string): string | undefined => {
  if (isSplitterOf(chain, address)) return `the splitter of ${chain.name}`;
  if (chain.bridge !== undefined && isSameText(chain.bridge, address)) return "the sandbox's bridge";
  const token = Object.entries(chain.tokens).find(([, each]) => isSameText(each.address, address));
  return token && `the contract of ${token[0]}`;
};
