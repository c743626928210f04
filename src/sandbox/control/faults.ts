import { ENDPOINTS } from '../../contract/index.ts';
import { problemOfKind } from '../faults/answer.ts';
import type { Services } from '../services.ts';
import { faultInput } from './fault-shapes.ts';
import { invalid, ok, type Route, withInput } from './route.ts';

/** More than anybody needs; each costs a look at every call. */
const MAX_FAULTS = 100;

/** Makes the next calls of an endpoint fail, in any way that the document or the network knows. */
export const faultRoutes = ({ faults }: Services): readonly Route[] => {
  const all = (status: string, message: string) => ok(status, message, { faults: faults.list() });
  return [
    ['GET', 'fault', async () => all('faults_found', 'Faults that wait for their calls.')],
    [
      'DELETE',
      'fault',
      async ({ req }) => {
        const id = req.query('endpoint');
        faults.clear(id);
        return all('faults_cleared', `No call${id === undefined ? '' : ` of ${id}`} meets a fault.`);
      },
    ],
    [
      'POST',
      'fault',
      (context) =>
        withInput(context, faultInput, async ({ endpoint: id, ...fault }) => {
          const endpoint = ENDPOINTS.find((each) => each.id === id);
          if (!endpoint) return invalid('endpoint', `must be one of ${ENDPOINTS.map((each) => each.id).join(', ')}`);
          const problem = problemOfKind(endpoint, fault.kind);
          if (problem) return invalid('kind', problem);
          if (faults.list().length >= MAX_FAULTS) return invalid('endpoint', 'too many faults wait already');
          faults.add({ endpoint: endpoint.id, ...fault });
          return all('fault_added', `The next ${fault.count} calls of ${id} fail.`);
        }),
    ],
  ];
};
