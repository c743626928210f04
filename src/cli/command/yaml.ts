import { Document, type Scalar, type ScalarTag, stringify, visit } from 'yaml';
import { isExactNumber } from '../../core/json.ts';
import { actingIn, replaceActing } from '../../core/text.ts';
import { readYaml } from '../../core/yaml.ts';

/** Parses YAML. Numbers keep their digits, as in JSON. Throws for invalid YAML, with line and column. */
export const parseYaml = (text: string): unknown => readYaml(text).value;

/** Prints YAML without anchors: repeated values are written twice. */
export const printYaml = (value: unknown): string => stringify(value, { aliasDuplicateObjects: false, lineWidth: 0 });

/** Prints exact numbers with all their digits. */
const EXACT: ScalarTag = {
  tag: 'tag:yaml.org,2002:float',
  default: true,
  identify: isExactNumber,
  test: /^\0$/,
  resolve: (text) => text,
  stringify: ({ value }) => String(value),
};

/** Text with control characters or CI commands needs double quotes, where it can be escaped. */
const mustQuote = ({ value }: Scalar): boolean =>
  typeof value === 'string' && (actingIn(value) !== undefined || /\n|::|#/.test(value));

const escaped = (char: string): string => {
  const code = char.codePointAt(0) ?? 0;
  return code > 0xffff ? `\\U${code.toString(16).padStart(8, '0')}` : `\\u${code.toString(16).padStart(4, '0')}`;
};

/** Prints YAML of remote data. Control characters and CI commands are escaped; numbers keep their digits. */
export const printSafeYaml = (value: unknown): string => {
  const document = new Document(value, { aliasDuplicateObjects: false, customTags: (tags) => [EXACT, ...tags] });
  visit(document, {
    Scalar: (_, node) => {
      if (mustQuote(node)) node.type = 'QUOTE_DOUBLE';
    },
  });
  return replaceActing(
    document.toString({ lineWidth: 0, doubleQuotedMinMultiLineLength: Number.MAX_SAFE_INTEGER }),
    escaped,
  );
};
