import { Failure } from '../../core/failure.ts';
import { nextStep } from '../../core/next.ts';
import { type Secret, secret } from '../../core/secret.ts';

/** The address of a journal in PostgreSQL, read once: the driver gets these fields, and never the text. */
export type JournalAddress = {
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly database: string;
  readonly password?: Secret | undefined;
  /** TLS with a checked certificate; `undefined` without TLS. `ca`: a file with the authorities. */
  readonly tls: { readonly ca?: string | undefined } | undefined;
  /** For messages and settings: without a password. */
  readonly where: string;
};

const LOOPBACK = ['localhost', '127.0.0.1', '[::1]'];
const USUAL_PORT = 5432;

/** The parameters of an address. Others would change the connection behind what is checked and shown. */
const PARAMETERS = ['sslmode', 'sslrootcert', 'host'];

const wrong = (source: string, why: string, hint: string): Failure =>
  new Failure('bad_settings', `${source} ${why}`, {
    hint: `${hint} Nothing was sent.`,
    next: nextStep('help', 'environment'),
  });

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};

/** Checks the address of a journal. Throws `bad_settings`, without the address: it may contain a password. */
export const checkJournalAddress = (text: string, source: string): JournalAddress => {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const database = decoded(url?.pathname.slice(1) ?? '');
  const user = decoded(url?.username ?? '');
  const isPostgres = url !== undefined && /^postgres(?:ql)?:$/.test(url.protocol);
  if (!isPostgres || database === '' || user === '' || url.hostname === '') {
    const missing = isPostgres && ((user === '' && 'user') || (url.hostname === '' && 'host') || 'database');
    const why = missing ? `names no ${missing}` : 'is not the address of a journal';
    throw wrong(source, why, 'Write postgres://USER@HOST/DATABASE.');
  }
  const { searchParams: given } = url;
  const unknown = [...given.keys()].find((name) => !PARAMETERS.includes(name) || given.getAll(name).length > 1);
  if (unknown !== undefined)
    throw wrong(source, 'has a parameter that is not allowed, or twice', `Allowed are ${PARAMETERS.join(', ')}.`);
  const [mode, ca, socket] = [given.get('sslmode'), given.get('sslrootcert'), given.get('host')];
  if (socket !== null && (!socket.startsWith('/') || url.hostname !== 'localhost'))
    throw wrong(
      source,
      'has a host that is no folder of a socket',
      'Write postgres://USER@localhost/DATABASE?host=/FOLDER.',
    );
  if (mode !== null && mode !== 'verify-full' && mode !== 'disable')
    throw wrong(source, 'has another sslmode than verify-full and disable', 'Use one of the two.');
  const host = socket ?? url.hostname;
  const isHere = socket !== null || LOOPBACK.includes(host);
  if (!isHere && mode === null)
    throw wrong(
      source,
      `names ${host} without TLS`,
      'Add ?sslmode=verify-full to it, or ?sslmode=disable on a network of your own.',
    );
  const port = url.port === '' ? USUAL_PORT : Number(url.port);
  const at = `${url.username}@${url.hostname}${url.port === '' ? '' : `:${url.port}`}`;
  const kept = given.toString();
  return {
    ...{ host: host.replace(/^\[|\]$/g, ''), port, user, database },
    password: url.password === '' ? undefined : secret(decoded(url.password)),
    tls: mode === 'verify-full' ? { ca: ca ?? undefined } : undefined,
    where: `postgres://${at}${url.pathname}${kept && `?${decoded(kept)}`}`,
  };
};

/** Whether two addresses name the same database, for any user. Throws as `checkJournalAddress`. */
export const isSameDatabase = (one: string, other: string, source: string): boolean => {
  const placeOf = ({ host, port, database }: JournalAddress): string => JSON.stringify([host, port, database]);
  return placeOf(checkJournalAddress(one, source)) === placeOf(checkJournalAddress(other, source));
};

/** Checks an address that is stored or typed: it has no password. Throws `bad_settings`, without the address. */
export const checkStoredJournal = (text: string, source = 'the address'): string => {
  if (URL.canParse(text) && new URL(text).password !== '')
    throw wrong(source, 'contains a password', 'Write the password into the file of PGPASSFILE.');
  checkJournalAddress(text, source);
  return text;
};
