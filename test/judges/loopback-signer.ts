import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Journey } from '../support/journey.ts';
import { readBody } from '../support/server.ts';

type Body = Readonly<Record<string, string>>;

type Answer = { readonly status: string; readonly data: unknown };

/** The facts that the payments of the flows state, by their executor. */
const STATEMENTS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  api_transaction: { 'amount-from': '10', 'from-currency-symbol': 'USDT' },
  order_transaction: { 'amount-from': '10.00', 'from-currency-symbol': 'BRL' },
};

const PAID = [
  '--payer-token-symbol',
  'USDT',
  '--chain-name',
  'polygon',
  '--to-chain',
  'polygon',
  '--to-currency-symbol',
  'USDT',
];

/** Signs with the keys `payer` and `savings` of a home, by the commands of the built program. */
const answersFor = (journey: Journey, receiver: string): Readonly<Record<string, (body: Body) => Promise<Answer>>> => {
  const json = async (args: readonly string[], stdin?: string) => {
    const { code, data } = await journey.json(args, stdin === undefined ? {} : { stdin });
    if (code !== 0) throw new Error(JSON.stringify(data));
    return data as Readonly<Record<string, unknown>>;
  };
  return {
    '/sign/payment': async ({ payment_id = '', pay_at_most }) => {
      const { executor_id } = await json(['pay', 'status', payment_id]);
      const facts = Object.entries(STATEMENTS[String(executor_id)] ?? {}).flatMap(([name, value]) => [
        `--${name}`,
        value,
      ]);
      const bound = pay_at_most === undefined ? [] : ['--pay-at-most', pay_at_most];
      const stated = [...facts, ...PAID, '--split', `${receiver}=100`, ...bound];
      return { status: 'payment_signed', data: await json(['pay', 'sign', payment_id, '--key', 'payer', ...stated]) };
    },
    '/sign/yield': async ({ transaction = '', kind = '', provider = '', asset = '', amount = '' }) => {
      const stated = ['--kind', kind, '--provider', provider, '--asset', asset, '--amount', amount];
      const signed = await json(['yield', 'sign', '--transaction', '-', '--key', 'savings', ...stated], transaction);
      const { signed_transaction: op_signed, hash, from } = signed;
      return { status: 'yield_signed', data: { op_signed, hash, from } };
    },
    '/sign/challenge': async ({ message = '' }) => {
      const { signature } = await json(['key', 'sign-message', 'payer', '--message', message]);
      return { status: 'challenge_signed', data: { signed_bytes: signature } };
    },
    '/read/code': async ({ email = '' }) => {
      const { emails } = (await journey.ask('GET', `/_sandbox/inbox?to=${encodeURIComponent(email)}`)) as {
        emails: readonly { code: string }[];
      };
      return { status: 'code_found', data: { code: emails[0]?.code } };
    },
    '/await/webhook': async ({ payment_id = '' }) => {
      const { events } = (await journey.ask('GET', `/_sandbox/events?payment_id=${payment_id}`)) as {
        events: readonly { payment_status: string }[];
      };
      const statuses = events.map((event) => event.payment_status);
      return {
        status: 'webhook_awaited',
        data: { state: statuses.includes('success') ? 'received' : 'missing', statuses },
      };
    },
  };
};

/** Answers the operations of the signer on loopback, for a runner of Arazzo that is not bursar. */
export const startLoopbackSigner = async (journey: Journey, receiver: string) => {
  const answers = answersFor(journey, receiver);
  const server = createServer((request, response) => {
    void (async () => {
      const work = answers[request.url ?? ''];
      const body = JSON.parse(await readBody(request)) as Body;
      const answer = (statusCode: number, fields: object) =>
        response
          .writeHead(statusCode, { 'content-type': 'application/json' })
          .end(JSON.stringify({ statusCode, success: statusCode < 300, message: '', ...fields }));
      try {
        answer(200, await (work as NonNullable<typeof work>)(body));
      } catch (error) {
        answer(403, { status: 'refused_by_review', message: String(error) });
      }
    })();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => new Promise((resolve) => server.close(resolve)),
  };
};
