import { describe, expect, it } from 'vitest';
import { pageAddress } from '../../src/core/web-address.ts';

const LOCAL_SERVICE = 'http://127.0.0.1:4000/v1';

describe('pageAddress accepts an address from the service', () => {
  it.each([
    ['https://verify.example/s/1?x=1#a', 'https://verify.example/s/1?x=1#a'],
    ['HTTPS://Verify.Example', 'https://verify.example/'],
    ['http://127.0.0.1:4000/kyc', 'http://127.0.0.1:4000/kyc'],
    ['http://localhost/kyc', 'http://localhost/kyc'],
    ['http://[::1]:80/kyc', 'http://[::1]/kyc'],
    ['https://bücher.example/', 'https://xn--bcher-kva.example/'],
  ])('%s, and returns the form that a browser writes: %s', (text, written) => {
    expect(pageAddress(text, LOCAL_SERVICE)).toBe(written);
  });
});

describe('pageAddress rejects an address from the service', () => {
  it.each([
    ['that is a script', 'javascript:alert(1)'],
    ['that is a script with a tab, which browsers remove', 'java\tscript:alert(1)'],
    ['that is a file', 'file:///etc/passwd'],
    ['that is a data URL', 'data:text/html,<script>1</script>'],
    ['with http on another machine', 'http://verify.example/'],
    ['with http and a host that starts with 127.0.0.1', 'http://127.0.0.1.evil.example/'],
    ['with http and a host that starts with localhost', 'http://localhost.evil.example/'],
    ['with a user name that looks like a host', 'https://bank.example@evil.example/'],
    ['with a password', 'https://:pw@evil.example/'],
    ['with an escape sequence', 'https://verify.example/\u001b[2J'],
    ['with a character that reverses text', 'https://verify.example/\u202egnp.exe'],
    ['with a newline', 'https://verify.example/\nsecond'],
    ['with a space in front', ' https://verify.example/'],
    ['that is an option', '--help'],
    ['that is a path', '/usr/bin/id'],
    ['with the scheme of a system program', 'ms-settings:x'],
    ['that is empty', ''],
    ['that is a number', 7],
    ['that is longer than a browser accepts', `https://verify.example/${'a'.repeat(3000)}`],
  ])('%s', (_, text) => {
    expect(pageAddress(text, LOCAL_SERVICE)).toBeUndefined();
  });
});

describe('pageAddress with a service on another machine', () => {
  it.each(['http://127.0.0.1:4000/kyc', 'http://localhost/', 'http://[::1]/', 'http://127.1/', 'https://localhost/'])(
    'rejects %s, an address on this machine',
    (text) => {
      expect(pageAddress(text, 'https://api.example/v1')).toBeUndefined();
      expect(pageAddress(text, LOCAL_SERVICE)).toBeDefined();
    },
  );

  it('accepts an https page of the service', () => {
    expect(pageAddress('https://verify.example/s/1', 'https://api.example/v1')).toBe('https://verify.example/s/1');
  });
});
