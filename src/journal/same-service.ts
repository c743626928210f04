import type { Kind } from '../contract/chains.ts';
import type { OperationState } from './operation-state.ts';

/** The service that an operation uses. */
export type Deployment = {
  readonly kind: Kind;
  readonly baseUrl: string;
  /** A fingerprint of the API key. */
  readonly asker?: string | undefined;
};

const isSameAsker = (one: Deployment, other: Deployment): boolean =>
  one.asker === undefined || other.asker === undefined || one.asker === other.asker;

/**
 * Whether two are the same deployment. The sandbox of a home is the same on any port, until a reset changes its key.
 * For other deployments the user may replace the API key.
 */
export const isSameDeployment = (one: Deployment, other: Deployment): boolean =>
  one.kind === other.kind && (one.kind === 'sandbox' ? isSameAsker(one, other) : one.baseUrl === other.baseUrl);

/** The deployment that an operation started with. */
export const deploymentOf = ({ started: { kind, base_url: baseUrl, asker } }: OperationState): Deployment => ({
  kind,
  baseUrl,
  asker,
});
