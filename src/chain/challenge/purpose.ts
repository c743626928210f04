import { type Check, confirm } from '../verdict.ts';

/**
 * What texts say whose signature is itself a key: sites derive keys of accounts from the signature of one fixed text, and
 * ask, in that very text, to sign it nowhere else ("Only sign this message for a trusted client!").
 */
const FOR_ONE_SITE = /\b(?:only|never|(?:do|should) not|don['’]t) (?:\w+ )?sign\b|\btrusted (?:client|site|app\w*)\b/i;

/** A text that says itself where it may be signed, and does not name the service that gave it, is another site's. */
export const checkPurpose = (message: string, host: string | undefined): readonly Check[] => {
  const [found] = FOR_ONE_SITE.exec(message) ?? [];
  const name = host?.toLowerCase().replace(/:\d+$/, '');
  if (found === undefined || (name !== undefined && message.toLowerCase().includes(name))) return [];
  const says = `It says itself that it may not be signed anywhere ("${found}")`;
  return [confirm('purpose', `${says}: the signature of such a text may be the key of an account elsewhere.`)];
};
