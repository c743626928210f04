import type { Client } from '../../../client/call.ts';
import { PAYMENT_STATUSES } from '../../../contract/pay/shared.ts';
import { amended, codeOf, Failure, isFailure, messageOf, valueOn } from '../../../core/failure.ts';
import { commandLine, nextStep } from '../../../core/next.ts';
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
import { isLimited } from '../../print/watch.ts';
import { openPrinter, type Printer, type Shown } from './live-table.ts';
import { FORWARD_TO, newUnaccepted, STATUS, statusFilter, summaryOf, targetsIn } from './shared.ts';

const READ_WITHIN_MS = 30_000;

const ENDS: readonly unknown[] = ['success', 'error'];

const ORDER: readonly unknown[] = PAYMENT_STATUSES;

/** Whether a payment that the service shows with a status had the status of the payload, now or before. */
const hasReached = (service: string, payload: string | null): boolean =>
  service === payload ||
  (ORDER.includes(payload) && !ENDS.includes(payload) && ORDER.indexOf(service) > ORDER.indexOf(payload));

/** Reads the payment of a payload back: a delivery is a hint, and everybody with the address can send one. */
const verify = async (client: Client | undefined, delivery: Delivery) => {
  const { payment_id, status } = hintIn(delivery);
  if (client === undefined || payment_id === null) return { verified: null };
  // The time of one command is over long before the end of a receiver.
  const deadline = client.io.clock.monotonic() + READ_WITHIN_MS;
  // A delivery is shown without its check also if Ctrl-C ends the check.
  const payment = await readPayment({ ...client, deadline }, payment_id).catch(valueOn(isFailure, undefined));
  if (payment === undefined) return { verified: null };
  return { verified: hasReached(payment.status, status), service_status: payment.status };
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

/** Where the deliveries may be that did not arrive here. */
const whereElse = async (cli: CommandContext, address: string) => {
  const isSandbox = await cli.selection().then(
    ({ as }) => as === 'sandbox',
    () => false,
  );
  const { readAddress } = await import('../../../sandbox/address.ts');
  const events = isSandbox || (await readAddress(cli.io)) !== undefined;
  return {
    hint: `The service sends webhooks to the webhook_url of each payment. The address of this receiver is ${address}`,
    next: nextStep(events ? 'sandbox.events' : 'webhook.list'),
  };
};

const run = async (cli: CommandContext, given: ParsedArgs): Promise<void> => {
  const { io } = cli;
  // A wrong profile is found now, and not when the receiver ends.
  await cli.selection();
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
  const [gate, unaccepted] = [newGate(), newUnaccepted()];
  let [counted, shown, received, last] = [0, 0, 0, io.clock.monotonic()];
  const early: ((printer: Printer) => Promise<void>)[] = [];
  let print = async (one: (printer: Printer) => Promise<void>): Promise<void> => void early.push(one);
  const waits = targets.length > 0 || client !== undefined;
  const receiver = await startReceiver<Shown | undefined>(io, {
    port,
    path,
    store,
    work: async (delivery: Delivery) => {
      received += 1;
      last = io.clock.monotonic();
      if (!isWanted(delivery)) return undefined;
      const summary = summaryOf(delivery);
      const isShown = counted++ < (count ?? Number.POSITIVE_INFINITY);
      const beginning = isShown && waits ? print(({ begin }) => begin(summary)) : undefined;
      // A full disk behind stdout stops no forward.
      beginning?.catch(() => undefined);
      const forwards = await Promise.all(targets.map((url) => gate(() => forward(io, delivery, url))));
      unaccepted.add(delivery, forwards);
      const document = { ...summary, ...(await gate(() => verify(client, delivery))), forwards };
      await beginning;
      if (!isShown) return undefined;
      await print(({ end }) => end(document));
      return document;
    },
    show: async (document) => {
      if (document === undefined) return;
      shown += 1;
      await print(({ endInOrder }) => endInOrder(document));
    },
    onFault: async (error) => {
      await cli.warn(`deliveries are answered with 503, or not shown: ${codeOf(error) || messageOf(error)}`);
      await print(async ({ warned }) => warned());
    },
  });
  const address = addressOf(receiver.url, publicUrl);
  const start = io.clock.monotonic();
  const forget = await recordListener(io, receiver.url).catch((error) =>
    receiver.close().then(() => Promise.reject(error)),
  );
  const receive = async (): Promise<void> => {
    const printer = await openPrinter(cli, address, { isVerified: client !== undefined, forwards: targets.length });
    // The list may grow meanwhile.
    for (const one of early) await one(printer);
    print = (one) => one(printer);
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
  };
  const withKept = (failure: Failure): Failure => {
    const kept = unaccepted.inWords();
    if (kept === undefined) return failure;
    return new Failure('interrupted', `interrupted; ${kept}`, { next: unaccepted.replay(given) });
  };
  const receiveAndClose = async (): Promise<void> => {
    try {
      await receive();
    } finally {
      // A payment that is registered from here on does not get this address.
      await forget().catch(() => undefined);
      await receiver.close();
      await store.close();
    }
  };
  await receiveAndClose().catch(amended(withKept, 'interrupted'));
  const kept = unaccepted.inWords();
  if (kept !== undefined) await cli.printNote(`${kept}\nnext: ${commandLine(unaccepted.replay(given))}`);
  if (count === undefined || shown >= count || io.stdout.isClosed()) return;
  const message = `${shown} of ${count} deliveries arrived before the wait ended`;
  throw new Failure('not_final', message, await whereElse(cli, address));
};

/** `webhook listen`. */
export const listen: Command = {
  words: ['webhook', 'listen'],
  summary: 'Receive webhooks on this machine, and keep them',
  about: [
    'Listens on loopback under a path that nobody can guess, and prints the address to register as webhook_url.',
    'Each delivery is on the disk before it is answered, so that none that was answered is lost.',
    'A delivery is a hint: the service does not document its payload, and does not sign it. --verify reads the payment back.',
    'In a pipe each delivery is a line of JSON. While it waits for its forward, a line {"received": ...} comes before.',
    'Deliveries are kept for 7 days, and at most 100 MB of them.',
    'While it runs, new payments of the sandbox have its address as webhook_url, unless you state another.',
    'Ends after --count, --idle or --timeout; with exit code 8 if fewer than --count arrived.',
  ],
  options: [
    { flag: '--port', value: 'N', usual: 'any free port', description: 'Port on this machine' },
    FORWARD_TO,
    STATUS,
    { flag: '--verify', description: "Read each payment back: has the service the payload's status, or a later one?" },
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
  isStream: true,
  examples: [
    'webhook listen',
    'webhook listen --forward-to http://127.0.0.1:3000/hook --verify',
    'webhook listen --count 1 --timeout 60',
  ],
  run,
};
