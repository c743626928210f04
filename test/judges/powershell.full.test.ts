import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';
import { judged, judgesFile, loadJudge } from './tools.ts';

const SCRIPT = fileURLToPath(new URL('../../completions/bursar.ps1', import.meta.url));

const loadParser = async () => {
  const { Parser, Language } = await loadJudge('web-tree-sitter/web-tree-sitter.js');
  await Parser.init();
  const grammar = await readFile(judgesFile('tree-sitter-powershell/tree-sitter-powershell.wasm'));
  const parser = new Parser();
  parser.setLanguage(await Language.load(grammar));
  return (text: string): boolean => !parser.parse(text).rootNode.hasError;
};

judged('the tree-sitter grammar accepts the PowerShell completion script, and rejects half of it', async () => {
  const parses = await loadParser();
  const script = await readFile(SCRIPT, 'utf8');
  expect(parses(script)).toBe(true);
  expect(parses(script.slice(0, script.length / 2))).toBe(false);
});
