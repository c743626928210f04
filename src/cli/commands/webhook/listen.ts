import type { Client } from '../../../client/call.ts';
import { Failure } from '../../../core/failure.ts';
import { printJson } from '../../../core/json.ts';
import { fitToStream } from '../../../core/screen.ts';
import { escapeText } from '../../../core/text.ts';
import { readPayment } from '../../../flows/pay/status.ts';
import { type Forward, forward, newGate } from '../../../webhook/forward.ts';
import { recordListener } from '../../../webhook/listener.ts';
import { receiverPath, startReceiver } from '../../../webhook/receive.ts';
import { type Delivery, openStore, prune, USUAL_KEEP } from '../../../webhook/store.ts';
import type { Command, CommandContext } from '../../command/command.ts';
import { boolArg, type ParsedArgs, stringArg } from '../../command/options.ts';
import { undefinedOnFailure } from '../../context/failures.ts';
import { documentLine, isLimited } from '../../print/watch.ts';
import { FORWARD_TO, STATUS, statusFilter, summaryOf, targetsIn, wholeIn } from './shared.ts';

/** A delivery after its forwards and its check, as a line of NDJSON shows it. */
type Shown = ReturnType<typeof summaryOf> & {
  /** Whether the service has the status of the payload; `null` without --verify, or if it could not be read. */
  readonly verified: boolean | null;
  readonly service_status?: string;
  readonly forwards: readonly Forward[];
};

/** Reads the payment of a payload back: a delivery is a hint, and everybody with the address can send one. */
const verify = async (client: Client | undefined, { payment_id, status }: ReturnType<typeof summaryOf>) => {
  if (client === undefined || payment_id === null) return { verified: null };
  const payment = await undefinedOnFailure(readPayment(client, payment_id));
  if (payment === undefined) return { verified: null };
  return { verified: payment.status === status, service_status: payment.status };
};

const MARKS = new Map<boolean | null, string>([
  [true, ' ✓ as the service says'],
  [false, ' ✗ the service says '],
]);

const lineFor = (shown: Shown): string => {
  const { received_at, event, payment_id, status, duplicate, verified, service_status = '', forwards } = shown;
  const what = [received_at.slice(11, 19), status ?? '-', payment_id ?? '-', event ?? '-'].join('  ');
  const check = `${MARKS.get(verified) ?? ''}${verified === false ? service_status : ''}`;
  const to = forwards.map(({ url, http, ms }) => ` -> ${url} ${http ?? 'no answer'} ${ms} ms`).join('');
  return `${what}${duplicate ? '  duplicate' : ''}${check}${to}`;
};

const print = async (cli: CommandContext, shown: Shown): Promise<void> => {
  const { io, globals } = cli;
  const isLine = io.stdout.isTerminal && !globals.json;
  const text = isLine
    ? `${fitToStream(escapeText(lineFor(shown)), io.stdout)}\n`
    : await documentLine(cli, shown, globals.fields);
  await io.stdout.write(text);
};

/** The address to register. A tunnel of the user has another one in front. */
const addressOf = (url: string, publicUrl: string | undefined): string => {
  if (publicUrl === undefined) return url;
  if (!URL.canParse(publicUrl) || !/^https?:/.test(publicUrl))
    throw new Failure('invalid_input', `--public-url: "${publicUrl.slice(0, 60)}" is not an http(s) address`);
  return publicUrl.replace(/\/$/, '') + new URL(url).pathname;
};

const LOOK_EVERY_MS = 50;
const SILENT_MS = 30_000;

const howToTest = (address: string): string =>
  `Nothing has arrived yet. To test the address:\n  curl --data '{}' ${address}\n  bursar sandbox trigger success --webhook-url ${address}`;

const run = async (cli: CommandContext, given: ParsedArgs): Promise<void> => {
  const { io } = cli;
  const targets = targetsIn(given);
  const isWanted = statusFilter(given);
  const [port, count] = [wholeIn(given, 'port', 0, 65_535) ?? 0, wholeIn(given, 'count', 1, 999_999_999)];
  const idleMs = (wholeIn(given, 'idle', 1, 86_400) ?? Number.POSITIVE_INFINITY) * 1000;
  const publicUrl = stringArg(given, 'public-url');
  addressOf('http://127.0.0.1/x', publicUrl);
  const client = boolArg(given, 'verify') ? await cli.client() : undefined;
  await prune(io, USUAL_KEEP);
  const gate = newGate();
  let [shown, last] = [0, io.clock.monotonic()];
  const receiver = await startReceiver<Shown | undefined>(io, {
    port,
    path: await receiverPath(io),
    store: await openStore(io),
    work: async (delivery: Delivery) => {
      last = io.clock.monotonic();
      if (!isWanted(delivery)) return undefined;
      const summary = summaryOf(delivery);
      const forwards = await Promise.all(targets.map((url) => gate(() => forward(io, delivery, url))));
      return { ...summary, ...(await gate(() => verify(client, summary))), forwards };
    },
    show: async (document) => {
      if (document === undefined || (count !== undefined && shown >= count)) return;
      shown += 1;
      await print(cli, document);
    },
    onFault: (error) => cli.warn(`a delivery was not handled: ${String(error).slice(0, 200)}`),
  });
  const address = addressOf(receiver.url, publicUrl);
  const start = io.clock.monotonic();
  const forget = await recordListener(io, receiver.url).catch((error) =>
    receiver.close().then(() => Promise.reject(error)),
  );
  try {
    await io.stdout.write(
      io.stdout.isTerminal && !cli.globals.json
        ? `Listening. Register this webhook_url:\n  ${address}\n`
        : `${printJson({ listening: address })}\n`,
    );
    const isEnded = () =>
      (count !== undefined && shown >= count) ||
      io.clock.monotonic() - last > idleMs ||
      (isLimited(given) && io.clock.monotonic() > cli.deadline) ||
      io.stdout.isClosed();
    let isAdvised = false;
    while (!isEnded()) {
      await io.clock.sleep(LOOK_EVERY_MS, io.interrupted);
      if (isAdvised || last !== start || io.clock.monotonic() - start < SILENT_MS) continue;
      isAdvised = true;
      await cli.printNote(howToTest(address));
    }
  } finally {
    // A payment that is registered from here on does not get this address.
    await forget().catch(() => undefined);
    await receiver.close();
  }
  if (count === undefined || shown >= count || io.stdout.isClosed()) return;
  throw new Failure('not_final', `${shown} of ${count} deliveries arrived before the wait ended`);
};

/** `webhook listen`. */
export const listen: Command = {
  words: ['webhook', 'listen'],
  summary: 'Receive webhooks on this machine, and keep them',
  about: [
    'Listens on loopback under a path that nobody can guess, and prints the address to register as webhook_url.',
    'Each delivery is on the disk before it is answered, so that none that was answered is lost.',
    'A delivery is a hint: the service does not document its payload, and does not sign it. --verify reads the payment back.',
    'In a pipe each delivery is a line of JSON. Deliveries are kept for 7 days, and at most 100 MB of them.',
    'While it runs, new payments of the sandbox have its address as webhook_url, unless you state another.',
    'Ends after --count, --idle or --timeout; with exit code 8 if fewer than --count arrived.',
  ],
  options: [
    { flag: '--port', value: 'N', usual: 'any free port', description: 'Port on this machine' },
    FORWARD_TO,
    STATUS,
    { flag: '--verify', description: "Read each payment back, and show whether the service has the payload's status" },
    { flag: '--count', value: 'N', description: 'End after this many deliveries' },
    { flag: '--idle', value: 'SECONDS', description: 'End after this time without a delivery' },
    {
      flag: '--public-url',
      value: 'URL',
      description: 'Address of your tunnel to this machine, to print in its place',
    },
  ],
  calls: ['pay.status'],
  fails: ['not_final'],
  examples: [
    'webhook listen',
    'webhook listen --forward-to http://127.0.0.1:3000/hook --verify',
    'webhook listen --count 1 --timeout 60',
  ],
  run,
};
