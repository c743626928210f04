import type { Client } from '../../../client/call.ts';
import { codeOf, Failure, messageOf } from '../../../core/failure.ts';
import { printJson } from '../../../core/json.ts';
import { readPayment } from '../../../flows/pay/status.ts';
import { forward, newGate } from '../../../webhook/forward.ts';
import { recordListener } from '../../../webhook/listener.ts';
import { openStore } from '../../../webhook/open-store.ts';
import { prune, USUAL_KEEP } from '../../../webhook/prune.ts';
import { receiverPath, startReceiver } from '../../../webhook/receive.ts';
import { type Delivery, hintIn } from '../../../webhook/store.ts';
import type { Command, CommandContext } from '../../command/command.ts';
import { boolArg, type ParsedArgs, stringArg } from '../../command/options.ts';
import { wholeArg } from '../../command/whole-arg.ts';
import { undefinedOnFailure } from '../../context/failures.ts';
import { documentLine, isLimited } from '../../print/watch.ts';
import { type LiveColumns, liveTable, type Shown } from './live-table.ts';
import { FORWARD_TO, STATUS, statusFilter, summaryOf, targetsIn } from './shared.ts';

const READ_WITHIN_MS = 30_000;

/** Reads the payment of a payload back: a delivery is a hint, and everybody with the address can send one. */
const verify = async (client: Client | undefined, delivery: Delivery) => {
  const { payment_id, status } = hintIn(delivery);
  if (client === undefined || payment_id === null) return { verified: null };
  // The time of one command is over long before the end of a receiver.
  const deadline = client.io.clock.monotonic() + READ_WITHIN_MS;
  const payment = await undefinedOnFailure(readPayment({ ...client, deadline }, payment_id));
  if (payment === undefined) return { verified: null };
  return { verified: payment.status === status, service_status: payment.status };
};

/** Prints the address, and returns what prints a delivery: a row of a table on a terminal, else a line of JSON. */
const printer = async (
  cli: CommandContext,
  address: string,
  columns: LiveColumns,
): Promise<(shown: Shown) => Promise<void>> => {
  const { io, globals } = cli;
  if (!io.stdout.isTerminal || globals.json) {
    await io.stdout.write(`${printJson({ listening: address })}\n`);
    return async (shown) => io.stdout.write(await documentLine(cli, shown, globals.fields));
  }
  const table = liveTable(columns, () => ({ ...cli.talkStyle, columns: io.stdout.columns }));
  await io.stdout.write(`Listening. Register this webhook_url:\n  ${address}\n${table.header()}`);
  return (shown) => io.stdout.write(table.row(shown));
};

/** The address to register. A tunnel of the user has another one in front. */
const addressOf = (url: string, publicUrl: string | undefined): string => {
  if (publicUrl === undefined) return url;
  const parsed = URL.canParse(publicUrl) ? new URL(publicUrl) : undefined;
  const { protocol = '', username, password, search, hash } = parsed ?? {};
  if (!/^https?:$/.test(protocol) || [username, password, search, hash].some(Boolean))
    throw new Failure('invalid_input', `--public-url: "${publicUrl.slice(0, 60)}" is not a plain http(s) address`);
  return publicUrl.replace(/\/$/, '') + new URL(url).pathname;
};

const LOOK_EVERY_MS = 50;
const SILENT_MS = 30_000;
const TIDY_EVERY_MS = 60 * 60 * 1000;

const howToTest = (address: string): string =>
  `Nothing has arrived yet. To test the address:\n  curl --data '{}' ${address}\n  bursar sandbox trigger success`;

/** Throws for a target that is a receiver of this home: each delivery would come back without end. */
const assertNoLoop = (targets: readonly string[], path: string): void => {
  const own = targets.find((url) => new URL(url).pathname === path);
  if (own !== undefined)
    throw new Failure('invalid_input', `--forward-to: ${own} is the address of the receiver itself`);
};

const run = async (cli: CommandContext, given: ParsedArgs): Promise<void> => {
  const { io } = cli;
  const targets = targetsIn(given);
  const isWanted = statusFilter(given);
  const [port, count] = [wholeArg(given, 'port', [0, 65_535]) ?? 0, wholeArg(given, 'count', [1, 999_999_999])];
  const idleMs = (wholeArg(given, 'idle', [1, 86_400]) ?? Number.POSITIVE_INFINITY) * 1000;
  const publicUrl = stringArg(given, 'public-url');
  addressOf('http://127.0.0.1/x', publicUrl);
  const client = boolArg(given, 'verify') ? await cli.client() : undefined;
  const path = await receiverPath(io);
  assertNoLoop(targets, path);
  await prune(io, USUAL_KEEP);
  const store = await openStore(io);
  const gate = newGate();
  let [shown, received, last] = [0, 0, io.clock.monotonic()];
  const early: Shown[] = [];
  let print = async (one: Shown): Promise<void> => void early.push(one);
  const receiver = await startReceiver<Shown | undefined>(io, {
    port,
    path,
    store,
    work: async (delivery: Delivery) => {
      received += 1;
      last = io.clock.monotonic();
      if (!isWanted(delivery)) return undefined;
      const summary = summaryOf(delivery);
      const forwards = await Promise.all(targets.map((url) => gate(() => forward(io, delivery, url))));
      return { ...summary, ...(await gate(() => verify(client, delivery))), forwards };
    },
    show: async (document) => {
      if (document === undefined || (count !== undefined && shown >= count)) return;
      shown += 1;
      await print(document);
    },
    onFault: (error) =>
      cli.warn(`deliveries are answered with 503, or not shown: ${codeOf(error) || messageOf(error)}`),
  });
  const address = addressOf(receiver.url, publicUrl);
  const start = io.clock.monotonic();
  const forget = await recordListener(io, receiver.url).catch((error) =>
    receiver.close().then(() => Promise.reject(error)),
  );
  try {
    const printNow = await printer(cli, address, { isVerified: client !== undefined, forwards: targets.length });
    // The list may grow meanwhile.
    for (const one of early) await printNow(one);
    print = printNow;
    const isEnded = () =>
      (count !== undefined && shown >= count) ||
      io.clock.monotonic() - last > idleMs ||
      (isLimited(given) && io.clock.monotonic() > cli.deadline) ||
      io.stdout.isClosed();
    let [isAdvised, tidied] = [false, start];
    while (!isEnded()) {
      await io.clock.sleep(LOOK_EVERY_MS, io.interrupted);
      const now = io.clock.monotonic();
      if (!isAdvised && received === 0 && now - start >= SILENT_MS) {
        isAdvised = true;
        await cli.printNote(howToTest(address));
      }
      if (now - tidied < TIDY_EVERY_MS) continue;
      tidied = now;
      await store.tidy().catch(() => undefined);
    }
  } finally {
    // A payment that is registered from here on does not get this address.
    await forget().catch(() => undefined);
    await receiver.close();
    await store.close();
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
