import { isOwnHost, type OwnHosts } from './host.ts';

/** One place that a text names: `written` as it stands there, `host` where it has one that can be read. */
type Place = { readonly written: string; readonly host?: string; readonly mailbox?: string };

/** The places of a text, and the text without them. */
export type Placed = { readonly places: readonly Place[]; readonly rest: string };

/** What is around a word and no part of it. IPv6 addresses keep their brackets. */
const AROUND =
  /^[\s"'“”„‘’«»‹›<>(){}|,;*_`¿¡!?。、，；：（）「」]+|[\s"'“”„‘’«»‹›<>(){}|,;:.…*_`!?。、，；：（）「」]+$/gu;

/** A label that stands before its value without a space, as in `URI:https://pay.example.com`. */
const LABEL = /^(?!https?:|wss?:|localhost:)[\p{L}_-]{2,24}[:=](?=\S)(?!\/)/u;

const SCHEME =
  /^[a-z][a-z0-9+.-]*:(?=[\\/]|\/\/)|^(?:https?|wss?|ftp|file|mailto|javascript|data|ipfs|ipns|ens|blob|intent|wc|tel|sms):|^[\\/]{2}/i;
const WEB = /^(?:https?|wss?):/i;

/** Words of prose with a dot in them that name no host. */
const ABBREVIATION =
  /^(?:e\.g|i\.e|a\.m|p\.m|z\.b|d\.h|u\.a|p\.ej|ex|n\.º?|s\.a|ltd|inc|no|nr|v?\d+(?:[.,:]\d+)*%?)\.?$/i;
const IPV4 = /^\d{1,3}(?:\.\d{1,3}){3}(?::\d+)?$/;
const TIME = /^\d{4}-\d{2}-\d{2}(?:T[\d:.]+(?:Z|[+-]\d{2}:?\d{2})?)?$/i;
const DOTTED = /[\p{L}\p{N}_-]\.[\p{L}\p{N}_-]/u;
const LOCAL = /^(?:localhost|\[[0-9a-f:.]+\]|[0-9a-f]*::[0-9a-f:.]*)(?:[:/?#]|$)/i;

const inUrl = (written: string): Place => {
  const text = written.replaceAll('\\', '/');
  if (!WEB.test(text) || !URL.canParse(text)) return { written };
  const { host, username, password } = new URL(text);
  // What stands before an @ only makes a stranger's host look like another.
  return username || password || host === '' ? { written } : { written, host };
};

const placeIn = (word: string): Place | undefined => {
  if (SCHEME.test(word)) return inUrl(word);
  if (word.includes('@')) {
    const mailbox = /^[^@\s]+@([^@/?#\s]+)$/.exec(word);
    return mailbox?.[1] === undefined ? { written: word } : { written: word, host: mailbox[1], mailbox: word };
  }
  if (TIME.test(word) || (ABBREVIATION.test(word) && !IPV4.test(word))) return undefined;
  if (!DOTTED.test(word) && !LOCAL.test(word)) return undefined;
  const [host = ''] = word.split(/[/?#\\]/);
  return { written: word, host };
};

/** Dots of other scripts, which browsers read as the dot of a host. A full stop between words of Chinese is none. */
const withPlainDots = (text: string): string =>
  text.normalize('NFKC').replace(/(?<=[a-z0-9-])[。｡](?=[a-z0-9-])/gi, '.');

/** Takes every host, URL, mailbox and address of a machine out of a text, with a scheme before it or without. */
export const takePlaces = (text: string): Placed => {
  const places: Place[] = [];
  const withoutPlaces = (word: string): string => {
    const bare = word.replace(AROUND, '');
    const value = bare.replace(LABEL, '');
    const found = placeIn(value);
    if (found === undefined) return word;
    places.push(found);
    return ` ${bare.slice(0, bare.length - value.length)} `;
  };
  // Brackets and quotes of prose and of Markdown part words; those of an IPv6 address do not.
  const parted = withPlainDots(text).replace(
    /\]\(|[<>"“”„«»|]|\[(?![0-9a-f]*:)/gi,
    (found) => ` ${found.replace(/\]/, '')} `,
  );
  const rest = parted.replace(/[^\s,;，、；]+/gu, withoutPlaces);
  return { places, rest };
};

/** The places that are neither the service's nor the user's own mailbox, as they are written. */
export const foreignPlaces = (places: readonly Place[], own: OwnHosts, email: string | undefined): readonly string[] =>
  places
    .filter(({ host, mailbox }) => {
      if (mailbox !== undefined && email !== undefined && mailbox.toLowerCase() === email.toLowerCase()) return false;
      return host === undefined || !isOwnHost(host, own);
    })
    .map(({ written }) => written);
