import type { Kind } from '../contract/chains.ts';

/** The service that something was begun with, or is asked now. */
export type Deployment = { readonly kind: Kind; readonly baseUrl: string };

/** Whether two are the same deployment. The sandbox of a home is one, whatever its port. */
export const isSameDeployment = (one: Deployment, other: Deployment): boolean =>
  one.kind === other.kind && (one.kind === 'sandbox' || one.baseUrl === other.baseUrl);
