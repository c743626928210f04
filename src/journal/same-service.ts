import type { Kind } from '../contract/chains.ts';
import type { OperationState } from './operation-state.ts';

/** The service that something was begun with, or is asked now. */
export type Deployment = {
  readonly kind: Kind;
  readonly baseUrl: string;
  /** Stands for the API key. */
  readonly asker?: string | undefined;
};

const isSameAsker = (one: Deployment, other: Deployment): boolean =>
  one.asker === undefined || other.asker === undefined || one.asker === other.asker;

/**
 * Whether two are the same deployment. The sandbox of a home is one, whatever its port, until it is reset: then its
 * key is another too. Of any other deployment a key may have been replaced by the next.
 */
export const isSameDeployment = (one: Deployment, other: Deployment): boolean =>
  one.kind === other.kind && (one.kind === 'sandbox' ? isSameAsker(one, other) : one.baseUrl === other.baseUrl);

/** What an operation was begun with. */
export const deploymentOf = ({ started: { kind, base_url: baseUrl, asker } }: OperationState): Deployment => ({
  kind,
  baseUrl,
  asker,
});
