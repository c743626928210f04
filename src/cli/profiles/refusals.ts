import { Failure } from '../../core/failure.ts';
import { nextStep } from '../../core/next.ts';
import { SANDBOX } from './profile.ts';
import type { Selection, Sourced } from './selection.ts';

const urlMissing = (): Failure =>
  new Failure('bad_settings', 'there is an API key, and no base URL to use it with', {
    hint: 'Set BURSAR_BASE_URL, or give --base-url.',
    next: nextStep('whoami'),
  });

/** What is said of an address that a stored key is not for. */
export const repointed = (profile: string, own: string, { value, from }: Sourced<string>): Failure =>
  new Failure(
    'bad_settings',
    `the API key of the profile "${profile}" is for ${new URL(own).origin}, and ${from} names ${value}`,
    {
      hint: 'A stored key is sent to the service that it was stored for, and to no other. Leave the other address out, or store a key for it.',
      next: nextStep('login.profile', new URL(value).hostname, value),
    },
  );

/** What is said where only a file in the folder of a project names the address that a key would go to. */
export const ofProjectAlone = ({ value, from }: Sourced<string>): Failure =>
  new Failure('bad_settings', `${from} names the service ${value}, and none of your profiles does`, {
    hint: `Nothing was sent: an API key goes only to an address of your own settings. If you trust it, set BURSAR_BASE_URL=${value} to confirm.`,
    // Its address is somebody else's word: no command that is pasted sends a key there.
    next: nextStep('whoami'),
  });

const notAskedFor = ({ project }: Pick<Selection, 'project'>): Failure =>
  new Failure('no_api_key', 'no service was chosen, and there is no API key', {
    hint: `${project?.profile === SANDBOX ? `${project.path} names the sandbox, and a project file does not ask for it. ` : ''}Without a person at a terminal the sandbox must be asked for: a pipeline whose secrets are missing must not pass on a toy. Log in, set BURSAR_BASE_URL and BURSAR_API_KEY, or use --profile sandbox.`,
    next: nextStep('login'),
  });

/** Why there is no service: there is a key without an address, or nothing at all. */
export const noService = (selection: Extract<Selection, { as: 'nothing' }>): Failure =>
  selection.why === 'no address' ? urlMissing() : notAskedFor(selection);
