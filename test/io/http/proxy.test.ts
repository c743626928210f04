import { describe, expect, it } from 'vitest';
import { proxyFor } from '../../../src/io/http/proxy.ts';

const shown = (address: string, env: Record<string, string>): string | undefined => {
  const choice = proxyFor(new URL(address), env);
  if (!choice) return undefined;
  return 'problem' in choice ? `problem: ${choice.problem}` : choice.proxy.shown;
};

const P = 'http://proxy.example:3128';
const HOST = 'https://api.example.com/v1';

describe('the proxy of the environment', () => {
  it.each([
    [{}, undefined],
    [{ HTTPS_PROXY: P }, P],
    [{ https_proxy: P }, P],
    [{ https_proxy: '', HTTPS_PROXY: P }, undefined],
    [{ https_proxy: P, HTTPS_PROXY: 'http://other.example' }, P],
    [{ ALL_PROXY: P }, P],
    [{ HTTP_PROXY: P }, undefined],
    [{ HTTPS_PROXY: 'proxy.example:3128' }, P],
    [{ HTTPS_PROXY: 'https://user:pass@proxy.example:3128' }, 'https://proxy.example:3128'],
    [{ HTTPS_PROXY: 'socks5://proxy.example' }, 'problem: only http and https proxies are supported, not socks5'],
    [{ HTTPS_PROXY: 'http://u:secret@' }, 'problem: the proxy in the environment is not a valid address'],
  ])('%j', (env, expected) => {
    expect(shown(HOST, env)).toBe(expected);
  });

  it('for plain http is HTTP_PROXY, but not for a CGI program, whose caller can set that', () => {
    expect(shown('http://node.example', { HTTP_PROXY: P })).toBe(P);
    expect(shown('http://node.example', { HTTP_PROXY: P, REQUEST_METHOD: 'GET' })).toBeUndefined();
    expect(shown('http://node.example', { http_proxy: P, REQUEST_METHOD: 'GET' })).toBe(P);
  });

  it.each([
    'https://localhost',
    'https://api.localhost',
    'https://127.0.0.1:8443',
    'https://127.9.9.9',
    'https://[::1]:8443',
    'https://[::ffff:127.0.0.1]',
    'http://localhost:80',
  ])('is never used for this machine: %s', (address) => {
    expect(shown(address, { HTTPS_PROXY: P, HTTP_PROXY: P, ALL_PROXY: P })).toBeUndefined();
  });

  it.each(['https://localhost.example', 'https://127.0.0.1.example', 'https://128.0.0.1'])(
    'is used for what only looks like this machine: %s',
    (address) => {
      expect(shown(address, { HTTPS_PROXY: P })).toBe(P);
    },
  );

  it.each([
    ['*', true],
    ['api.example.com', true],
    ['API.Example.COM', true],
    ['example.com', true],
    ['.example.com', true],
    ['*.example.com', true],
    ['ample.com', false],
    ['other.example, example.com', true],
    ['other.example example.com', true],
    ['example.com:443', true],
    ['example.com:8443', false],
    ['com.', true],
    ['', false],
    [',,', false],
    ['.', false],
  ])('NO_PROXY=%s', (list, isDirect) => {
    expect(shown(HOST, { HTTPS_PROXY: P, NO_PROXY: list }) === undefined).toBe(isDirect);
    expect(shown(HOST, { HTTPS_PROXY: P, no_proxy: list, NO_PROXY: 'x' }) === undefined).toBe(isDirect);
  });

  it.each([
    ['https://10.1.2.3', '10.0.0.0/8', true],
    ['https://11.1.2.3', '10.0.0.0/8', false],
    ['https://10.1.2.3', '10.1.2.3', true],
    ['https://10.1.2.3', '2.3', false],
    ['https://10.1.2.3', '10.0.0.0/99', false],
    ['https://[2001:db8::1]', '2001:db8::/32', true],
    ['https://[2001:db8::1]', '2001:db8::1', true],
    ['https://[2001:db8::1]:8443', '[2001:db8::1]:8443', true],
    ['https://[2001:db8::1]', '[2001:db8::1]:8443', false],
  ])('%s with NO_PROXY=%s', (address, list, isDirect) => {
    expect(shown(address, { HTTPS_PROXY: P, NO_PROXY: list }) === undefined).toBe(isDirect);
  });
});
