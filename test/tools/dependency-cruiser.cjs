/** The rule of imports, as `src/README.md` states it. */
const room = (name) => `^src/${name}/`;
const only = (name, rooms) => ({
  name: `${name}-imports`,
  comment: `${name} imports only ${[...rooms, 'itself'].join(', ')}`,
  severity: 'error',
  from: { path: room(name) },
  to: { path: '^src/', pathNot: [name, ...rooms].map(room) },
});
const door = (name, packages, rooms) => ({
  name: `${name}-door`,
  comment: `${packages} only in ${rooms.join(', ')}`,
  severity: 'error',
  from: { path: '^src/', pathNot: rooms.map(room) },
  to: { path: `^node_modules/(?:${packages})/` },
});

const MIDDLE = ['client', 'chain', 'keystore', 'journal', 'output'];

module.exports = {
  forbidden: [
    only('core', []),
    only('contract', ['core']),
    only('io', ['core']),
    ...MIDDLE.map((name) => only(name, ['core', 'contract', 'io'])),
    only('flows', ['core', 'contract', 'io', ...MIDDLE]),
    only('smoke', ['core', 'contract', 'io', ...MIDDLE]),
    only('webhook', ['core', 'contract', 'io', ...MIDDLE]),
    only('bulk', ['core', 'contract', 'io', ...MIDDLE, 'flows']),
    only('sandbox', ['core', 'contract', 'io']),
    only('kit', ['core', 'contract', 'io', 'client', 'sandbox']),
    {
      name: 'kit-knows-the-launcher',
      comment: 'kit imports only the launcher of the sandbox',
      severity: 'error',
      from: { path: room('kit') },
      to: { path: room('sandbox'), pathNot: '^src/sandbox/launcher\\.ts$' },
    },
    { name: 'nothing-imports-kit', severity: 'error', from: { pathNot: room('kit') }, to: { path: room('kit') } },
    {
      name: 'sandbox-is-loaded-on-use',
      comment: 'only a dynamic import loads the sandbox',
      severity: 'error',
      from: { path: '^src/', pathNot: room('sandbox') },
      to: { path: room('sandbox'), dynamic: false, dependencyTypesNot: ['type-only'] },
    },
    door('chains', 'ethers|@solana/web3\\.js|tweetnacl|bs58', ['chain', 'keystore', 'sandbox']),
    door('signatures', 'tiny-secp256k1', ['chain']),
    {
      name: 'libsecp256k1-is-loaded-on-use',
      comment: 'only a dynamic import loads tiny-secp256k1',
      severity: 'error',
      from: { path: room('chain') },
      to: { path: '^node_modules/tiny-secp256k1/', dynamic: false, dependencyTypesNot: ['type-only'] },
    },
    door('hosts', 'tldts', ['chain']),
    door('sandbox', 'hono|@hono|kysely|libsql|litesvm|@foundry-rs', ['sandbox']),
    door('io', 'undici|inquirer|ora|conf|open', ['io']),
    door('database', 'pg', ['journal']),
    {
      name: 'pg-is-loaded-on-use',
      comment: 'only a dynamic import loads the journal in PostgreSQL; the queue is loaded by one too',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/(?:journal/postgres|bulk/queue)/' },
      to: {
        path: '^src/journal/postgres/',
        pathNot: '/address\\.ts$',
        dynamic: false,
        dependencyTypesNot: ['type-only'],
      },
    },
    door('bulk', 'csv-parse|p-limit|pg-boss', ['bulk']),
    {
      name: 'csv-parse-is-loaded-on-use',
      comment: 'only a dynamic import loads csv-parse',
      severity: 'error',
      from: { path: room('bulk') },
      to: { path: '^node_modules/csv-parse/', dynamic: false, dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'machine-door',
      comment: 'only io and the sandbox use files, processes and the network',
      severity: 'error',
      from: { path: '^src/', pathNot: ['io', 'sandbox'].map(room) },
      to: { path: '^(?:node:)?(?:fs|fs/promises|child_process|http|https|net|tls|os|readline)$' },
    },
    door('cli', 'commander', ['cli']),
    door('output', 'chalk|jq-wasm', ['output']),
    {
      name: 'no-circles',
      severity: 'error',
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    },
    { name: 'no-unresolved', severity: 'error', from: {}, to: { couldNotResolve: true } },
  ],
  options: {
    parser: 'swc',
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'node', 'default'] },
  },
};
