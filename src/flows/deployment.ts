import { apiKeyFingerprint } from '../client/fingerprint.ts';
import type { Service } from '../client/service.ts';
import type { Beginning } from '../journal/operation.ts';

/** The deployment that identifies the service of an operation. */
export const deploymentOfService = (service: Service): Pick<Beginning, 'profile' | 'kind' | 'baseUrl' | 'asker'> => {
  const { profile, kind, baseUrl } = service;
  return { profile, kind, baseUrl, asker: apiKeyFingerprint(service) };
};
