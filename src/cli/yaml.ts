import { isScalar, parseDocument, stringify, visit } from 'yaml';
import { exactNumber } from '../core/json.ts';

const NUMBER = /^-?\d+(?:\.\d+)?$/;

/** Parses YAML. Numbers keep their digits, as JSON's do. Throws for what is no YAML. */
export const parseYaml = (text: string): unknown => {
  const document = parseDocument(text);
  const [error] = document.errors;
  if (error) throw error;
  visit(document, {
    Scalar: (_, node) => {
      const { source = '' } = node;
      if (!isScalar(node) || typeof node.value !== 'number' || source === String(node.value)) return;
      node.value = NUMBER.test(source) ? exactNumber(source) : source;
    },
  });
  return document.toJS({ maxAliasCount: 20 });
};

/** Prints YAML; what occurs twice is written twice. */
export const printYaml = (value: unknown): string => stringify(value, { aliasDuplicateObjects: false, lineWidth: 0 });
