import { describe, expect, it } from 'vitest';
import { pageAddress } from '../../src/core/web-address.ts';

const HERE = 'http://127.0.0.1:4000/v1';

describe('an address that a service names is opened', () => {
  it.each([
    ['https://verify.example/s/1?x=1#a', 'https://verify.example/s/1?x=1#a'],
    ['HTTPS://Verify.Example', 'https://verify.example/'],
    ['http://127.0.0.1:4000/kyc', 'http://127.0.0.1:4000/kyc'],
    ['http://localhost/kyc', 'http://localhost/kyc'],
    ['http://[::1]:80/kyc', 'http://[::1]/kyc'],
    ['https://bücher.example/', 'https://xn--bcher-kva.example/'],
  ])('%s: as a browser writes it, so that another script cannot look like it', (text, written) => {
    expect(pageAddress(text, HERE)).toBe(written);
  });
});

describe('an address that a service names is never opened', () => {
  it.each([
    ['a script', 'javascript:alert(1)'],
    ['a script behind a tab that a browser drops', 'java\tscript:alert(1)'],
    ['a file', 'file:///etc/passwd'],
    ['data', 'data:text/html,<script>1</script>'],
    ['http elsewhere', 'http://verify.example/'],
    ['http at a name that begins like this machine', 'http://127.0.0.1.evil.example/'],
    ['http at a name that begins like localhost', 'http://localhost.evil.example/'],
    ['a host hidden behind a user', 'https://bank.example@evil.example/'],
    ['a password', 'https://:pw@evil.example/'],
    ['an escape sequence', 'https://verify.example/\u001b[2J'],
    ['a character that turns text round', 'https://verify.example/\u202egnp.exe'],
    ['a newline', 'https://verify.example/\nsecond'],
    ['a space', ' https://verify.example/'],
    ['an option', '--help'],
    ['a path', '/usr/bin/id'],
    ['a program of the system', 'ms-settings:x'],
    ['nothing', ''],
    ['a number', 7],
    ['more than a browser takes', `https://verify.example/${'a'.repeat(3000)}`],
  ])('%s', (_, text) => {
    expect(pageAddress(text, HERE)).toBeUndefined();
  });
});

describe('a service that is elsewhere has nothing of this machine opened', () => {
  it.each(['http://127.0.0.1:4000/kyc', 'http://localhost/', 'http://[::1]/', 'http://127.1/', 'https://localhost/'])(
    '%s',
    (text) => {
      expect(pageAddress(text, 'https://api.example/v1')).toBeUndefined();
      expect(pageAddress(text, HERE)).toBeDefined();
    },
  );

  it('and its own https pages still are', () => {
    expect(pageAddress('https://verify.example/s/1', 'https://api.example/v1')).toBe('https://verify.example/s/1');
  });
});
