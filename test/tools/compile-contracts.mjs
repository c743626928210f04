/**
 * Compiles the sandbox's contracts into src/sandbox/chains/contracts/artifacts.ts.
 * With --check it writes nothing, and exits with 1 if the committed file differs.
 */
import { readFileSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { Interface } from 'ethers';

const require = createRequire(import.meta.url);
const solc = require('solc');

const folder = fileURLToPath(new URL('../../src/sandbox/chains/contracts/', import.meta.url));
const artifactPath = `${folder}artifacts.ts`;
const NAMES = ['Splitter', 'TestToken'];

/** The bytecode contains no metadata, so the same sources give the same bytes in every folder. */
const settings = {
  evmVersion: 'cancun',
  optimizer: { enabled: true, runs: 200 },
  metadata: { bytecodeHash: 'none', appendCBOR: false },
  outputSelection: { '*': { '*': ['abi', 'evm.bytecode.object'] } },
};

const compile = async () => {
  const sources = {};
  for (const name of NAMES) sources[`${name}.sol`] = { content: await readFile(`${folder}${name}.sol`, 'utf8') };
  const readImport = (path) => ({ contents: readFileSync(require.resolve(path), 'utf8') });
  const input = JSON.stringify({ language: 'Solidity', sources, settings });
  const output = JSON.parse(solc.compile(input, { import: readImport }));
  const problems = output.errors ?? [];
  if (problems.length > 0) throw new Error(problems.map((problem) => problem.formattedMessage).join('\n'));
  return output.contracts;
};

const render = (contracts) => {
  const parts = NAMES.map((name) => {
    const { abi, evm } = contracts[`${name}.sol`][name];
    const lines = new Interface(abi).format().map((line) => `    '${line}',`);
    const constant = name[0].toLowerCase() + name.slice(1);
    return `export const ${constant} = {\n  abi: [\n${lines.join('\n')}\n  ],\n  bytecode:\n    '0x${evm.bytecode.object}',\n} as const;\n`;
  });
  return `// Written by test/tools/compile-contracts.mjs from the .sol files beside it; a test compares.\n\n${parts.join('\n')}`;
};

const rendered = render(await compile());
if (process.argv.includes('--check')) {
  if ((await readFile(artifactPath, 'utf8')) !== rendered) {
    process.stderr.write(
      'artifacts.ts is not what the contracts compile to: run node test/tools/compile-contracts.mjs\n',
    );
    process.exitCode = 1;
  }
} else await writeFile(artifactPath, rendered);
