import { addFault, clearFaults, listFaults } from '../../contract/control/faults.ts';
import { ENDPOINTS } from '../../contract/index.ts';
import { problemOfKind } from '../faults/answer.ts';
import { succeed } from '../handlers/handler.ts';
import type { Services } from '../services.ts';
import { handleControl, invalid } from './handler.ts';

/** Each waiting fault costs a look at every call. */
const MAX_FAULTS = 100;

const waiting = ({ faults }: Services) => ({ faults: faults.list().map((fault) => ({ ...fault })) });

/** Faults of the next calls of an endpoint: any error of the document, any HTTP status, any cut connection. */
export const FAULT_HANDLERS = {
  [listFaults.id]: handleControl(listFaults, async ({ services }) =>
    succeed('faults_found', 'Faults that wait for their calls.', waiting(services)),
  ),
  [addFault.id]: handleControl(addFault, async ({ services }, { endpoint: id, ...fault }) => {
    const endpoint = ENDPOINTS.find((each) => each.id === id);
    if (!endpoint) return invalid('endpoint', `must be one of ${ENDPOINTS.map((each) => each.id).join(', ')}`);
    const problem = problemOfKind(endpoint, fault.kind);
    if (problem) return invalid('kind', problem);
    if (services.faults.list().length >= MAX_FAULTS) return invalid('endpoint', 'too many faults wait already');
    services.faults.add({ endpoint: endpoint.id, ...fault });
    return succeed('fault_added', `The next ${fault.count} calls of ${id} fail.`, waiting(services));
  }),
  [clearFaults.id]: handleControl(clearFaults, async ({ services }, { endpoint: id }) => {
    services.faults.clear(id);
    const message = `No call${id === undefined ? '' : ` of ${id}`} meets a fault.`;
    return succeed('faults_cleared', message, waiting(services));
  }),
};
