import type { Service } from '../../client/service.ts';
import { Failure } from '../../core/failure.ts';
import { isSameDeployment } from '../../journal/same-service.ts';
import type { MovementState } from '../../journal/state.ts';

export const isOfService = ({ begun }: MovementState, service: Service): boolean =>
  isSameDeployment({ kind: begun.kind, baseUrl: begun.base_url }, service);

/** A movement goes on with the service that it was begun with, and no other. Throws `bad_settings`. */
export const assertSameService = (state: MovementState, service: Service): void => {
  if (isOfService(state, service)) return;
  const { base_url, profile } = state.begun;
  throw new Failure('bad_settings', `this was begun with ${base_url}, and the service here is ${service.baseUrl}`, {
    hint: 'Nothing was sent.',
    next: `Choose that service: --profile ${profile}, or BURSAR_BASE_URL and its key.`,
  });
};
