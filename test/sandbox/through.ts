/**
 * The URL of a validating proxy, set by test/judges/prism.full.test.ts. All calls except those of the control then pass
 * through the proxy, and each violation of the contract that it reports fails the test.
 */
const PROXY = process.env['BURSAR_TEST_THROUGH'];

/** The header that names the sandbox of a call: there is one proxy, and each test has its own sandbox. */
export const FOR_SANDBOX = 'x-test-sandbox';

type Violation = { readonly location: readonly string[]; readonly message: string };

/** The URL and additional headers of a call, directly or through the proxy. */
export const routed = (sandbox: string, path: string): { readonly url: string; readonly headers: object } =>
  PROXY === undefined || path.startsWith('/_sandbox')
    ? { url: sandbox + path, headers: {} }
    : { url: PROXY + path, headers: { [FOR_SANDBOX]: sandbox } };

/** Throws for an answer that violates the contract, and for a wrong request that succeeds. Tests may send wrong requests. */
export const assertNoViolation = (method: string, path: string, { status, headers }: Response): void => {
  const violations: readonly Violation[] = JSON.parse(headers.get('sl-violations') ?? '[]');
  const unexpected = violations.filter(({ location }) => location[0] === 'response' || status < 400);
  if (headers.get('content-type')?.includes('problem+json')) throw new Error(`${method} ${path}: the proxy failed`);
  if (unexpected.length === 0) return;
  const lines = unexpected.map(({ location, message }) => `${location.join('.')}: ${message}`);
  throw new Error(`${method} ${path} answered ${status}, which violates the contract:\n${lines.join('\n')}`);
};
