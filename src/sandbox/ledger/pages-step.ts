import type { Step } from './step.ts';

/** Payments of all tenants by their time, as the dashboard lists them. */
export const PAGES_STEP: Step = {
  number: 400,
  sql: 'CREATE INDEX payments_by_time ON payments (created_at, id);',
};
