import { subjectOf } from './earlier.ts';
import { deploymentOf, keysOf, reviewedKey } from './keys.ts';
import type { OperationState } from './operation-state.ts';
import { hasEnded } from './status.ts';
import type { Indexed } from './store.ts';

/** The user's name with its service: two services have different operations of the same name. */
const nameOf = (state: OperationState): string | undefined => {
  const { kind, baseUrl, asker } = deploymentOf(state);
  const { intent_key: name } = state.started;
  return name === undefined ? undefined : JSON.stringify([kind, kind === 'sandbox' ? (asker ?? null) : baseUrl, name]);
};

/** How a store with an index finds an operation. */
export const indexedOf = (state: OperationState): Indexed => {
  const { intent, intent_key: key } = state.started;
  const wallets = new Set(state.reviewed.map(({ from }) => reviewedKey(from)));
  return {
    keys: `${keysOf(state)}${[...wallets].map((each) => `${each} `).join('')}`,
    hasEnded: hasEnded(state),
    name: nameOf(state),
    subject: subjectOf({ deployment: deploymentOf(state), intent, key }),
  };
};
