import { openPins } from '../../../chain/evm/pins.ts';
import { unknownAmounts } from '../../../chain/policy/check-settings.ts';
import type { KeyChain } from '../../../contract/key-chain.ts';
import { Failure, isFailure } from '../../../core/failure.ts';
import { nextStep } from '../../../core/next.ts';
import { openKeystore } from '../../../keystore/keystore.ts';
import { readBody } from '../../command/body.ts';
import type { Command } from '../../command/command.ts';
import { type ParsedArgs, stringArg, stringArgs } from '../../command/options.ts';
import { assertGiven } from '../../command/required.ts';
import type { CommandContext } from '../../context/context.ts';
import { checkProfile } from '../../profiles/check.ts';
import { edited } from '../../profiles/edit.ts';
import { hasProfile, kindOfProfile, type Profile, type Profiles, SANDBOX } from '../../profiles/profile.ts';
import { isProfileName } from '../../profiles/schema.ts';
import { changesBetween } from '../../profiles/show.ts';
import { changeProfiles, noSuchProfile, withProfile } from '../../profiles/store.ts';
import { assertNotSandbox } from '../login/base-url.ts';
import { NAME } from './shared.ts';

/** The service of a kept key stays as it is: a key for another one is stored by logging in. */
const assertSameHost = (name: string, before: Profile, after: Profile): void => {
  if (!before.api_key || !before.base_url || !after.base_url) return;
  if (new URL(before.base_url).origin === new URL(after.base_url).origin) return;
  throw new Failure('bad_settings', `the API key of the profile "${name}" is for ${before.base_url}`, {
    hint: 'Nothing was changed. A stored key is sent to the service that it was stored for, and to no other.',
    next: nextStep('login.profile', name, after.base_url),
  });
};

/** Only the sandbox has no address of its own to be given. Throws `bad_settings`. */
const assertService = (all: Profiles, name: string, { base_url }: Profile): void => {
  if (name === SANDBOX && base_url !== undefined) {
    throw new Failure('bad_settings', 'the sandbox is built in: it has no base_url', { hint: 'Nothing was changed.' });
  }
  if (name === SANDBOX || base_url !== undefined) return;
  if (hasProfile(all, name))
    throw new Failure('bad_settings', 'a profile needs its base_url', { hint: 'Nothing was changed.' });
  const { message, details } = noSuchProfile(all, name);
  throw new Failure('bad_settings', message, {
    ...details,
    hint: `${details.hint ?? ''} To create it: bursar profile set ${name} base_url=URL`.trim(),
  });
};

/** A key may be made later; one of the other family never signs there. */
const checkKeys = async (cli: CommandContext, { keys = {} }: Profile): Promise<void> => {
  const stored = await openKeystore(cli.io).list();
  for (const chain of ['evm', 'solana'] as const satisfies readonly KeyChain[]) {
    const name = keys[chain];
    const found = stored.find((key) => key.name === name);
    if (found?.status === 'usable' && found.chain !== chain) {
      const message = `${name} is a key for ${found.chain}`;
      throw new Failure('invalid_input', `nothing was changed: keys.${chain}: ${message}`, {
        errors: [{ field: `keys.${chain}`, message }],
      });
    }
    if (name !== undefined && !found) {
      const others = stored.map((key) => key.name).join(', ');
      await cli.say(`note: there is no key ${name} yet${others && `; there are ${others}`}`);
    }
  }
};

/** A pin that cannot be used would stop the next payment: better said now. Throws `invalid_input`. */
const checkPins = async ({ pins = [] }: Profile): Promise<void> => {
  for (const [at, pin] of pins.entries()) {
    await openPins([pin]).catch((error) => {
      if (!isFailure(error, 'bad_settings')) throw error;
      const { message, details } = error;
      const errors = [{ field: `pins.${at}`, message }];
      throw new Failure('invalid_input', 'nothing was changed: a setting is not right', { ...details, errors });
    });
  }
};

/** A mistyped token would leave the token that is meant without a limit. Throws `invalid_input`. */
const checkAmounts = (name: string, { policy = {}, chains }: Profile): void => {
  const errors = unknownAmounts(policy, { kinds: [kindOfProfile(name)], chains }, 'policy.');
  if (errors.length > 0) throw new Failure('invalid_input', 'nothing was changed: a setting is not right', { errors });
};

const assertName = (name: string): void => {
  if (!isProfileName(name)) throw new Failure('invalid_input', 'NAME cannot be the name of a profile');
};

const run = async (cli: CommandContext, given: ParsedArgs): Promise<void> => {
  const texts = stringArgs(given, 'key=value');
  const file = stringArg(given, 'file');
  const name = stringArg(given, 'name') ?? '';
  assertGiven([
    { anyOf: ['NAME'], value: name },
    { anyOf: ['KEY=VALUE', '--file'], value: texts[0] ?? file },
  ]);
  assertName(name);
  const whole = file === undefined ? undefined : await readBody(cli.io, file);
  const { before, after } = await changeProfiles(cli.io, async (all) => {
    const old = all.profiles[name] ?? {};
    const next = edited(old, whole, texts);
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
    'base_url: the service.',
    'keys.evm, keys.solana: the keys that sign where none is named.',
    'public_client_id, webhook_url: of payments.',
    "providers.NAME: the deployment's name of a provider.",
    'rpc_urls.CHAIN: the node to ask.',
    'chains: chains and tokens of your own, as JSON.',
    'pins: calls that you know, as JSON: chain, address, and abi or selector.',
    'challenge_hosts: hosts that a challenge of KYC may name beside those of the service, with commas.',
    'policy.chains, .tokens, .recipients, .programs, .contracts: lists with commas.',
    'policy.most_per_transaction.TOKEN, policy.most_per_day.TOKEN (* for any other): the most that may leave.',
    'policy.most_fee.CHAIN: the most that a fee may cost, in the coin of the chain.',
    'policy.ask_above.TOKEN (* for any other): above it only a yes at a terminal signs; --yes does not.',
    'policy.challenge_hosts: hosts that a challenge may name beside the service; any other is refused.',
    'policy.blind_signing=never: sign nothing that is not understood.',
    'type_amount_above.TOKEN (* for any other): above it a person types the amount that a card is charged with, and without a policy also one that is signed.',
    'KEY= removes a setting. Each change is printed as it was and as it is.',
    '--file holds all settings, as JSON or YAML; put the address of a node that has a secret in it there.',
  ],
  arguments: [
    { ...NAME, question: 'Name of the profile' },
    {
      name: 'KEY=VALUE',
      ask: async () => (await import('../../prompt/ask-setting.ts')).askProfileSetting,
      description: 'A setting by its dotted path, and its value',
      isOptional: true,
      isRepeatable: true,
    },
  ],
  options: [
    { flag: '--file', value: 'FILE', readsStdin: true, description: 'All settings of the profile as JSON or YAML' },
  ],
  examples: [
    'profile set sandbox keys.evm=treasury keys.solana=vault',
    'profile set production base_url=https://api.example.com rpc_urls.polygon=https://node.example',
    'profile set production policy.chains=polygon,base policy.most_per_day.USDT=500 policy.blind_signing=never',
    'profile set production policy.most_per_day.USDT=',
    'profile set production "pins=$(cat pins.json)"',
    'profile set production --file settings.yaml',
  ],
  run,
};
