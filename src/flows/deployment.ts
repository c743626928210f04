import { apiKeyFingerprint } from '../client/fingerprint.ts';
import type { Service } from '../client/service.ts';
import type { Beginning } from '../journal/operation.ts';

/** What an operation through a service is begun with, and the service known again by. */
export const deploymentOfService = (service: Service): Pick<Beginning, 'profile' | 'kind' | 'baseUrl' | 'asker'> => {
  const { profile, kind, baseUrl } = service;
  return { profile, kind, baseUrl, asker: apiKeyFingerprint(service) };
};
