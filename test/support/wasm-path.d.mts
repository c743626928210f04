import type { Plugin } from 'esbuild';

export const installedWasm: Plugin;
