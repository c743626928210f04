import { problemsInPolicy, unknownAmounts } from '../../../chain/policy/check-settings.ts';
import { limitsSomething, type Policy } from '../../../chain/policy/policy.ts';
import { widens } from '../../../chain/policy/widens.ts';
import { Failure, isFailure } from '../../../core/failure.ts';
import { nextStep } from '../../../core/next.ts';
import { type KeyPolicy, narrowKeyPolicy, readKeyPolicy, sealKeyPolicy } from '../../../flows/policy/key-policy.ts';
import { policy as schema } from '../../../flows/policy/schema.ts';
import { openKeystore, type StoredKey } from '../../../keystore/keystore.ts';
import type { PolicySubject } from '../../../keystore/policy/seal.ts';
import { type UnlockedKey, unlock } from '../../../keystore/unlock.ts';
import { readNamed } from '../../command/body.ts';
import type { Command } from '../../command/command.ts';
import { type ParsedArgs, stringArg, stringArgs } from '../../command/options.ts';
import { required } from '../../command/required.ts';
import type { CommandContext } from '../../context/context.ts';
import { PASSWORD_OPTIONS, passwordSources } from '../../operations/signing-key.ts';
import { withChanges } from '../../profiles/edit.ts';
import { listSettings } from '../../profiles/show.ts';
import { NAME } from './shared.ts';

const ACTIONS = ['show', 'set', 'unset'] as const;

/** A key whose address is known: its policy belongs to that. */
type Owned = { readonly stored: StoredKey; readonly subject: PolicySubject };

/** What is shown of a policy: `sealed` says whether the password of the key vouches for all of it. */
const show = async (cli: CommandContext, { stored: { name }, subject }: Owned): Promise<void> => {
  const found = await readKeyPolicy(cli.io, subject);
  const { policy = {}, isSealed = true } = found && limitsSomething(found.policy) ? found : {};
  const facts = { name, chain: subject.chain, address: subject.address, sealed: isSealed };
  const rows = Object.fromEntries(listSettings(policy).map(({ setting, value }) => [setting, value]));
  await cli.printCommitted(
    { ...facts, policy },
    { ...facts, ...(limitsSomething(policy) ? rows : { policy: 'none' }) },
  );
};

/** Unlocks the key for a seal, whatever is wrong with the policy that there is. */
const withUnlocked = async <T>(
  cli: CommandContext,
  given: ParsedArgs,
  name: string,
  work: (key: UnlockedKey) => Promise<T>,
): Promise<T> => {
  const key = await unlock(cli.io, openKeystore(cli.io), name, { ...passwordSources(given), yes: cli.globals.yes });
  try {
    return await work(key);
  } finally {
    key.wipe();
  }
};

/** The policy as it is; `undefined` where it cannot be trusted, and so is replaced as a whole. */
const readTrusted = async ({ io, warn }: CommandContext, subject: PolicySubject): Promise<KeyPolicy | undefined> => {
  try {
    return (await readKeyPolicy(io, subject)) ?? { policy: {}, isSealed: true, hasMandate: false };
  } catch (error) {
    if (!isFailure(error, 'refused_by_review')) throw error;
    await warn(`${error.message}. It is replaced as a whole.`);
    return undefined;
  }
};

const assertUseful = (policy: Policy, { chain }: PolicySubject): void => {
  const scope = { family: chain, kinds: ['live', 'sandbox'] } as const;
  const errors = [...problemsInPolicy(policy, scope), ...unknownAmounts(policy, scope)];
  if (errors.length > 0) throw new Failure('invalid_input', 'nothing was changed: a setting is not right', { errors });
};

/** A list may come from a file: names with commas, spaces or line ends between them. */
const withFiles = (cli: CommandContext, texts: readonly string[]): Promise<readonly string[]> =>
  Promise.all(
    texts.map(async (text) => {
      const [, key, file] = /^([\w.]+)=(@.+)$/s.exec(text) ?? [];
      if (key === undefined || file === undefined) return text;
      const names = (await readNamed(cli.io, file)).split(/[\s,]+/).filter(Boolean);
      if (names.length > 0) return `${key}=${names.join(',')}`;
      throw new Failure('invalid_input', `nothing was changed: ${key}: ${file.slice(1)} names nothing`);
    }),
  );

/** Whether the command line or the environment says the password: then the policy is sealed at once. */
const hasPassword = ({ io }: CommandContext, given: ParsedArgs): boolean =>
  Object.values(passwordSources(given)).some(Boolean) ||
  ['BURSAR_KEY_PASSWORD_FILE', 'BURSAR_KEY_PASSWORD'].some((name) => Boolean(io.env[name]));

const change = async (
  cli: CommandContext,
  given: ParsedArgs,
  owned: Owned,
  texts: readonly string[],
): Promise<void> => {
  const { subject, stored } = owned;
  const apply = (before: Policy = {}): Policy => {
    const after = withChanges(schema, before, texts);
    assertUseful(after, subject);
    return after;
  };
  const before = await readTrusted(cli, subject);
  const isFree = before !== undefined && !widens(before.policy, apply(before.policy));
  if (isFree && !hasPassword(cli, given)) {
    await narrowKeyPolicy(cli.io, subject, apply);
    await cli.say('It holds from now on. The password of the key seals it with the next signature.');
    return show(cli, owned);
  }
  apply(before?.policy);
  if (!isFree && cli.io.prompt.isPossible)
    await cli.say('This allows more than before: it needs the password of the key.');
  await withUnlocked(cli, given, stored.name, (key) => sealKeyPolicy(cli.io, key, apply));
  return show(cli, owned);
};

/** The settings that are removed, as KEY=; every one where none is named. */
const removing = (texts: readonly string[]): readonly string[] =>
  texts.map((text) => {
    if (!text.includes('=')) return `${text}=`;
    throw new Failure('invalid_input', 'unset takes names of settings, such as most_per_day.USDT', {
      hint: 'To change a setting, use set.',
    });
  });

const unset = async (cli: CommandContext, given: ParsedArgs, owned: Owned, texts: readonly string[]): Promise<void> => {
  if (texts.length === 0) {
    await withUnlocked(cli, given, owned.stored.name, (key) => sealKeyPolicy(cli.io, key, () => ({})));
    return show(cli, owned);
  }
  const edits = removing(texts);
  const apply = (before: Policy = {}): Policy => withChanges(schema, before, edits);
  apply((await readTrusted(cli, owned.subject))?.policy);
  await withUnlocked(cli, given, owned.stored.name, (key) => sealKeyPolicy(cli.io, key, apply));
  return show(cli, owned);
};

/** A file of another tool may name no address: then only the unlocked key says whose policy it is. */
const ownedBy = async (cli: CommandContext, given: ParsedArgs, wanted: string): Promise<Owned> => {
  const stored = await openKeystore(cli.io).find(wanted);
  const { chain } = stored;
  if (stored.address !== undefined) return { stored, subject: { chain, address: stored.address } };
  return withUnlocked(cli, given, stored.name, async ({ address }) => ({ stored, subject: { chain, address } }));
};

const run = async (cli: CommandContext, given: ParsedArgs): Promise<void> => {
  const action = stringArg(given, 'action');
  const texts = stringArgs(given, 'key=value');
  const wanted = required(
    { ACTION: action, NAME: stringArg(given, 'name'), 'KEY=VALUE': action === 'set' ? texts[0] : 'none is needed' },
    { ACTION: `required: ${ACTIONS.join(', ')}` },
  );
  switch (wanted.ACTION) {
    case 'show': {
      if (texts.length > 0) throw new Failure('usage', 'key policy show takes no settings');
      return show(cli, await ownedBy(cli, given, wanted.NAME));
    }
    case 'set': {
      const edits = await withFiles(cli, texts);
      return change(cli, given, await ownedBy(cli, given, wanted.NAME), edits);
    }
    case 'unset':
      return unset(cli, given, await ownedBy(cli, given, wanted.NAME), texts);
    default:
      throw new Failure('usage', `key policy does one of ${ACTIONS.join(', ')}`, {
        next: nextStep('help', 'key', 'policy'),
      });
  }
};

/** `key policy`. */
export const policy: Command = {
  words: ['key', 'policy'],
  summary: 'Show or change what a key may sign',
  about: [
    'A policy belongs to the address of the key: under every name, profile and option. All policies that apply must pass.',
    'A change that allows more, and unset, need the password of the key. It seals the policy: a policy that is missing or was changed by something else stops every signature.',
    'chains, tokens, recipients, programs, contracts: lists with commas, or @FILE.',
    'most_per_transaction.TOKEN, most_per_day.TOKEN (* for any other): the most that may leave.',
    'most_fee.CHAIN: the most that a fee may cost, in the coin of the chain.',
    'ask_above.TOKEN (* for any other): above it only a yes at a terminal signs; --yes does not.',
    'challenge_hosts: hosts that a challenge may name beside the service; any other is refused.',
    'blind_signing=never: sign nothing that is not understood.',
    'KEY= removes a setting. unset removes the settings that are named, or all.',
    'A policy of chains, tokens, recipients and most_per_transaction of each token stands for a statement of what is paid.',
  ],
  arguments: [
    { name: 'ACTION', description: 'What is done: show, set or unset', completes: ACTIONS },
    NAME,
    {
      name: 'KEY=VALUE',
      ask: async () => (await import('../../prompt/ask-setting.ts')).askKeySetting,
      description: 'A setting and its value; of unset the name alone',
      isOptional: true,
      isRepeatable: true,
    },
  ],
  options: [...PASSWORD_OPTIONS],
  fails: ['refused_by_review'],
  examples: [
    'key policy show treasury',
    'key policy set treasury chains=polygon,base tokens=USDT most_per_transaction.USDT=500 most_per_day.USDT=2000',
    'key policy set treasury recipients=@receivers.txt ask_above.USDT=100 most_fee.polygon=1 --password-file ./password',
    'key policy set vault challenge_hosts=app.example.com blind_signing=never',
    'key policy unset treasury most_per_day.USDT --password-file ./password',
  ],
  run,
};
