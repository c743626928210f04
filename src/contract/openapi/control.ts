import { CONTROL_ERRORS, type ControlArea } from '../control/define.ts';
import { CONTROL_ENDPOINTS } from '../control/index.ts';
import type { Api } from './document.ts';
import type { Tag } from './parts.ts';

const TAGS: Readonly<Record<ControlArea, Tag>> = {
  process: { name: 'Process', description: 'State, logs, clock, tenants, reset and end of the sandbox' },
  chain: { name: 'Chains', description: 'Chains, their addresses, and test money' },
  identity: { name: 'Identity', description: 'E-mails, and the decisions of the verification provider' },
  charge: { name: 'Charges', description: "Decisions of the payer's bank and of the card issuer" },
  event: { name: 'Webhooks', description: 'Webhooks and their deliveries' },
  fault: { name: 'Faults', description: 'Errors and cut connections on demand' },
  snapshot: { name: 'Snapshots', description: 'Snapshots of the whole sandbox, and their restore' },
  payment: { name: 'Payments', description: 'New payments in a state on demand' },
};

const ABOUT = `Drives a running sandbox of bursar: test money, time, decisions of outsiders, webhooks and faults. Each
call has a command. Every answer is an envelope: \`status\` is its stable code, \`data\` its result.

The sandbox listens on this machine only. \`bursar sandbox start --json\` prints its address and its control key.`;

/** The API of the sandbox's control. */
export const CONTROL_API: Api = {
  title: 'Control of the bursar sandbox',
  description: ABOUT,
  endpoints: CONTROL_ENDPOINTS,
  tags: TAGS,
  key: { name: 'ControlKey', header: 'x-control-key', description: 'Control key of the sandbox' },
  server: {
    description: 'The sandbox',
    openDescription: 'A running sandbox, by its address',
    example: 'http://127.0.0.1:8080',
  },
  meanings: CONTROL_ERRORS,
  namesFields: 'invalid_parameters',
};
