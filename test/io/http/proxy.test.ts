import { describe, expect, it } from 'vitest';
import { proxyFor } from '../../../src/io/http/proxy.ts';

const proxyText = (address: string, env: Record<string, string>): string | undefined => {
  const choice = proxyFor(new URL(address), env);
  if (!choice) return undefined;
  return 'problem' in choice ? `problem: ${choice.problem}` : choice.proxy.shown;
};

const PROXY = 'http://proxy.example:3128';
const HOST = 'https://api.example.com/v1';

describe('the proxy from the environment', () => {
  it.each([
    [{}, undefined],
    [{ HTTPS_PROXY: PROXY }, PROXY],
    [{ https_proxy: PROXY }, PROXY],
    [{ https_proxy: '', HTTPS_PROXY: PROXY }, undefined],
    [{ https_proxy: PROXY, HTTPS_PROXY: 'http://other.example' }, PROXY],
    [{ ALL_PROXY: PROXY }, PROXY],
    [{ HTTP_PROXY: PROXY }, undefined],
    [{ HTTPS_PROXY: 'proxy.example:3128' }, PROXY],
    [{ HTTPS_PROXY: 'https://user:pass@proxy.example:3128' }, 'https://proxy.example:3128'],
    [{ HTTPS_PROXY: 'socks5://proxy.example' }, 'problem: only http and https proxies are supported, not socks5'],
    [{ HTTPS_PROXY: 'http://u:secret@' }, 'problem: the proxy in the environment is not a valid address'],
  ])('with %j is %s', (env, expected) => {
    expect(proxyText(HOST, env)).toBe(expected);
  });

  it('for plain http is HTTP_PROXY, except in a CGI program, where a request header can set HTTP_PROXY', () => {
    expect(proxyText('http://node.example', { HTTP_PROXY: PROXY })).toBe(PROXY);
    expect(proxyText('http://node.example', { HTTP_PROXY: PROXY, REQUEST_METHOD: 'GET' })).toBeUndefined();
    expect(proxyText('http://node.example', { http_proxy: PROXY, REQUEST_METHOD: 'GET' })).toBe(PROXY);
  });

  it.each([
    'https://localhost',
    'https://api.localhost',
    'https://127.0.0.1:8443',
    'https://127.9.9.9',
    'https://[::1]:8443',
    'https://[::ffff:127.0.0.1]',
    'http://localhost:80',
  ])('is not used for a loopback address: %s', (address) => {
    expect(proxyText(address, { HTTPS_PROXY: PROXY, HTTP_PROXY: PROXY, ALL_PROXY: PROXY })).toBeUndefined();
  });

  it.each(['https://localhost.example', 'https://127.0.0.1.example', 'https://128.0.0.1'])(
    'is used for an address that only resembles loopback: %s',
    (address) => {
      expect(proxyText(address, { HTTPS_PROXY: PROXY })).toBe(PROXY);
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
  ])('with NO_PROXY=%s is not used: %s', (list, isDirect) => {
    expect(proxyText(HOST, { HTTPS_PROXY: PROXY, NO_PROXY: list }) === undefined).toBe(isDirect);
    expect(proxyText(HOST, { HTTPS_PROXY: PROXY, no_proxy: list, NO_PROXY: 'x' }) === undefined).toBe(isDirect);
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
  ])('for %s with NO_PROXY=%s is not used: %s', (address, list, isDirect) => {
    expect(proxyText(address, { HTTPS_PROXY: PROXY, NO_PROXY: list }) === undefined).toBe(isDirect);
  });
});
