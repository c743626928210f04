import { call } from '../../../client/call.ts';
import type { Service } from '../../../client/envelope.ts';
import { list } from '../../../contract/products/list.ts';
import { Failure, isFailure } from '../../../core/failure.ts';
import type { CommandContext } from '../../context/context.ts';
import { keyVariable } from '../../context/service.ts';
import type { Selection } from '../../profiles/selection.ts';

const STORED = { keyring: 'keyring', file: 'file (--insecure-storage)' } as const;

/** Describes where the API key of a selection comes from; `null` if there is none. */
export const keySource = ({ io }: CommandContext, selection: Selection): string | null => {
  if (selection.as === 'nothing' || selection.key === 'none') return null;
  if (selection.key === 'environment') return keyVariable(io.env) ?? null;
  const { api_key } = selection.stored;
  return api_key && selection.key === 'stored' ? STORED[api_key.in] : "the sandbox's own";
};

/** Tests an API key by reading the products, which changes nothing. Adds `details` to the failure of a rejected key. */
export const checkKey = async (
  { io, deadline, trace }: CommandContext,
  service: Service,
  details: { readonly data?: unknown; readonly hint?: string },
): Promise<void> => {
  const request = call({ io, service, deadline, trace }, list, {});
  try {
    await io.spin('Checking the key', request);
  } catch (error) {
    if (!isFailure(error)) throw error;
    throw new Failure(error.code, error.sentence, { ...error.details, ...details });
  }
};
