import { fork } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { arch, cpus, loadavg, release, totalmem } from 'node:os';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { PARTS } from './parts.mjs';
import { installPeers, measuredNodes, peerVersions } from './peers.mjs';
import { costPlot, rowCostPlot, startUpPlot, workersPlot } from './plots.mjs';
import { tableOf, withSection } from './table.mjs';

// `npm run bench` measures everything, `npm run bench -- PART...` some parts, on each Node in turn. Each part replaces its
// own section of README.md. With `--long` some parts do more work.

const at = (path) => new URL(path, import.meta.url);

const LONG = '--long';
const chosen = process.argv.slice(2).filter((word) => word !== LONG);
const flags = process.argv.includes(LONG) ? [LONG] : [];
const unknown = chosen.filter((part) => !PARTS[part]);
if (unknown.length > 0) throw new Error(`no part ${unknown.join(', ')}; there are: ${Object.keys(PARTS).join(', ')}`);
const parts = chosen.length > 0 ? chosen : Object.keys(PARTS);

/** Measures a part in a process of a Node. */
const measureOn = ({ binary, version }, part) =>
  new Promise((resolve, reject) => {
    const execArgv = ['--disable-warning=DEP0040'];
    const child = fork(fileURLToPath(at('parts.mjs')), [part, ...flags], { execPath: binary, execArgv });
    child.once('message', (measured) => resolve({ version, ...measured }));
    child.once('close', (code) => reject(new Error(`${part} on Node ${version} ended with ${code}`)));
  });

/** The line above a table. `load` is the load of the machine before the part: above 1, other programs disturbed the ratios. */
const machine = (versions, load) => {
  const [cpu] = cpus();
  const memory = Math.round(totalmem() / 1024 ** 3);
  return [
    `${cpus().length} × ${cpu?.model.trim()}, ${memory} GB, ${process.platform} ${release()} on ${arch()}`,
    `Node ${versions.join(' and ')} without NODE_EXTRA_CA_CERTS`,
    peerVersions().join(', '),
    `load ${load.toFixed(1)} before`,
    new Date().toISOString().slice(0, 10),
  ].join('; ');
};

/** The plots, each with the measured field that it shows and its description. */
const PLOTS = [
  { needs: 'bars', file: 'start-up.svg', draw: startUpPlot, alt: 'Start-up by command, with budgets and peers' },
  { needs: 'windows', file: 'cost-of-a-payment.svg', draw: costPlot, alt: 'Cost of a payment against payments so far' },
  { needs: 'workerRates', file: 'rows-by-workers.svg', draw: workersPlot, alt: 'Rows a second against workers' },
  { needs: 'rowCosts', file: 'cost-of-a-row.svg', draw: rowCostPlot, alt: 'Cost of a row against rows so far' },
];

const sectionOf = async (measured, load) => {
  const section = [
    `${machine(
      measured.map(({ version }) => version),
      load,
    )}.`,
    tableOf(measured),
  ];
  for (const { needs, file, draw, alt } of PLOTS) {
    if (!measured.every((result) => result[needs])) continue;
    await writeFile(at(file), draw(measured));
    section.push(`![${alt}](${file})`);
  }
  return section.join('\n\n');
};

installPeers();
const nodes = measuredNodes();
// Node reads this file of certificates at each start, which takes longer than the start itself. Only npm needs it.
delete process.env.NODE_EXTRA_CA_CERTS;
for (const part of parts) {
  const began = performance.now();
  const [load] = loadavg();
  const measured = [];
  for (const node of nodes) measured.push(await measureOn(node, part));
  const section = await sectionOf(measured, load);
  process.stdout.write(`${part}, in ${Math.round((performance.now() - began) / 1000)} s\n\n${section}\n\n`);
  const path = at('README.md');
  await writeFile(path, withSection(await readFile(path, 'utf8'), part, section));
}
