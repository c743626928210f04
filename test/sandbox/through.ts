/**
 * Where the judges put a validating proxy: with it every call of these tests but the control's goes through, and what
 * it objects to fails the test. See test/judges/prism.full.test.ts.
 */
const PROXY = process.env['BURSAR_TEST_THROUGH'];

/** Tells the proxy's far end which sandbox a call is for: there is one proxy, and a sandbox for each test. */
export const FOR_SANDBOX = 'x-test-sandbox';

type Violation = { readonly location: readonly string[]; readonly message: string };

/** The address and headers of a call. */
export const routed = (sandbox: string, path: string): { readonly url: string; readonly headers: object } =>
  PROXY === undefined || path.startsWith('/_sandbox')
    ? { url: sandbox + path, headers: {} }
    : { url: PROXY + path, headers: { [FOR_SANDBOX]: sandbox } };

/** A wrong request may be sent on purpose; a wrong answer, or a wrong request that succeeds, never is. */
export const assertNoViolation = (method: string, path: string, { status, headers }: Response): void => {
  const all: readonly Violation[] = JSON.parse(headers.get('sl-violations') ?? '[]');
  const wrong = all.filter(({ location }) => location[0] === 'response' || status < 400);
  if (headers.get('content-type')?.includes('problem+json')) throw new Error(`${method} ${path}: the proxy failed`);
  if (wrong.length === 0) return;
  const lines = wrong.map(({ location, message }) => `${location.join('.')}: ${message}`);
  throw new Error(`${method} ${path} answered ${status}, which violates the contract:\n${lines.join('\n')}`);
};
