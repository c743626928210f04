import type { Service } from '../../../client/service.ts';
import type { KycUser } from '../../../flows/kyc/status.ts';
import type { Io } from '../../../io/io.ts';
import { type Ask, type PromptContext, stringArg } from '../../command/options.ts';
import { undefinedOnFailure } from '../../context/failures.ts';
import { sandboxControl } from '../../context/sandbox-control.ts';
import { kindOf } from '../../profiles/selection.ts';

/** The user that a bare Enter names. The sandbox sends no e-mail to anybody. */
export const SANDBOX_EMAIL = 'payer@example.com';

/** Whether the selected service is the sandbox. */
export const isInSandbox = async ({ selection }: Pick<PromptContext, 'selection'>): Promise<boolean> =>
  kindOf(await selection()) === 'sandbox';

type Kind = Pick<Service, 'kind'>;

/** The newest code that the sandbox sent to an address; `undefined` without one, and for a live service. */
export const newestCode = async (io: Io, service: Kind, email: string): Promise<string | undefined> => {
  const read = async () => {
    const { readInbox } = await import('../../../contract/control/identity.ts');
    const inbox = await (await sandboxControl(io, service))?.(readInbox, { to: email });
    return inbox?.emails.find(({ code }) => code !== null)?.code ?? undefined;
  };
  return undefinedOnFailure(read());
};

/**
 * The problem of a typed code in the sandbox, where a wrong one uses up an attempt. The document does not show the form
 * of a code, so a live service gets any text.
 */
export const codeProblem = ({ kind }: Kind, code: string): string | undefined =>
  kind !== 'sandbox' || /^\d{6}$/.test(code) ? undefined : 'must be the 6 digits of the e-mail';

/** Approves the verification of a user in the sandbox, as its provider would. */
export const approveInSandbox = async (io: Io, service: Kind, user: KycUser): Promise<void> => {
  const { decideKyc } = await import('../../../contract/control/identity.ts');
  await (await sandboxControl(io, service))?.(decideKyc, { ...user, decision: 'approve' });
};

/** Asks for the code of an e-mail. In the sandbox a bare Enter takes the newest one from its inbox. */
export const askCode: Ask = async (cli, question, given) => {
  const email = stringArg(given, 'email');
  const service: Kind = { kind: (await isInSandbox(cli)) ? 'sandbox' : 'live' };
  const code = email === undefined ? undefined : await newestCode(cli.io, service, email.toLowerCase());
  const { askText } = await import('../../prompt/ask.ts');
  const problemIn = async (text: string) => (await question.problemIn?.(text)) ?? codeProblem(service, text);
  const offered = code !== undefined && { description: 'Code from the e-mail', initial: code };
  return askText(cli, { ...question, problemIn, ...offered });
};
