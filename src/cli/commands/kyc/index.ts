import { checkInput } from '../../../client/call.ts';
import { challenge } from '../../../contract/kyc/challenge.ts';
import { create } from '../../../contract/kyc/create.ts';
import { prepare } from '../../../contract/kyc/prepare.ts';
import { prepareWallet } from '../../../contract/kyc/prepare-wallet.ts';
import { sendOtp } from '../../../contract/kyc/send-otp.ts';
import type { Command } from '../../command/command.ts';
import { derive } from '../../command/derive.ts';
import { rememberCode } from './sent-codes.ts';
import { start } from './start.ts';
import { KYC_FIELDS, requireUser, status } from './status.ts';
import { verifyOtp } from './verify-otp.ts';
import { PUBLIC_KYC } from './walk.ts';
import { walletProve } from './wallet-prove.ts';

const WALLET = '0x1111111111111111111111111111111111111111';

/** The commands of `kyc`, in the order of the help. */
export const kyc: readonly Command[] = [
  derive(prepare, { fields: KYC_FIELDS, examples: ['kyc prepare --email payer@example.com'] }),
  derive(sendOtp, {
    fields: KYC_FIELDS,
    examples: ['kyc send-otp --email payer@example.com'],
    // A later kyc start then offers this code instead of sending a new one.
    after: async (cli, _, __, input) => {
      const { email } = checkInput(sendOtp, input);
      await rememberCode(cli.io, await cli.service(), String(email));
    },
  }),
  verifyOtp,
  derive(challenge, { fields: KYC_FIELDS, examples: [`kyc challenge --wallet ${WALLET}`] }),
  derive(prepareWallet, {
    fields: KYC_FIELDS,
    examples: [`kyc prepare-wallet --wallet ${WALLET} --message "$MESSAGE" --signed-bytes "$SIGNATURE"`],
  }),
  walletProve,
  derive(create, {
    fields: KYC_FIELDS,
    arguments: {
      kyc_type: {
        name: 'KYC_TYPE',
        usual: `${PUBLIC_KYC}, the public one`,
        description: 'Kind of verification',
        isOptional: true,
      },
    },
    complete: requireUser,
    defaults: { kyc_type: PUBLIC_KYC },
    examples: ['kyc create --email payer@example.com', `kyc create ${PUBLIC_KYC} --wallet ${WALLET}`],
  }),
  status,
  start,
];
