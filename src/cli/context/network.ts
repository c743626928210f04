import { extendNetwork, type Network, networkFor } from '../../chain/registry.ts';
import type { Kind } from '../../contract/chains.ts';
import { kindOf } from '../profiles/selection.ts';
import type { CommandContext } from './context.ts';

/** The chains of one kind of service, with those that the profile adds where it is of that kind. */
export const networkOf = async (
  { selection: select }: Pick<CommandContext, 'selection'>,
  kind: Kind,
): Promise<Network> => {
  const selection = await select();
  const own = kindOf(selection) === kind ? (selection.settings.chains ?? []) : [];
  return extendNetwork(networkFor(kind), own);
};
