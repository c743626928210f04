import { warmUpSigning } from '../../../chain/evm/signing-key.ts';

export { runPayment } from '../../../flows/pay/run.ts';
export { startPayment } from './context.ts';

// This module loads while the key is unlocked, so the warm-up costs no time.
warmUpSigning();
