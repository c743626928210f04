import { fileURLToPath } from 'node:url';

const LIB = fileURLToPath(new URL('../../node_modules/tiny-secp256k1/lib/', import.meta.url));

/** A plugin for bundles of tests, which have no WebAssembly beside them: libsecp256k1 is read where it is installed. */
export const installedWasm = {
  name: 'installed-wasm',
  setup: ({ onLoad }) => {
    onLoad({ filter: /tiny-secp256k1[\\/]lib[\\/]wasm_path\.js$/ }, () => ({
      contents: `export const path = (name) => ${JSON.stringify(LIB)} + name;`,
    }));
  },
};
