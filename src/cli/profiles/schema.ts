import * as z from 'zod';
import { checkBaseUrl } from '../../client/envelope.ts';
import { checkNodeUrl } from '../../client/node.ts';
import { text, webAddress } from '../../contract/fields.ts';
import { register } from '../../contract/pay/register.ts';
import { amounts, policy } from '../../flows/policy/schema.ts';
import { checkStoredJournal } from '../../journal/postgres/address.ts';
import { isKeyName } from '../../keystore/key.ts';
import { messageThrownBy } from '../context/failures.ts';
import { SANDBOX } from './profile.ts';

const passes =
  (check: (value: string) => unknown): z.core.CheckFn<string> =>
  ({ value, issues }) => {
    const message = messageThrownBy(() => check(value));
    if (message !== undefined) issues.push({ code: 'custom', input: value, message });
  };

const { public_client_id } = register.body.tenant_data.shape;
const keyName = text('A key').refine(isKeyName, 'must be the name of a key');
const nodeUrl = text('A node').check(passes((address) => checkNodeUrl(address)));

const token = z.strictObject(
  { address: text('The contract'), decimals: z.int('must be a whole number').min(0).max(36) },
  'must have address and decimals',
);

const chain = z.strictObject(
  {
    name: text('The chain'),
    id: z.int('must be a whole number').positive('must be above zero').optional(),
    coin: text('The symbol of the native coin').optional(),
    tokens: z.record(text('A symbol'), token, 'must be tokens by symbol').optional(),
    splitter: text('The contract that splits').optional(),
  },
  'must be a chain with its name',
);

const pin = z.strictObject(
  {
    chain: text('The chain'),
    address: text('The contract'),
    selector: text('The function')
      .regex(/^0x[0-9a-fA-F]{8}$/, 'must be 0x and 8 hex digits')
      .optional(),
    abi: text('The function as Solidity writes it').optional(),
  },
  'must be a chain, an address, and a selector or an abi',
);

const isHost = (name: string): boolean => !/[/@?#\\\s*]/.test(name) && URL.canParse(`https://${name}`);
const host = text('A host').refine(isHost, 'must be a host, such as verify.example.com, with no scheme and no path');

const keys = z.strictObject({ evm: keyName.optional(), solana: keyName.optional() }, 'must name keys by family');

const settings = {
  keys: keys.optional(),
  public_client_id: public_client_id.optional(),
  webhook_url: webAddress('Where the service posts changes').optional(),
  providers: z.record(text('A provider'), text('A provider'), 'must be names by name').optional(),
  chains: z.array(chain, 'must be a list of chains').optional(),
  rpc_urls: z.record(text('A chain'), nodeUrl, 'must be addresses by chain').optional(),
  pins: z.array(pin, 'must be a list of pins').optional(),
  challenge_hosts: z.array(host, 'must be a list of hosts').optional(),
  policy: policy.optional(),
  type_amount_above: amounts.optional(),
  journal: text('The journal').check(passes(checkStoredJournal)).optional(),
};

const baseUrl = text('The service').check(passes(checkBaseUrl));

/** The part of a profile that users may set: its settings and its base URL. */
export const editable = z.strictObject({ base_url: baseUrl.optional(), ...settings }, 'must be an object');

const storedKey = z.strictObject({
  in: z.enum(['keyring', 'file'], 'must be keyring or file'),
  id: text('The id').regex(/^[0-9a-f]{16}$/, 'must be 16 hex digits'),
});

const profile = z.strictObject({ ...editable.shape, api_key: storedKey.optional() }, 'must be an object');

const profileName = z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/, 'cannot be the name of a profile');

const assertComplete: z.core.CheckFn<Record<string, z.infer<typeof profile>>> = ({ value, issues }) => {
  for (const [name, { base_url, api_key }] of Object.entries(value)) {
    const isSandbox = name === SANDBOX;
    const add = (path: string[], message: string) => issues.push({ code: 'custom', input: value, path, message });
    if (isSandbox && (base_url ?? api_key) !== undefined)
      add([name], 'is built in and must have no base_url and no key');
    if (!isSandbox && base_url === undefined) add([name, 'base_url'], 'required');
  }
};

/** The file with all profiles. */
export const profilesFile = z.strictObject(
  {
    version: z.literal(1, 'is not 1: a newer bursar wrote this file'),
    active: profileName.optional(),
    profiles: z.record(profileName, profile, 'must be profiles by name').check(assertComplete),
  },
  'must be an object',
);

/** The content of a project file. None of it decides about signing, keys or limits. */
export const projectFile = z.strictObject(
  {
    profile: profileName.optional(),
    base_url: baseUrl.optional(),
    public_client_id: public_client_id.optional(),
    webhook_url: settings.webhook_url,
    // Editors validate the file by this field.
    $schema: z.string().optional(),
  },
  'must be an object',
);

/** Whether a text is a valid name of a profile. */
export const isProfileName = (name: string): boolean => profileName.safeParse(name).success;
