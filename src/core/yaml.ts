import { isScalar, LineCounter, parseDocument, visit } from 'yaml';
import { exactNumber } from './json.ts';

const NUMBER = /^-?\d+(?:\.\d+)?$/;

/** YAML reads 010 as ten, other programs as eight, and JSON not at all. */
const LEADING_ZERO = /^-?0\d/;

/** Removes the quoted lines of the file from a parser message. */
const inOneLine = ({ message }: Error): Error => new Error(message.replace(/:?\n[\s\S]*$/, ''));

/** A document of YAML or JSON, and the line of each of its values. */
export type YamlDocument = {
  readonly value: unknown;
  /** The line of the value at a path, from 1; that of the nearest value around it, if there is none. */
  readonly lineOf: (path: readonly (string | number)[]) => number;
};

/** Parses YAML. Numbers keep their digits, as in JSON. Throws for invalid YAML, with line and column. */
export const readYaml = (text: string): YamlDocument => {
  const lineCounter = new LineCounter();
  const document = parseDocument(text, { lineCounter });
  const [error] = document.errors;
  if (error) throw inOneLine(error);
  visit(document, {
    Scalar: (_, node) => {
      const { source = '' } = node;
      if (!isScalar(node) || typeof node.value !== 'number' || source === String(node.value)) return;
      if (LEADING_ZERO.test(source)) {
        const { line, col } = lineCounter.linePos(node.range?.[0] ?? 0);
        throw new Error(`the number ${source} begins with 0 at line ${line}, column ${col}: put it in quotes as text`);
      }
      node.value = NUMBER.test(source) ? exactNumber(source) : source;
    },
  });
  const lineOf: YamlDocument['lineOf'] = (path) => {
    for (let depth = path.length; depth > 0; depth -= 1) {
      const node = document.getIn(path.slice(0, depth), true) as { readonly range?: readonly number[] } | undefined;
      const [start] = node?.range ?? [];
      if (start !== undefined) return lineCounter.linePos(start).line;
    }
    return 1;
  };
  return { value: document.toJS({ maxAliasCount: 20 }), lineOf };
};
