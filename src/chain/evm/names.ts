import type { Chain } from '../registry.ts';

/** How the registry knows an address of a chain; `undefined` for one that it does not know. */
export const nameOnChain = ({ name, splitter, tokens }: Chain, address: string): string | undefined => {
  const isIt = (other: string | undefined) => other?.toLowerCase() === address.toLowerCase();
  if (isIt(splitter)) return `the splitter of ${name}`;
  const token = Object.entries(tokens).find(([, each]) => isIt(each.address));
  return token && `the contract of ${token[0]}`;
};
