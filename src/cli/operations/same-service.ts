import { deploymentOfService, type Service } from '../../client/envelope.ts';
import { Failure } from '../../core/failure.ts';
import { nextStep } from '../../core/next.ts';
import { deploymentOf, isSameDeployment } from '../../journal/keys.ts';
import type { OperationState } from '../../journal/operation-state.ts';
import { UNNAMED } from '../profiles/profile.ts';
import type { OperationArea } from './area.ts';

/** Whether an operation was started with this service. */
export const isOfService = (state: OperationState, service: Service): boolean =>
  isSameDeployment(deploymentOf(state), deploymentOfService(service));

/** Checks that an operation continues with its own service. Throws `bad_settings`. */
export const assertSameService = ({ area }: OperationArea, state: OperationState, service: Service): void => {
  if (isOfService(state, service)) return;
  const { base_url, profile } = state.started;
  if (state.started.kind === 'sandbox' && service.kind === 'sandbox') {
    throw new Failure('bad_settings', 'this was started with another API key of the sandbox, or before it was reset', {
      hint: 'Nothing was sent. A reset deletes all payments of a sandbox.',
      next: nextStep('operation.forget', area, state.id),
    });
  }
  if (base_url === service.baseUrl) {
    const here = `the profile here is ${service.profile} (${service.kind})`;
    throw new Failure(
      'bad_settings',
      `this was started with the profile ${profile} (${state.started.kind}), and ${here}`,
      {
        hint: 'Nothing was sent.',
        next: nextStep('operation.resume.profile', area, state.id, profile),
      },
    );
  }
  throw new Failure('bad_settings', `this was started with ${base_url}, and the service here is ${service.baseUrl}`, {
    hint: `Nothing was sent. Choose that service by its profile (${profile}), or by BURSAR_BASE_URL and its key.`,
    next:
      profile === UNNAMED
        ? nextStep('operation.show', area, state.id)
        : nextStep('operation.resume.profile', area, state.id, profile),
  });
};
