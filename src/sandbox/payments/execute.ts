import { EXECUTABLE_STATUSES } from '../../contract/pay/shared.ts';
import { isSameText } from '../../core/text.ts';
import { findPayment, type PaymentRow } from '../ledger/payments.ts';
import { readDisabledChains } from '../ledger/settings.ts';
import { describeError, log } from '../log.ts';
import type { Services } from '../services.ts';
import { bridgedPlan, movePayment, type PaymentInProgress } from './settle.ts';
import { checkSigned, readUnsigned, type SignerOf, signerHere, type UnsignedTransaction } from './signed.ts';

/** The result of an execution that sends nothing. */
const refuse = <const S extends string>(status: S, message: string) => ({ status, message });

const wrongState = (status: string) =>
  refuse('invalid_payment_status', `The payment is ${status}: only registered and retry can be executed.`);

/** The next nonce of the payer; `undefined` when the node cannot be reached. */
const nextNonce = async (
  services: Services,
  { chain_name, transactionRequest }: UnsignedTransaction,
): Promise<number | undefined> => {
  try {
    return await (await services.node(chain_name)).nonce(transactionRequest.from);
  } catch (error) {
    await log(services.io, `the node of ${chain_name} cannot be reached: ${describeError(error)}`);
    return undefined;
  }
};

/** Recovers a signer by the node, which decides on signatures and is faster. Without the node this process recovers it. */
const signerBy =
  (services: Services, { chain_name }: UnsignedTransaction): SignerOf =>
  async (digest, signature) => {
    try {
      return await (await services.node(chain_name)).signerOf(digest, signature);
    } catch {
      return signerHere(digest, signature);
    }
  };

const checkNonce = async (
  services: Services,
  row: PaymentRow,
  unsigned: UnsignedTransaction,
  next: number | undefined,
) => {
  const { nonce } = unsigned.transactionRequest;
  if (next === undefined) {
    const message = `The node of ${unsigned.chain_name} cannot be reached. Nothing was sent.`;
    return refuse('blockchain_transaction_failed', message);
  }
  if (next === nonce) return undefined;
  await movePayment(services, { id: row.id, statuses: EXECUTABLE_STATUSES }, { status: 'retry' });
  return refuse('stale_transaction_nonce', `The transaction has nonce ${nonce}, and the payer's next one is ${next}.`);
};

/** Saves the signed transaction and changes the payment to `processing`. Returns `false` if another caller was first. */
const claim = (services: Services, row: PaymentRow, raw: string): Promise<boolean> =>
  movePayment(
    services,
    { id: row.id, statuses: EXECUTABLE_STATUSES, unsigned_tx: row.unsigned_tx ?? '' },
    { status: 'processing', signed_tx: raw },
  );

/**
 * Executes a payment. A refused execution sends nothing. Assumption: the order of the checks is state, unsigned
 * transaction, chain, signature and equality, nonce. Then the signed transaction is saved, and only then `finish` sends
 * it and stores the result.
 */
export const executePayment = async <E>(
  services: Services,
  tenant: string,
  id: string,
  raw: string,
  finish: (services: Services, payment: PaymentInProgress) => Promise<E>,
) => {
  const ledger = await services.ledger();
  const row = await findPayment(ledger, tenant, id);
  if (!row) return refuse('payment_not_found', 'There is no such payment.');
  if (!EXECUTABLE_STATUSES.includes(row.status)) return wrongState(row.status);
  if (row.unsigned_tx === null) return refuse('missing_unsigned_transaction', 'Create the payer transaction first.');
  const unsigned = readUnsigned(row.unsigned_tx);
  const disabled = await readDisabledChains(ledger);
  const off = [unsigned.chain_name, row.to_chain].find((chain) => disabled.some((each) => isSameText(each, chain)));
  if (off !== undefined) return refuse('invalid_chain', `The chain ${off} is not enabled.`);
  const next = nextNonce(services, unsigned);
  const checked = await checkSigned(raw, unsigned, signerBy(services, unsigned));
  if (!checked.ok)
    return refuse('invalid_signed_transaction', `The signed transaction was refused: ${checked.message}.`);
  const stale = await checkNonce(services, row, unsigned, await next);
  if (stale) return stale;
  if (!(await claim(services, row, raw))) return wrongState('being executed or was changed');
  return finish(services, { id, chain: unsigned.chain_name, raw, hash: checked.hash, bridged: bridgedPlan(row) });
};
