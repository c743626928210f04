import { usablePins } from '../../../chain/evm/pin.ts';
import { unknownAmounts } from '../../../chain/review/policy-problems.ts';
import type { KeyChain } from '../../../contract/chains.ts';
import { Failure, isFailure } from '../../../core/failure.ts';
import { nextStep } from '../../../core/next.ts';
import { openKeystore } from '../../../keystore/keystore.ts';
import { readBody } from '../../command/body.ts';
import type { Command, CommandContext } from '../../command/command.ts';
import { type Argument, assertGiven, type ParsedArgs, stringArg, stringArgs } from '../../command/options.ts';
import { checkProfile, editProfile } from '../../profiles/edit.ts';
import { hasProfile, kindOfProfile, type Profile, type Profiles, SANDBOX } from '../../profiles/profile.ts';
import { isProfileName } from '../../profiles/schema.ts';
import { changesBetween } from '../../profiles/show.ts';
import { changeProfiles, noSuchProfile, withProfile } from '../../profiles/store.ts';
import { assertNotSandbox } from '../login/service.ts';

/** The argument of every command about one profile. */
export const NAME: Argument = {
  name: 'NAME',
  description: 'Name of the profile',
  completes: 'profiles',
  question: 'Profile',
};

/** A stored API key must not be sent to another service, so the service of such a profile cannot change. */
const assertSameHost = (name: string, before: Profile, after: Profile): void => {
  if (!before.api_key || !before.base_url || !after.base_url) return;
  if (new URL(before.base_url).origin === new URL(after.base_url).origin) return;
  throw new Failure('bad_settings', `the API key of the profile "${name}" is for ${before.base_url}`, {
    hint: 'Nothing was changed. A stored key is only sent to the service that it was stored for.',
    next: nextStep('login.profile', name, after.base_url),
  });
};

/** Every profile but the sandbox needs a base_url. Throws `bad_settings`. */
const assertService = (all: Profiles, name: string, { base_url }: Profile): void => {
  if (name === SANDBOX && base_url !== undefined) {
    throw new Failure('bad_settings', 'the sandbox is built in and has no base_url', { hint: 'Nothing was changed.' });
  }
  if (name === SANDBOX || base_url !== undefined) return;
  if (hasProfile(all, name))
    throw new Failure('bad_settings', 'a profile needs a base_url', { hint: 'Nothing was changed.' });
  const { message, details } = noSuchProfile(all, name);
  throw new Failure('bad_settings', message, {
    ...details,
    hint: `${details.hint ?? ''} To create it: bursar profile set ${name} base_url=URL`.trim(),
  });
};

/** Warns of keys that do not exist yet. Throws `invalid_input` for a key of the other chain family. */
const checkKeys = async (cli: CommandContext, { keys = {} }: Profile): Promise<void> => {
  const stored = await openKeystore(cli.io).list();
  for (const chain of ['evm', 'solana'] as const satisfies readonly KeyChain[]) {
    const name = keys[chain];
    const found = stored.find((key) => key.name === name);
    if (found?.status === 'usable' && found.chain !== chain) {
      const message = `${name} is a ${found.chain} key`;
      throw new Failure('invalid_input', `nothing was changed: keys.${chain}: ${message}`, {
        errors: [{ field: `keys.${chain}`, message }],
      });
    }
    if (name !== undefined && !found) {
      const others = stored.map((key) => key.name).join(', ');
      await cli.printNote(`note: the key ${name} does not exist yet${others && `; existing keys: ${others}`}`);
    }
  }
};

/** An invalid pin would stop the next payment. Throws `invalid_input`. */
const checkPins = async ({ pins = [] }: Profile): Promise<void> => {
  for (const [at, pin] of pins.entries()) {
    await usablePins([pin]).catch((error) => {
      if (!isFailure(error, 'bad_settings')) throw error;
      const { message, details } = error;
      const errors = [{ field: `pins.${at}`, message }];
      throw new Failure('invalid_input', 'nothing was changed: a setting is invalid', { ...details, errors });
    });
  }
};

/** A mistyped token symbol would leave the real token without a limit. Throws `invalid_input`. */
const checkAmounts = (name: string, { policy = {}, chains }: Profile): void => {
  const errors = unknownAmounts(policy, { kinds: [kindOfProfile(name)], chains }, 'policy.');
  if (errors.length > 0) throw new Failure('invalid_input', 'nothing was changed: a setting is invalid', { errors });
};

const run = async (cli: CommandContext, given: ParsedArgs): Promise<void> => {
  const texts = stringArgs(given, 'key=value');
  const file = stringArg(given, 'file');
  const name = stringArg(given, 'name') ?? '';
  assertGiven([
    { anyOf: ['NAME'], value: name },
    { anyOf: ['KEY=VALUE', '--file'], value: texts[0] ?? file },
  ]);
  if (!isProfileName(name)) throw new Failure('invalid_input', 'NAME is not a valid profile name');
  const fileSettings = file === undefined ? undefined : await readBody(cli.io, file);
  const { before, after } = await changeProfiles(cli.io, async (all) => {
    const old = all.profiles[name] ?? {};
    const next = editProfile(old, fileSettings, texts);
    assertService(all, name, next);
    assertSameHost(name, old, next);
    if (next.base_url !== undefined && next.base_url !== old.base_url) await assertNotSandbox(cli, next.base_url);
    checkProfile(name, next);
    await checkPins(next);
    checkAmounts(name, next);
    await checkKeys(cli, next);
    return withProfile(all, name, next);
  });
  await cli.printCommitted(changesBetween(before.profiles[name] ?? {}, after.profiles[name] ?? {}));
};

/** `profile set`. */
export const set: Command = {
  words: ['profile', 'set'],
  summary: 'Change settings of a profile',
  about: [
    'Prints the old and the new value of each change. KEY= removes a setting.',
    'base_url: address of the service.',
    'keys.evm, keys.solana: default signing keys.',
    'public_client_id, webhook_url: defaults for payments.',
    'providers.NAME: name of a provider at this deployment.',
    'rpc_urls.CHAIN: address of a node of the chain.',
    'chains: additional chains and tokens, as JSON.',
    'pins: contract calls to accept, as JSON: chain, address, and abi or selector.',
    'challenge_hosts: hosts that a KYC challenge may name besides the service, separated by commas.',
    'policy.chains, .tokens, .recipients, .programs, .contracts: allowed values, separated by commas.',
    'policy.most_per_transaction.TOKEN, policy.most_per_day.TOKEN: largest amount that may leave a wallet (TOKEN * is any other).',
    'policy.most_fee.CHAIN: largest fee, in the native coin of the chain.',
    'policy.ask_above.TOKEN: above this amount, only a yes at a terminal signs; --yes does not (TOKEN * is any other).',
    'policy.challenge_hosts: hosts that a challenge may name besides the service; challenges with other hosts are refused.',
    'policy.blind_signing=never: refuse every transaction that is not fully decoded.',
    'type_amount_above.TOKEN: above this amount, you type the amount of a card charge (TOKEN * is any other).',
    'Without a policy, this also applies to signed payments.',
    '--file replaces all settings by those of a JSON or YAML file. Use it for node addresses that contain a secret.',
  ],
  arguments: [
    { ...NAME, question: 'Name of the profile' },
    {
      name: 'KEY=VALUE',
      ask: async () => (await import('../../prompt/ask-setting.ts')).askProfileSetting,
      description: 'Dotted path of a setting, and its value',
      isOptional: true,
      isRepeatable: true,
    },
  ],
  options: [
    { flag: '--file', value: 'FILE', readsStdin: true, description: 'All settings of the profile as JSON or YAML' },
  ],
  examples: [
    'profile set sandbox keys.evm=treasury keys.solana=savings',
    'profile set production base_url=https://api.example.com rpc_urls.polygon=https://node.example',
    'profile set production policy.chains=polygon,base policy.most_per_day.USDT=500 policy.blind_signing=never',
    'profile set production policy.most_per_day.USDT=',
    'profile set production "pins=$(cat pins.json)"',
    'profile set production --file settings.yaml',
  ],
  run,
};
