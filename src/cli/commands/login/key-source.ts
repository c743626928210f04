import { keyVariable } from '../../context/api-key.ts';
import type { CommandContext } from '../../context/context.ts';
import type { Selection } from '../../profiles/selection.ts';

const STORED = { keyring: 'keyring', file: 'file (--insecure-storage)' } as const;

/** Describes where the API key of a selection comes from; `null` if there is none. */
export const keySource = ({ io }: CommandContext, selection: Selection): string | null => {
  if (selection.as === 'nothing' || selection.key === 'none') return null;
  if (selection.key === 'environment') return keyVariable(io.env) ?? null;
  const { api_key } = selection.stored;
  return api_key && selection.key === 'stored' ? STORED[api_key.in] : "the sandbox's own";
};
