#!/usr/bin/env node
'use strict';
// CommonJS, as what the build makes: Node starts it without its loader of ES modules.

/** The oldest Node that runs the program, as `engines` of package.json has it. */
const OLDEST = [20, 19];
/** Exit code for a command line or an environment that cannot work; src/core/exit-codes.ts calls it `usage`. */
const UNUSABLE = 2;

const isSupported = (version) => {
  const [major, minor] = version.split('.').map(Number);
  return major > OLDEST[0] || (major === OLDEST[0] && minor >= OLDEST[1]);
};

const start = () => {
  const { existsSync } = require('node:fs');
  const path = require('node:path');
  const program = path.join(__dirname, '../dist/main.js');
  if (existsSync(program)) {
    require(program).main(process, __filename);
  } else {
    process.stderr.write('bursar is not built yet: npm ci --ignore-scripts && npm run build\n');
    process.exitCode = 1;
  }
};

// The check stands before anything is loaded, in syntax that old versions of Node parse.
if (isSupported(process.versions.node)) {
  start();
} else {
  const found = `Node ${process.versions.node} (${process.execPath})`;
  process.stderr.write(
    `error: bursar needs Node ${OLDEST.join('.')} or newer; this is ${found}. Get one: https://nodejs.org/en/download\n`,
  );
  process.exitCode = UNUSABLE;
}
