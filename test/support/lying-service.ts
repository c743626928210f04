import { Transaction } from 'ethers';
import type { Meddler } from './journey.ts';

type Envelope = { success: boolean; status: string; statusCode: number; data: Record<string, unknown> };

type Executed = { readonly payment_id: string; readonly signed_transaction: string };

/** Replaces the answer to execute. `forward` sends the signed bytes to the sandbox. */
export const onExecute =
  (answer: (body: Executed, forward: () => Promise<unknown>) => unknown): Meddler =>
  async ({ path, body }, forward) => {
    if (!path.endsWith('/on-chain')) return forward();
    const envelope = (await answer(JSON.parse(body), forward)) as { statusCode: number };
    return { status: envelope.statusCode, body: JSON.stringify(envelope) };
  };

/** Replaces fields of a payment in the answers to status. */
export const showing =
  (change: Readonly<Record<string, unknown>>): Meddler =>
  async ({ method, path }, forward) => {
    const answer = await forward();
    if (method !== 'GET' || !path.endsWith('/status')) return answer;
    const envelope = JSON.parse(answer.body) as Envelope;
    return { ...answer, body: JSON.stringify({ ...envelope, data: { ...envelope.data, ...change } }) };
  };

/** Joins two meddlers. The first calls the second when it forwards. */
export const both =
  (first: Meddler, second: Meddler): Meddler =>
  (request, forward, response) =>
    first(request, async () => (await second(request, forward, response)) ?? { status: 500, body: '' }, response);

/** A service that confirms every payment, returns the status success with the right hash, and broadcasts nothing. */
export const lyingService = (): { readonly meddler: Meddler; readonly seen: { hash: string } } => {
  const seen = { hash: '' };
  const confirm = onExecute(({ payment_id, signed_transaction }) => {
    seen.hash = Transaction.from(signed_transaction).hash ?? '';
    const data = { id: payment_id, tid_hash: seen.hash };
    return { statusCode: 200, success: true, status: 'payment_confirmed', message: 'Confirmed.', data };
  });
  const lie: Meddler = (...args) => both(showing({ status: 'success', tid_hash: seen.hash }), confirm)(...args);
  return { meddler: (...args) => (seen.hash ? lie(...args) : confirm(...args)), seen };
};
