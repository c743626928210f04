import type { Step } from './step.ts';

/** Users of the identity verification, what proves them, their sessions, and the e-mails they were sent. */
export const IDENTITY_STEP: Step = {
  number: 101,
  sql: `
  CREATE TABLE kyc_users (
    id TEXT PRIMARY KEY,
    email TEXT UNIQUE,
    wallet TEXT UNIQUE,
    email_verified INTEGER NOT NULL DEFAULT 0,
    status TEXT NOT NULL,
    is_blocklisted INTEGER NOT NULL DEFAULT 0,
    created_at TEXT NOT NULL,
    CHECK (email IS NOT NULL OR wallet IS NOT NULL)
  ) STRICT;

  CREATE TABLE kyc_sessions (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    user_id TEXT NOT NULL REFERENCES kyc_users (id),
    status TEXT NOT NULL,
    ip_info TEXT NOT NULL,
    created_at TEXT NOT NULL,
    expires_at TEXT NOT NULL
  ) STRICT;
  CREATE INDEX kyc_sessions_by_user ON kyc_sessions (user_id, seq);
  CREATE INDEX kyc_sessions_by_time ON kyc_sessions (created_at);
  CREATE INDEX kyc_sessions_by_status ON kyc_sessions (status, expires_at);

  CREATE TABLE wallet_challenges (
    message TEXT PRIMARY KEY,
    wallet TEXT NOT NULL,
    purpose TEXT NOT NULL,
    expires_at TEXT NOT NULL
  ) STRICT;

  CREATE TABLE email_codes (
    email TEXT PRIMARY KEY,
    code TEXT NOT NULL,
    wrong_answers INTEGER NOT NULL,
    expires_at TEXT NOT NULL
  ) STRICT;

  CREATE TABLE inbox (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    recipient TEXT NOT NULL,
    subject TEXT NOT NULL,
    text TEXT NOT NULL,
    code TEXT,
    sent_at TEXT NOT NULL
  ) STRICT;
  CREATE INDEX inbox_by_recipient ON inbox (recipient, seq);
  `,
};
