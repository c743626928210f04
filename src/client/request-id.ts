import type { HttpAnswer } from '../io/exchange.ts';

/** Headers by which services, gateways and clouds name a request; no document names one. The service's own come first. */
const NAMES = [
  'x-request-id',
  'request-id',
  'x-correlation-id',
  'x-trace-id',
  'x-amzn-requestid',
  'x-amz-request-id',
  'x-ms-request-id',
  'cf-ray',
];

/** A plain word of some length: anything else helps nobody to find the request. */
const IS_ID = /^[\w.:=/+@-]{1,128}$/;

/** The name that an answer gives its request, for who asks the service's operators about it; `undefined` where it has none. */
export const requestIdOf = ({ headers }: HttpAnswer): string | undefined =>
  NAMES.map((name) => headers[name]?.trim()).find((value) => value !== undefined && IS_ID.test(value));
