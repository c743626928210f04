import { call } from '../../../client/call.ts';
import type { Service } from '../../../client/service.ts';
import { list } from '../../../contract/products/list.ts';
import { Failure, isFailure } from '../../../core/failure.ts';
import type { CommandContext } from '../../context/context.ts';

/** Asks the service for its products, which changes nothing: a key that is not right is refused. `data` and `hint` go into the failure. */
export const checkKey = async (
  { io, deadline, trace }: CommandContext,
  service: Service,
  details: { readonly data?: unknown; readonly hint?: string },
): Promise<void> => {
  const asked = call({ io, service, deadline, trace }, list, {});
  try {
    await io.spin('Checking the key', asked);
  } catch (error) {
    if (!isFailure(error)) throw error;
    throw new Failure(error.code, error.sentence, { ...error.details, ...details });
  }
};
