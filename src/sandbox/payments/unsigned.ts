import { exactNumber, parseJson, printJson } from '../../core/json.ts';
import type { BuiltTransfer } from '../chains/nodes.ts';

/** The unsigned transaction as the ledger keeps it and a payment shows it. Document: crypto_tx, without `meta`. */
export const unsignedFrom = (chainName: string, built: BuiltTransfer) => ({
  schema_version: 1,
  family: 'evm' as const,
  chain_name: chainName,
  transactionRequest: {
    from: built.from,
    to: built.to,
    data: built.data,
    // The document has value as a JSON number: in wei it is beyond what JavaScript's number holds.
    value: exactNumber(built.value.toString()),
    chainId: built.chainId,
    gasLimit: String(built.gasLimit),
    maxPriorityFeePerGas: String(built.maxPriorityFeePerGas),
    maxFeePerGas: String(built.maxFeePerGas),
    nonce: built.nonce,
  },
});

/** As `unsignedFrom` gives it. */
export type Unsigned = ReturnType<typeof unsignedFrom>;

/** JSON, as it is kept. */
export const writeUnsigned = (unsigned: Unsigned): string => printJson(unsigned);

/** Reads back what `writeUnsigned` wrote, every digit kept. */
export const readUnsigned = (text: string): Unsigned => parseJson(text) as Unsigned;
