import { printJson } from '../../core/json.ts';
import type { FlowFile } from '../flow.ts';
import { readFlows } from '../read-flows.ts';
import { kycEmail, kycWallet } from './kyc.ts';
import type { Fields } from './parts.ts';
import { checkoutPayment, cryptoPayment } from './payments.ts';
import { reads } from './reads.ts';
import { yieldFlow } from './yield.ts';

const WORKFLOWS = [cryptoPayment, checkoutPayment, kycEmail, kycWallet, yieldFlow, reads];

/** The names of the flows, for completion. */
export const FLOW_NAMES = WORKFLOWS.map(({ workflowId }) => String(workflowId));

/** The workflows send the key of the service, for runners that are not bursar. */
const withKey = ({ summary, ...workflow }: Fields): Fields => ({
  ...workflow,
  summary,
  description: `${summary}.`.replace('..', '.'),
  parameters: [{ name: 'x-api-key', in: 'header', value: '$inputs.api_key' }],
});

/** The flows in the package, as an Arazzo document. */
export const arazzoDocument = (version: string): Fields => ({
  arazzo: '1.0.1',
  info: {
    title: 'Typical flows of the Payment, Yield and KYC Service',
    version,
    summary: 'The flows of the service, as smoke tests',
    description:
      'The flows that the document of the service lists, and one that only reads. `bursar smoke run` runs them. Another runner needs the two documents of `sourceDescriptions`, from `bursar openapi` and `bursar openapi --signer`.',
  },
  sourceDescriptions: [
    { name: 'service', type: 'openapi', url: './openapi.json' },
    { name: 'signer', type: 'openapi', url: './signer.json' },
  ],
  workflows: WORKFLOWS.map(withKey),
});

/** The flows in the package, ready to run. A run of them is resumed by a later version too. */
export const builtInFlows = async (version: string): Promise<FlowFile> => ({
  ...(await readFlows(printJson(arazzoDocument(version)), 'built-in flows')),
  digest: 'built-in',
});
