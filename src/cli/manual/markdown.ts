import type { Block, Page, Section } from '../help/page.ts';

/** Text that Markdown takes as it stands. */
export const plain = (text: string): string => text.replaceAll(/[\\`*_<>[\]|#]/g, (sign) => `\\${sign}`);

const code = (text: string): string => `\`${text}\``;

const blockLines = (block: Block): string => {
  switch (block.kind) {
    case 'text':
      return plain(block.text);
    case 'items':
      return block.items.map(([term, says]) => `- ${code(term)}: ${plain(says)}`).join('\n');
    case 'commands':
      return ['```sh', ...block.lines, '```'].join('\n');
    default: {
      const never: never = block;
      return never;
    }
  }
};

const sectionLines = ({ heading, blocks }: Section): string =>
  [`**${heading}**`, ...blocks.map(blockLines)].join('\n\n');

/** A page as Markdown, under a heading of the level. */
export const pageMarkdown = ({ name, summary, usage, about, sections }: Page, level: number): string =>
  [
    `${'#'.repeat(level)} ${name}`,
    plain(summary),
    ...(usage ? [`\`\`\`\n${usage}\n\`\`\``] : []),
    ...about.map(plain),
    ...sections.map(sectionLines),
  ].join('\n\n');

/** A table; a cell that is code says so itself. */
export const tableMarkdown = (headings: readonly string[], rows: readonly (readonly string[])[]): string =>
  [headings, headings.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
