import { FOLDER_JOURNAL, hasDailyLimit, limitsSomething, type Policy } from '../../../chain/review/policy.ts';
import { problemsInPolicy, unknownAmounts } from '../../../chain/review/policy-problems.ts';
import { widens } from '../../../chain/review/policy-widens.ts';
import { Failure, isFailure } from '../../../core/failure.ts';
import { nextStep } from '../../../core/next.ts';
import { type KeyPolicy, narrowKeyPolicy, readKeyPolicy, sealKeyPolicy } from '../../../flows/policy/key-policy.ts';
import { policy as schema } from '../../../flows/policy/schema.ts';
import { storeOf } from '../../../journal/open-store.ts';
import { openKeystore, type StoredKey } from '../../../keystore/keystore.ts';
import type { PolicySubject } from '../../../keystore/policy.ts';
import { readNamed } from '../../command/body.ts';
import type { Command, CommandContext } from '../../command/command.ts';
import { PASSWORD_OPTIONS, passwordSources } from '../../command/key-options.ts';
import { type ParsedArgs, required, stringArg, stringArgs } from '../../command/options.ts';
import { withKey } from '../../operations/signing-key.ts';
import { withChanges } from '../../profiles/edit.ts';
import { listSettings } from '../../profiles/show.ts';
import { NAME } from './shared.ts';

const ACTIONS = ['show', 'set', 'unset'] as const;

/** A stored key and the address that its policy belongs to. */
type KeyWithAddress = { readonly stored: StoredKey; readonly subject: PolicySubject };

/** Prints the policy; `sealed` is true when its MAC, made with the password of the key, covers all settings. */
const show = async (cli: CommandContext, { stored: { name }, subject }: KeyWithAddress): Promise<void> => {
  const found = await readKeyPolicy(cli.io, subject);
  const { policy = {}, isSealed = true } = found && limitsSomething(found.policy) ? found : {};
  const facts = { name, chain: subject.chain, address: subject.address, sealed: isSealed };
  const rows = Object.fromEntries(listSettings(policy).map(({ setting, value }) => [setting, value]));
  await cli.printCommitted(
    { ...facts, policy },
    { ...facts, ...(limitsSomething(policy) ? rows : { policy: 'none' }) },
  );
};

/** Unlocks the key without checking its policy, which may be broken and is about to be sealed. */
const unchecked = ({ stored: { name } }: Pick<KeyWithAddress, 'stored'>) => ({ name, signsNothing: true }) as const;

/** The stored policy; `undefined` if it cannot be trusted and must be replaced as a whole. */
const readTrusted = async ({ io, warn }: CommandContext, subject: PolicySubject): Promise<KeyPolicy | undefined> => {
  try {
    return (await readKeyPolicy(io, subject)) ?? { policy: {}, isSealed: true, hasMandate: false };
  } catch (error) {
    if (!isFailure(error, 'refused_by_review')) throw error;
    await warn(`${error.message}. The whole policy is replaced.`);
    return undefined;
  }
};

const assertUseful = (policy: Policy, { chain }: PolicySubject): void => {
  const scope = { family: chain, kinds: ['live', 'sandbox'] } as const;
  const errors = [...problemsInPolicy(policy, scope), ...unknownAmounts(policy, scope)];
  if (errors.length > 0) throw new Failure('invalid_input', 'nothing was changed: a setting is invalid', { errors });
};

/** Replaces KEY=@FILE by the names in the file, which commas, spaces or line ends separate. */
const readListFiles = (cli: CommandContext, texts: readonly string[]): Promise<readonly string[]> =>
  Promise.all(
    texts.map(async (text) => {
      const [, key, file] = /^([\w.]+)=(@.+)$/s.exec(text) ?? [];
      if (key === undefined || file === undefined) return text;
      const names = (await readNamed(cli.io, file)).split(/[\s,]+/).filter(Boolean);
      if (names.length > 0) return `${key}=${names.join(',')}`;
      throw new Failure('invalid_input', `nothing was changed: ${key}: ${file.slice(1)} is empty`);
    }),
  );

/** Whether the command line or the environment gives the password, so that the policy can be sealed at once. */
const hasPassword = ({ io }: CommandContext, given: ParsedArgs): boolean =>
  Object.values(passwordSources(given)).some(Boolean) ||
  ['BURSAR_KEY_PASSWORD_FILE', 'BURSAR_KEY_PASSWORD'].some((name) => Boolean(io.env[name]));

const change = async (cli: CommandContext, given: ParsedArgs, owned: KeyWithAddress, texts: readonly string[]) => {
  const { subject } = owned;
  const isOfDay = texts.some((text) => text.startsWith('most_per_day'));
  const journal = isOfDay ? (await storeOf(cli.io)).id : FOLDER_JOURNAL;
  const apply = (before: Policy = {}): Policy => {
    const changed = withChanges(schema, before, texts);
    assertUseful(changed, subject);
    if (changed.journal !== undefined && !hasDailyLimit(changed))
      throw new Failure('invalid_input', 'nothing was changed: journal limits nothing without most_per_day', {
        errors: [{ field: 'journal', message: 'is of a daily limit: set most_per_day too' }],
      });
    // A daily limit belongs to the journal in which it was first set.
    const isFirst = hasDailyLimit(changed) && !hasDailyLimit(before) && changed.journal === undefined;
    return isFirst && journal !== FOLDER_JOURNAL ? { ...changed, journal } : changed;
  };
  const before = await readTrusted(cli, subject);
  const onlyNarrows = before !== undefined && !widens(before.policy, apply(before.policy));
  if (onlyNarrows && !hasPassword(cli, given)) {
    await narrowKeyPolicy(cli.io, subject, apply);
    await cli.printNote('The policy applies from now on. The next signature with this key seals it.');
    return show(cli, owned);
  }
  apply(before?.policy);
  if (!onlyNarrows && cli.io.prompt.isPossible)
    await cli.printNote('This change allows more than before, so it needs the password of the key.');
  await withKey(cli, given, unchecked(owned), (key) => sealKeyPolicy(cli.io, key, apply));
  return show(cli, owned);
};

/** Setting names as the edits that remove them, such as KEY=. */
const removalsOf = (texts: readonly string[]): readonly string[] =>
  texts.map((text) => {
    if (!text.includes('=')) return `${text}=`;
    throw new Failure('invalid_input', 'unset takes setting names only, such as most_per_day.USDT', {
      hint: 'To change a setting, use bursar key policy set.',
    });
  });

const unset = async (cli: CommandContext, given: ParsedArgs, owned: KeyWithAddress, texts: readonly string[]) => {
  const edits = removalsOf(texts);
  const apply = (before: Policy = {}): Policy => {
    const changed = edits.length === 0 ? {} : withChanges(schema, before, edits);
    // Without a daily limit it would bind the next one to this journal, and limits nothing.
    return hasDailyLimit(changed) ? changed : { ...changed, journal: undefined };
  };
  if (edits.length > 0) apply((await readTrusted(cli, owned.subject))?.policy);
  await withKey(cli, given, unchecked(owned), (key) => sealKeyPolicy(cli.io, key, apply));
  return show(cli, owned);
};

/** Key files of other tools may lack the address; it then comes from the unlocked key. */
const findKey = async (cli: CommandContext, given: ParsedArgs, wanted: string): Promise<KeyWithAddress> => {
  const stored = await openKeystore(cli.io).find(wanted);
  const { chain } = stored;
  if (stored.address !== undefined) return { stored, subject: { chain, address: stored.address } };
  return withKey(cli, given, unchecked({ stored }), async ({ address }) => ({ stored, subject: { chain, address } }));
};

/** The failure of another first word. The name of a key alone is understood as `show`. */
const unknownAction = async ({ io }: CommandContext, action: string): Promise<Failure> => {
  const keys = await openKeystore(io).list();
  const next = keys.some(({ name }) => name === action)
    ? nextStep('again', ['key', 'policy', 'show', action])
    : nextStep('help', 'key', 'policy');
  return new Failure('usage', `"${action}" is no action of key policy: it is one of ${ACTIONS.join(', ')}`, { next });
};

const run = async (cli: CommandContext, given: ParsedArgs): Promise<void> => {
  const action = stringArg(given, 'action');
  if (action !== undefined && !ACTIONS.some((each) => each === action)) throw await unknownAction(cli, action);
  const texts = stringArgs(given, 'key=value');
  const wanted = required(
    { ACTION: action, NAME: stringArg(given, 'name'), 'KEY=VALUE': action === 'set' ? texts[0] : 'none is needed' },
    { ACTION: `required: ${ACTIONS.join(', ')}` },
  );
  switch (wanted.ACTION) {
    case 'show': {
      if (texts.length > 0) throw new Failure('usage', 'key policy show takes no settings');
      return show(cli, await findKey(cli, given, wanted.NAME));
    }
    case 'set': {
      const edits = await readListFiles(cli, texts);
      return change(cli, given, await findKey(cli, given, wanted.NAME), edits);
    }
    default:
      return unset(cli, given, await findKey(cli, given, wanted.NAME), texts);
  }
};

/** `key policy`. */
export const policy: Command = {
  words: ['key', 'policy'],
  summary: 'Show or change what a key may sign',
  about: [
    'A policy belongs to the address of the key and applies under every name and profile. No option lifts it.',
    'If the profile has a policy too, a transaction must pass both.',
    'unset and any change that allows more need the password of the key. The password seals the policy with a MAC.',
    'If the policy file is missing or was changed by another program, nothing is signed.',
    'chains, tokens, recipients, programs, contracts: allowed values, separated by commas, or @FILE.',
    'most_per_transaction.TOKEN, most_per_day.TOKEN: largest amount that may leave the wallet (TOKEN * is any other).',
    'most_fee.CHAIN: largest fee, in the native coin of the chain.',
    'ask_above.TOKEN: above this amount, only a yes at a terminal signs; --yes does not (TOKEN * is any other).',
    'challenge_hosts: hosts that a challenge may name besides the service; challenges with other hosts are refused.',
    'journal=ID: the journal that counts most_per_day; folder is that of this home. It is named at the first most_per_day.',
    'blind_signing=never: refuse every transaction that is not fully decoded.',
    'KEY= removes a setting. unset removes the named settings, or all settings.',
    'A policy that sets chains, tokens, recipients and a most_per_transaction of each token counts as your statement of what is paid.',
  ],
  arguments: [
    { name: 'ACTION', description: 'What is done: show, set or unset', completes: ACTIONS },
    NAME,
    {
      name: 'KEY=VALUE',
      ask: async () => (await import('../../prompt/ask-setting.ts')).askKeySetting,
      description: 'A setting and its value; for unset, only the name',
      isOptional: true,
      isRepeatable: true,
    },
  ],
  options: [...PASSWORD_OPTIONS],
  fails: ['refused_by_review', 'journal_unreachable'],
  examples: [
    'key policy show treasury',
    'key policy set treasury most_per_day.USDT=2000',
    'key policy set treasury chains=polygon,base tokens=USDT most_per_transaction.USDT=500 most_per_day.USDT=2000',
    'key policy set treasury recipients=@receivers.txt ask_above.USDT=100 most_fee.polygon=1 --password-file ./password',
    'key policy set savings challenge_hosts=app.example.com blind_signing=never',
    'key policy unset treasury most_per_day.USDT --password-file ./password',
  ],
  run,
};
