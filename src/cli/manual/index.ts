import { AREAS } from '../command/areas.ts';
import { TOPICS } from '../help/topics.ts';
import { type Edition, manPages } from './man-pages.ts';
import { reference } from './reference.ts';

/** A file of the package, by its path in the folder of what is built. */
type Written = { readonly path: string; readonly text: string };

/** What the build writes beside the program: man pages and the reference. */
export const manual = async (edition: Edition): Promise<readonly Written[]> => {
  const all = await Promise.all(AREAS.map(async (area) => ({ area, leaves: await area.load() })));
  const topics = await Promise.all(TOPICS.map(({ load }) => load()));
  return [
    ...manPages(all, edition).map(({ name, text }) => ({ path: `man/${name}`, text })),
    { path: 'reference.md', text: reference(all, topics, edition) },
  ];
};
