#!/usr/bin/env node
'use strict';
// CommonJS, as what the build makes: Node starts it without its loader of ES modules.
const { existsSync } = require('node:fs');
const path = require('node:path');

const program = path.join(__dirname, '../dist/main.js');
if (existsSync(program)) {
  require(program).main(process, __filename);
} else {
  process.stderr.write('bursar is not built yet: npm ci --ignore-scripts && npm run build\n');
  process.exitCode = 1;
}
