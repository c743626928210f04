import { decideKyc, decision, readInbox, readQuota, setQuota } from '../../../contract/control/identity.ts';
import { Failure } from '../../../core/failure.ts';
import { stringArg } from '../../command/options.ts';
import { required } from '../../command/required.ts';
import { controlCommand, descriptionOf, fieldOption, switchesIn, switchesOf, wholeArg } from './control.ts';

/** `sandbox inbox`. */
export const inbox = controlCommand({
  verb: 'inbox',
  summary: 'Show the e-mails of the sandbox, newest first',
  controls: [readInbox],
  arguments: [{ name: 'EMAIL', description: descriptionOf(readInbox.query.to), isOptional: true }],
  examples: ['sandbox inbox', 'sandbox inbox payer@example.com --json'],
  run: async (cli, given, call) => {
    const { emails } = await call(readInbox, { to: stringArg(given, 'email') });
    await cli.printResult(emails, emails, { none: 'No e-mail was sent. bursar kyc start sends one.' });
  },
});

const FLAGS = decision.options.map((word) => `--${word}`).join(', ');

/** `sandbox kyc`. */
export const kyc = controlCommand({
  verb: 'kyc',
  summary: 'Decide the verification of a user, as its provider would',
  about: ['The user must be prepared. An open session is decided too. Without arguments it shows the quota.'],
  controls: [decideKyc, readQuota, setQuota],
  arguments: [{ name: 'EMAIL_OR_WALLET', description: 'The user', isOptional: true }],
  options: [...switchesOf(decision), fieldOption('--quota', setQuota.body.quota, 'N')],
  examples: ['sandbox kyc payer@example.com --approve', 'sandbox kyc --quota 3', 'sandbox kyc'],
  run: async (cli, given, call) => {
    const [user, decisions] = [stringArg(given, 'email_or_wallet'), switchesIn(given, decision)];
    const isAboutUser = user !== undefined || decisions.length > 0;
    const quota = stringArg(given, 'quota');
    if (quota !== undefined) {
      if (isAboutUser) throw new Failure('invalid_input', '--quota stands alone: it is for all users');
      if (quota.length > 6) throw new Failure('invalid_input', `--quota: "${quota}" is not a number of sessions`);
      return cli.printResult(await call(setQuota, { quota: wholeArg(given, 'quota') ?? 0 }));
    }
    if (!isAboutUser) return cli.printResult(await call(readQuota));
    const { EMAIL_OR_WALLET: name } = required({ EMAIL_OR_WALLET: user });
    const [chosen, ...more] = decisions;
    if (!chosen || more.length > 0) throw new Failure('invalid_input', `give one decision: ${FLAGS}`);
    const named = name.includes('@') ? { email: name } : { wallet: name };
    return cli.printResult(await call(decideKyc, { ...named, decision: chosen }));
  },
});
