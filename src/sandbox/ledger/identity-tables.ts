import type { Generated } from 'kysely';

/** A person: known by an e-mail address, a wallet, or both. A wallet that is here was proven by a signature. */
export type KycUserTable = {
  id: string;
  email: string | null;
  wallet: string | null;
  email_verified: Generated<number>;
  status: string;
  is_blocklisted: Generated<number>;
  created_at: string;
};

/** A hosted verification session. */
export type KycSessionTable = {
  seq: Generated<number>;
  id: string;
  user_id: string;
  status: string;
  ip_info: string;
  created_at: string;
  expires_at: string;
};

/** An e-mail that the sandbox would have sent. */
export type InboxTable = {
  seq: Generated<number>;
  recipient: string;
  subject: string;
  text: string;
  code: string | null;
  sent_at: string;
};
