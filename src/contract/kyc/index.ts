import type { Endpoint } from '../define.ts';
import { challenge } from './challenge.ts';
import { create } from './create.ts';
import { prepare } from './prepare.ts';
import { prepareWallet } from './prepare-wallet.ts';
import { sendOtp } from './send-otp.ts';
import { status } from './status.ts';
import { verifyOtp } from './verify-otp.ts';

/** The endpoints of this area, in the document's order. */
export const KYC_ENDPOINTS: readonly Endpoint[] = [
  prepare,
  challenge,
  prepareWallet,
  sendOtp,
  verifyOtp,
  create,
  status,
];
