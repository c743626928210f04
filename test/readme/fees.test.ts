import { expect, it } from 'vitest';
import { EVM_CHAINS, findEvmChain, usualFeeOf } from '../../src/contract/chains.ts';
import { readDocument } from '../support/documents.ts';

const coinOf = (name: string): string => findEvmChain(name)?.coin ?? 'SOL';

it('the guide to safety lists the usual fees of every chain', () => {
  const expected = [...EVM_CHAINS.map(({ name }) => name), 'solana'].map((name) => {
    const { total, tipGwei } = usualFeeOf(name);
    return [name, `${total} ${coinOf(name)}`, tipGwei === undefined ? '' : `${tipGwei} gwei`];
  });
  const [, after = ''] = readDocument('docs/safety.md').split('\n## Usual fees\n');
  const [section = ''] = after.split('\n## ');
  const table = section.split('\n').filter((line) => line.startsWith('| '));
  const cells = table.map((line) => line.split('|').map((text) => text.trim())).map(([, ...row]) => row.slice(0, 3));
  expect(cells.slice(2, -1).map(([name = '', ...fees]) => [name.toLowerCase(), ...fees])).toEqual(expected);
  expect(cells.at(-1)).toEqual(['others', `${usualFeeOf('another').total} of their coin`, '']);
});
