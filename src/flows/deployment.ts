import { apiKeyFingerprint, type Service } from '../client/service.ts';
import type { OperationStart } from '../journal/operation.ts';

/** The deployment that identifies the service of an operation. */
export const deploymentOfService = (
  service: Service,
): Pick<OperationStart, 'profile' | 'kind' | 'baseUrl' | 'asker'> => {
  const { profile, kind, baseUrl } = service;
  return { profile, kind, baseUrl, asker: apiKeyFingerprint(service) };
};
