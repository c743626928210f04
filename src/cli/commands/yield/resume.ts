import type { Client, Input } from '../../../client/call.ts';
import { Failure } from '../../../core/failure.ts';
import { isJsonObject } from '../../../core/json.ts';
import { WIRE_ID } from '../../../core/wire-names.ts';
import { readInputs } from '../../../journal/inputs.ts';
import { isRelayIntent, isYieldIntent, type RelayIntent, type YieldIntent } from '../../../journal/intents.ts';
import type { OperationState } from '../../../journal/operation-state.ts';
import type { Command, CommandContext } from '../../command/command.ts';
import { keyOption, PASSWORD_OPTIONS } from '../../command/key-options.ts';
import { type ParsedArgs, stringArg } from '../../command/options.ts';
import { findOperation } from '../../operations/area.ts';
import type { AreaResume } from '../../operations/resumable.ts';
import { resumeLeaf } from '../../operations/resume.ts';
import { NEW_API_KEY_OPTION } from '../../operations/same-service.ts';
import { ownKeyName, signerOf } from '../../operations/signing-key.ts';
import { confirmMoving, ofService } from '../../prompt/confirming.ts';
import { ALLOW_OPTIONS, contextFor, RPC_OPTION } from './context.ts';
import { receiptOf, receiptOfEnded, YIELDS } from './journal.ts';

type ResumableIntent = YieldIntent | RelayIntent;

/** Throws if the named key is not that of the wallet, even if nothing is signed. */
const assertOwnKey = async (cli: CommandContext, given: ParsedArgs, { wallet }: ResumableIntent): Promise<void> => {
  if (stringArg(given, 'key') !== undefined) await ownKeyName(cli, given, YIELDS, wallet);
};

const inputOf = async (cli: CommandContext, id: string): Promise<Input | undefined> => {
  const action = (await readInputs(cli.io, id))?.['operation'];
  return isJsonObject(action) ? action : undefined;
};

const intentIn = ({ id, started: { intent } }: OperationState): ResumableIntent => {
  if (isYieldIntent(intent) || isRelayIntent(intent)) return intent;
  throw new Failure('not_found', `the operation ${id} is no yield operation`);
};

const questionFor = async ({ service }: Client, intent: ResumableIntent): Promise<string> => {
  if (intent.operation === 'broadcast') return ofService(service, 'Send the signed transaction?');
  const { inWords } = await import('../../../flows/yield/request.ts');
  return ofService(service, `Go on with "${inWords(intent)}" on ${intent.chain}?`);
};

const resumeYieldOf: AreaResume['resume'] = async (cli, given, { operation, state, client }) => {
  const [{ resumeYield }, intent] = [await import('../../../flows/yield/resume/operation.ts'), intentIn(state)];
  await assertOwnKey(cli, given, intent);
  const question = await questionFor(client, intent);
  const context = { ...(await contextFor(cli, given, client, () => question)), operation };
  const own = { area: YIELDS, chain: 'solana', address: intent.wallet } as const;
  const [input, signer] = [await inputOf(cli, state.id), signerOf(cli, given, own)];
  const confirm = (pending: string) => confirmMoving(cli, ofService(client.service, pending));
  const resumed = await resumeYield({ context, intent, input, withKey: signer, confirm });
  const { profile, kind } = state.started;
  if (resumed.kind === 'landed') {
    operation.noteEnd({ step: 'settled', positions: resumed.operated.after });
    return { ...receiptOf(intent, resumed.operated, { profile, kind }), [WIRE_ID]: state.id };
  }
  await cli.printNote(`${state.id}: a later deposit has done what was missing, so it is superseded`);
  return receiptOfEnded(await findOperation(cli, YIELDS, state.id));
};

/** How a yield operation is resumed. */
export const RESUMING = {
  area: YIELDS,
  resume: resumeYieldOf,
  asEnded: async (state: OperationState) => ({ receipt: receiptOfEnded(state) }),
};

/** `yield resume`. */
export const resume: Command = resumeLeaf({
  resuming: RESUMING,
  about: [
    'Finds out whether an operation landed (best with --rpc-url), and sends approved bytes again while they can land. With --yes or at a terminal it signs or sends what is missing. It signs another transaction only if the one before can no longer land.',
  ],
  options: [keyOption('solana'), ...PASSWORD_OPTIONS, RPC_OPTION, ...ALLOW_OPTIONS, NEW_API_KEY_OPTION],
  calls: ['yield.broadcast', 'yield.earnings', 'yield.deposit', 'yield.withdraw', 'yield.rebalance'],
  fails: ['not_found', 'refused_by_review', 'not_final', 'payment_failed', 'outcome_unknown'],
});
